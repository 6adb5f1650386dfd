// A row stays open until another row of its bank is asked for.
#pragma once

#include <string_view>

#include "simulator/dram/row_facts.h"

namespace nplab::simulator::dram {

struct OpenPage {
  static constexpr std::string_view kName = "open";
  static bool closes(const RowFacts& /*facts*/) { return false; }
};

}  // namespace nplab::simulator::dram
