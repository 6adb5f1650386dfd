// Captures as another program reads them: libpcap and tcpdump.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nplab::tools::testing {

struct CapturedFrame {
  std::uint64_t nanoseconds = 0;
  std::string bytes;
  std::optional<std::size_t> wire_bytes = {};  // when the capture keeps fewer bytes than there were
};

// Requires that libpcap reads the file to its end and that no frame was cut.
std::vector<CapturedFrame> read_capture(const std::string& path);

// A capture of Ethernet in the classic format, microseconds, from frames.
std::string capture_of(const std::vector<CapturedFrame>& frames);

}  // namespace nplab::tools::testing
