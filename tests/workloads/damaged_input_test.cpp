// Readers under damaged input: whatever the bytes, a reader gives a value or errors, never neither
// and never both.
#include "tests/workloads/test_inputs.h"

#include "workloads/base/random.h"
#include "workloads/traffic/generator.h"
#include "workloads/traffic/pcap_writer.h"
#include "workloads/traffic/traffic.h"
#include "workloads/workload_file.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

// One to four bytes changed, dropped or doubled, or the end cut off.
std::string damaged(std::string bytes, Random& random) {
  for (std::uint64_t i = random.below(4) + 1; i > 0 && !bytes.empty(); --i) {
    const auto at = static_cast<std::size_t>(random.below(bytes.size()));
    switch (random.below(5)) {
      case 0: bytes[at] = static_cast<char>(random.below(256)); break;
      case 1: bytes[at] = " \n\t:/-@#{}[]x09.,"[random.below(17)]; break;
      case 2: bytes.erase(at, random.below(8)); break;
      case 3: bytes.insert(at, bytes.substr(at, random.below(8))); break;
      default: bytes.resize(at); break;
    }
  }
  return bytes;
}

template <typename Read>
void check_damaged(const std::string& whole, Read read) {
  Random random(42);
  std::size_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = damaged(whole, random);
    Diagnostics diagnostics;
    const bool given = read(input(bytes), diagnostics);
    CAPTURE(bytes, diagnostics.to_string());
    REQUIRE(given != diagnostics.has_errors());
    refused += given ? 0 : 1;
  }
  CHECK(refused > 100);  // the damage does reach the reader
}

}  // namespace

TEST_CASE("damaged rule sets give a rule set or errors") {
  const auto read = [](const InputFile& file, Diagnostics& diagnostics) {
    return parse_rule_set(file, diagnostics).has_value();
  };
  check_damaged(
      "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF 0x0/0x0 DROP\n"
      "@1.2.3.4/32 0.0.0.0/0 1 : 2 0 : 9 0/0\n",
      read);
  check_damaged("# a:32E b:32P c:16R\n0x12 1.2.3.4/5 6-7\n* * *\n", read);
  check_damaged(
      "fields:\n  - {name: a, bits: 4, at: {byte: 3, bit: 4}}\n"
      "rules:\n  - {a: 1-2, action: deny}\n  - {a: 3/2}\n",
      read);
}

TEST_CASE("damaged traffic gives packets or errors") {
  const auto read = [](const InputFile& file, Diagnostics& diagnostics) {
    return parse_traffic(file, 64, diagnostics).has_value();
  };
  check_damaged("1 2 3 4 6 -1\n4294967295 0 65535 80 17\n", read);
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  PcapWriter writer(folder.file("a.pcap"));
  for (int i = 0; i < 3; ++i)
    writer.add(0, finish_frame({1, 2, 3}));
  REQUIRE(writer.commit(diagnostics));
  check_damaged(read_input_file(folder.file("a.pcap"), diagnostics)->bytes, read);
}

TEST_CASE("a damaged SPEC or port list gives a value or errors") {
  const std::string whole = "gen:hit=0.5,locality=0.25,size=128,arrival=poisson:40,count=1000";
  check_damaged(whole, [](const InputFile& file, Diagnostics& diagnostics) {
    const std::string spec = is_generator_spec(file.bytes) ? file.bytes : "gen:" + file.bytes;
    return parse_generator_spec(spec, without_lines("--traffic"), diagnostics).has_value();
  });
  check_damaged("0-3,5,7-8", [](const InputFile& file, Diagnostics& diagnostics) {
    const auto ports = parse_port_list(file.bytes);
    if (!ports)
      diagnostics.error({file.name, 1, 1}, "not a list of ports");
    return ports.has_value();
  });
}

TEST_CASE("damaged workload files give a workload file or errors") {
  const TemporaryFolder folder;
  const std::string whole =
      "workload: w\nrules: r.yaml\ntraffic: gen:count=3\nkey: {variant: fixed, fields: {a: {byte: "
      "3}}}\n"
      "l4_key: always\n"
      "ports_in: [0, 1]\nslot: {gap_bytes: 12, preamble_bytes: 0}\nseed: 1\nframe_bytes: 64\n";
  check_damaged(whole, [&](const InputFile& file, Diagnostics& diagnostics) {
    return read_workload_file(folder.write("w.yaml", file.bytes), {}, diagnostics).has_value();
  });
}
