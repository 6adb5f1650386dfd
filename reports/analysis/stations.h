// What packets demand of a run's engines and memories, added up from its source lines. Private to
// reports.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

inline constexpr std::array<const char*, 3> kMemoryNames = {"sram", "sdram", "scratch"};
using ByMemory = std::array<double, kMemoryNames.size()>;

const MemoryRecord& memory_named(const Memory& memory, std::size_t index);

// The stages that share engines, which serve packets together. All times are cycles over the whole
// run: of lines that do not poll, and of as many looks for work as it has served packets.
struct Station {
  std::vector<std::string> stages;
  std::set<Count> engines;
  bool receives = false;
  double threads = 0;
  double packets = 0;    // that it has served
  double executing = 0;  // or stalled: cycles of an engine's pipeline
  double aborted = 0;
  double ready = 0;        // of threads: they could execute, and another did
  double other_waits = 0;  // of threads, for anything but a memory
  ByMemory waits{};        // of threads, for each memory
  ByMemory bus{};          // for which its references held each bus
  double look_cycles = 0;  // of the pipeline, for these looks
  double look_waits = 0;   // of threads, for these looks

  [[nodiscard]] std::string resource() const;  // `engine5`, `engine1-4`, `engine1,3`
  [[nodiscard]] std::string label() const;     // `engine 5, transmit`
};

// In the order of the stages.
std::vector<Station> stations_of(const RunRecord& record);

// The engines that a resource's name stands for: `engine5`, `engine1-4`, `engine1,3`. Empty when it
// is none.
std::set<Count> engines_named(const std::string& resource);

}  // namespace nplab::reports
