// Captures as another program reads them: libpcap and tcpdump.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::tools::testing {

struct CapturedFrame {
  std::uint64_t nanoseconds = 0;
  std::string bytes;
};

// Requires that libpcap reads the file to its end and that no frame was cut.
std::vector<CapturedFrame> read_capture(const std::string& path);

// A capture of Ethernet in the classic format, microseconds, from frames.
std::string capture_of(const std::vector<CapturedFrame>& frames);

}  // namespace nplab::tools::testing
