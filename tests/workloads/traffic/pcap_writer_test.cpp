#include "tests/workloads/test_inputs.h"

#include <pcap/pcap.h>

#include "workloads/traffic/pcap_writer.h"
#include "workloads/traffic/traffic.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

TEST_CASE("what is written is read back byte for byte, check sequence and all") {
  const TemporaryFolder folder;
  const std::vector<Frame> frames = {finish_frame({1, 2, 3}),
                                     finish_frame(std::vector<std::uint8_t>(1500, 7))};
  Diagnostics diagnostics;
  PcapWriter writer(folder.file("out.pcap"));
  writer.add(0, frames[0]);
  writer.add(5'000'000'123, frames[1]);
  REQUIRE(writer.commit(diagnostics));
  const auto traffic = read_traffic(folder.file("out.pcap"), 64, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(traffic);
  REQUIRE(traffic->size() == 2);
  CHECK(traffic->packets()[0].frame == frames[0]);
  CHECK(traffic->packets()[1].frame == frames[1]);
  CHECK(folder.count() == 1);
}

TEST_CASE(
    "libpcap reads the written times to the nanosecond and lengths without the check sequence") {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  PcapWriter writer(folder.file("out.pcap"));
  writer.add(5'000'000'123, finish_frame({1}));
  REQUIRE(writer.commit(diagnostics));
  char problem[PCAP_ERRBUF_SIZE];
  pcap_t* capture = pcap_open_offline_with_tstamp_precision(folder.file("out.pcap").c_str(),
                                                            PCAP_TSTAMP_PRECISION_NANO, problem);
  REQUIRE(capture != nullptr);
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  REQUIRE(pcap_next_ex(capture, &header, &bytes) == 1);
  CHECK(header->ts.tv_sec == 5);
  CHECK(header->ts.tv_usec == 123);
  CHECK(header->caplen == 60);
  CHECK(header->len == 60);
  CHECK(pcap_next_ex(capture, &header, &bytes) == PCAP_ERROR_BREAK);
  pcap_close(capture);
}

TEST_CASE("a capture that is not committed leaves nothing behind") {
  const TemporaryFolder folder;
  {
    PcapWriter writer(folder.file("out.pcap"));
    writer.add(1, finish_frame({1}));
  }
  CHECK(folder.count() == 0);
}

TEST_CASE("a capture that cannot be written is an error that names the file") {
  Diagnostics diagnostics;
  PcapWriter writer("/nowhere/out.pcap");
  writer.add(1, finish_frame({1}));
  CHECK_FALSE(writer.commit(diagnostics));
  CHECK(diagnostics.to_string().find("/nowhere/out.pcap:0:0: error: cannot be written: ") == 0);
}
