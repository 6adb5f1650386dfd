// Captures of frames of many kinds, with what a classifier of their 5-tuples must answer.
#pragma once

#include <string>

#include "tests/tools/support/generated_input.h"

namespace nplab::tools::testing {

struct GeneratedCapture {
  std::string bytes;  // a pcap file
  std::size_t frames = 0;
  Answers answers;  // ports counting for TCP, UDP and SCTP only
};

// A frame a header of `input`: TCP, UDP, SCTP and other protocols; IP options; first and later
// fragments; datagrams too short for ports; captures cut behind the IP header, whose ports read as
// the padding's zeros; one and two VLAN tags, ARP, IPv6, a wrong version and a header too short,
// which no rule matches.
GeneratedCapture capture_of_headers(const GeneratedInput& input);

}  // namespace nplab::tools::testing
