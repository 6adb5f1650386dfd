// A row is closed with its last data, unless another request that the controller sees asks for it.
#pragma once

#include <string_view>

#include "simulator/dram/row_facts.h"

namespace nplab::simulator::dram {

struct ClosedPage {
  static constexpr std::string_view kName = "closed";
  static bool closes(const RowFacts& facts) { return facts.further_hits == 0; }
};

}  // namespace nplab::simulator::dram
