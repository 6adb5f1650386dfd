// Captures of frames of many kinds, with what a classifier of their 5-tuples must answer.
#pragma once

#include <string>

#include "tests/tools/generated_input.h"

namespace nplab::tools::testing {

struct GeneratedCapture {
  std::string bytes;  // a pcap file
  std::size_t frames = 0;
  Answers answers;    // ports counting for TCP, UDP and SCTP only
};

// A frame a header of `input`: TCP, UDP, SCTP and other protocols; IP options; first and later fragments; datagrams
// too short for ports; VLAN tags, ARP and IPv6, which no rule matches.
GeneratedCapture capture_of_headers(const GeneratedInput& input);

}  // namespace nplab::tools::testing
