// Reads a list of commands and says what of it a DDR4 memory would refuse. It shares the rows of
// constraints with the model and no code: it compares every command with those before it, one pair
// at a time.
#pragma once

#include <string>
#include <vector>

#include "simulator/dram/commands.h"
#include "simulator/dram/ddr4_timing.h"

namespace nplab::simulator::dram {

struct Violation {
  std::size_t command = 0;  // its position in the list
  std::string rule;         // a constraint's name, or what the banks' state forbids
  std::string sentence;
};

struct CheckedMemory {
  Organization organization;
  Ddr4Timing timing;
  std::vector<Constraint> constraints;
  bool refreshed = true;  // refreshes may be postponed by eight intervals at most
};

// All violations of commands that are listed in the order of their clocks in each channel.
std::vector<Violation> violations(const CheckedMemory& memory,
                                  const std::vector<IssuedCommand>& commands);

}  // namespace nplab::simulator::dram
