// Programs on one engine or several until their threads end: what `nplab exec` and compiler tests
// need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/run/simulation.h"

namespace nplab::simulator {

struct LongwordRange {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::uint32_t longwords = 0;
};

struct ExecInputs {
  ChipDescription chip;
  isa::ProgramImage image;                      // of engine 0
  std::vector<isa::ProgramImage> more_engines;  // the programs of engines 1 on
  unsigned threads = 1;                         // contexts of each, from context 0
  Mode mode = Mode::kWindows;
  Observation observation;
  Cycles most_cycles = 1'000'000'000;              // more is an endless program
  std::vector<InitialLongword> memory;             // after the program's own data
  std::vector<LongwordRange> memory_wanted;        // within the memories
  dram::CommandObserver* dram_commands = nullptr;  // of a DDR4 memory; outlives the run
};

struct ExecResult {
  bool ended = false;              // all threads did
  std::uint32_t return_value = 0;  // a0 of thread 0 of engine 0
  // console_hex: 0x and eight digits, a line each; console_char: the character
  std::string console;
  Cycles cycles = 0;
  std::vector<EngineCounters> engines;  // of those that run it
  std::uint64_t state_hash = 0;
  std::vector<std::vector<std::uint32_t>> memory;  // as memory_wanted
  std::optional<Fault> fault;
  std::vector<std::string> waiting;  // what the threads wait for, unless they ended
};

// Runs without the SystemC kernel, so any number of programs in one process. Check the inputs first
// (check_exec).
ExecResult exec(const ExecInputs& inputs);

// The run that exec makes of its inputs.
SimulationInputs simulation_inputs(const ExecInputs& inputs);

// Whether the program fits the chip, and the ranges its memories.
bool check_exec(const ExecInputs& inputs, Diagnostics& diagnostics);

}  // namespace nplab::simulator
