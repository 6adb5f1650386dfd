// Every kind of reference once, with what it costs its unit, for latencies and saturation.
#pragma once

#include <string>
#include <vector>

#include "simulator/parameters/chip_description.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {

// References of one kind, as one instruction each without completion tokens.
struct OperationCase {
  std::string name;
  Word word = 0;
  // Cycles of the unit's bus: what follows the same kind, and what is first behind reset.
  unsigned occupancy = 0;
  unsigned first_occupancy = 0;
  unsigned completion = 0;  // from the last bus cycle to the event
  unsigned pipeline = 0;    // from arrival to the first bus cycle
  unsigned clock = 1;       // of the unit: it begins only in multiples
};

// From the figures of `chip`, by the rules of docs/chip.md. Addresses lie in a1 or at 0. The
// SDRAM's bound is that of one bank.
std::vector<OperationCase> sram_operations(const simulator::ChipDescription& chip);
std::vector<OperationCase> sdram_operations(const simulator::ChipDescription& chip);
std::vector<OperationCase> scratch_operations(const simulator::ChipDescription& chip);
std::vector<OperationCase> fbi_operations(const simulator::ChipDescription& chip);
std::vector<OperationCase> all_operations(const simulator::ChipDescription& chip);

}  // namespace nplab::test
