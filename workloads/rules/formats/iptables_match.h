// One `-A` line of an iptables listing.
#pragma once

#include <string>
#include <vector>

#include "workloads/base/text_lines.h"
#include "workloads/rules/formats/chain_listing.h"

namespace nplab::workloads {

struct QuotedWord {
  int column = 0;  // counts from 1
  std::string text;
};

// Reads `-A CHAIN [matches] [-j|-g TARGET [its options]]`. What is not written right is an error;
// what no 5-tuple can say makes the statement unsupported. Matches of an interface that
// `interfaces` names are decided.
ChainStatement read_iptables_statement(int line, const std::vector<QuotedWord>& words,
                                       const PacketInterfaces& interfaces, FileErrors& errors);

}  // namespace nplab::workloads
