// What a debugger runs: a program by itself or a mapping with its packets, prepared and ready to
// start in any process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment_options.h"
#include "experiments/record/word_use.h"
#include "experiments/run/program_run.h"
#include "isa/program_image.h"
#include "simulator/base/ports.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/run/run_visitor.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// The program of one engine, and the contexts that run it.
struct DebugProgram {
  unsigned engine = 0;
  std::string role;  // names of its stages; empty for a program by itself
  isa::ProgramImage image;
  std::vector<unsigned> contexts;
  std::vector<WordUse> uses{};  // by word: what for
};

// A file of source text: where it lies, or what was generated.
struct DebugSource {
  std::string name;  // as line tables have it
  std::string path;  // absolute; empty: no file
  std::string text;  // of what has no file
};

// A longword of locks: bits that test_and_set sets, or a place in the SRAM unit's lock CAM.
struct LockPlace {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes
  std::uint32_t bits = ~0u;   // of the longword, that are locks
};

// What tells an entry that memory has from what its slot held before; the entry's second longword.
enum class EntryMark : std::uint8_t {
  kNone,     // the count says it
  kLap,      // its lap bit changes with every lap
  kNotZero,  // consumers zero it
};

// A queue of a mapping; its rings follow one another in the run's list.
struct DebugQueue {
  std::string name;
  std::uint32_t entries = 0;  // of a ring
  std::size_t first_ring = 0;
  std::size_t rings = 0;
  std::vector<LockPlace> locks{};  // of all rings
  // Engines whose threads put and take entries, ascending.
  std::vector<unsigned> producers{};
  std::vector<unsigned> consumers{};
  // Where the entries of each ring lie, in bytes; none: in registers, or not in the order in which
  // they were put.
  isa::MemorySpace memory{};
  std::vector<std::uint32_t> first_entries{};
  std::uint32_t entry_bytes = 0;
  EntryMark mark{};
};

// Verdicts of packets as they come, and whether they are right.
class VerdictListener {
 public:
  virtual ~VerdictListener() = default;
  virtual void judged(std::uint64_t packet, std::optional<std::uint32_t> rule,
                      const std::string& complaint, simulator::Cycle at) = 0;
};

using Print = std::function<void(const std::string& text, simulator::Cycle at)>;

struct DebugTarget {
  std::string name;
  simulator::ChipDescription chip;
  std::vector<DebugProgram> programs;  // by engine number
  std::vector<DebugSource> sources;
  std::vector<DebugQueue> queues;
  // Runs to the end under `visitor`; once a process. Console output is given to `print`, with its
  // cycle.
  std::function<void(simulator::RunVisitor& visitor, VerdictListener& verdicts, const Print& print)>
      run;
  // The reference classifier's rule of a packet of the traffic, none: no rule matches. Empty where
  // there is no reference, or where rules come and go.
  std::function<std::optional<std::uint32_t>(std::size_t traffic_index)> expected_rule{};
};

// All errors at once.
std::optional<DebugTarget> debug_target_of_mapping(const std::string& mapping,
                                                   const ExperimentOptions& options,
                                                   Diagnostics& diagnostics);
// `compiled` is given what the compiler said.
std::optional<DebugTarget> debug_target_of_program(
    const ProgramRunOptions& options, compiler::CompileOptions compile,
    const std::function<void(const compiler::CompileReport&)>& compiled, Diagnostics& diagnostics);

}  // namespace nplab::experiments
