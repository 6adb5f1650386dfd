#include "tests/tools/support/capture_file.h"

#include <pcap/pcap.h>

#include <catch2/catch.hpp>

namespace nplab::tools::testing {
namespace {

void append_u32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(value >> shift);
}

}  // namespace

std::vector<CapturedFrame> read_capture(const std::string& path) {
  INFO(path);
  char message[PCAP_ERRBUF_SIZE] = "";
  pcap_t* capture =
      pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, message);
  INFO(message);
  REQUIRE(capture != nullptr);
  CHECK(pcap_datalink(capture) == DLT_EN10MB);
  std::vector<CapturedFrame> frames;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(capture, &header, &bytes)) == 1) {
    CHECK(header->caplen == header->len);
    const auto seconds = static_cast<std::uint64_t>(header->ts.tv_sec);
    frames.push_back({seconds * 1'000'000'000 + static_cast<std::uint64_t>(header->ts.tv_usec),
                      std::string(reinterpret_cast<const char*>(bytes), header->caplen),
                      {}});
  }
  CHECK(status == PCAP_ERROR_BREAK);
  pcap_close(capture);
  return frames;
}

std::string capture_of(const std::vector<CapturedFrame>& frames) {
  std::string bytes;
  append_u32(bytes, 0xa1b2c3d4);
  append_u32(bytes, 4 << 16 | 2);  // version 2.4
  append_u32(bytes, 0);
  append_u32(bytes, 0);
  append_u32(bytes, 65535);
  append_u32(bytes, 1);  // Ethernet
  for (const CapturedFrame& frame : frames) {
    append_u32(bytes, static_cast<std::uint32_t>(frame.nanoseconds / 1'000'000'000));
    append_u32(bytes, static_cast<std::uint32_t>(frame.nanoseconds % 1'000'000'000 / 1000));
    append_u32(bytes, static_cast<std::uint32_t>(frame.bytes.size()));
    append_u32(bytes, static_cast<std::uint32_t>(frame.wire_bytes.value_or(frame.bytes.size())));
    bytes += frame.bytes;
  }
  return bytes;
}

}  // namespace nplab::tools::testing
