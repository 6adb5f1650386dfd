// The options that say what is simulated, shared by run, compare, check and show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/options/compile_options.h"
#include "experiments/prepare/arrival_choice.h"
#include "simulator/run/mode.h"
#include "support/bounded_work.h"
#include "support/diagnostics.h"
#include "support/yaml.h"
#include "workloads/packets/key_layout.h"
#include "workloads/workload_file.h"

namespace nplab::experiments {

struct ExperimentOptions {
  std::string rules;                 // empty: the workload's
  std::vector<std::string> traffic;  // empty: the workload's
  std::string workload;              // a name or file; empty: the mapping's
  std::string chip;                  // a name or file; empty: the mapping's
  std::optional<std::uint64_t> seed;
  std::vector<std::string> set;             // KEY=VALUE
  std::optional<workloads::L4Key> l4_key;   // nothing: the workload's
  std::vector<workloads::PortId> ports_in;  // empty: the workload's
  std::optional<ArrivalChoice> arrival;     // nothing: the workload's
  std::uint64_t packets = 75000;
  bool drain = false;
  std::string updates;               // file or SPEC of rule updates; empty: none
  std::string profile;               // file of --profile-out to compile with; empty: none
  std::vector<std::string> without;  // resources that cost nothing (run/what_if.h)
  std::vector<std::string> units;    // NAME=FILE.so[,KEY=VALUE...] (prepare/unit_choices.h)
  bool devices_are_bound = false;    // the chip's devices have modules of a platform, not `units`
  WorkBounds compile_bounds;         // of compiling one program
  compiler::VariableRecord variables = compiler::VariableRecord::kNone;  // of those programs
  simulator::Mode mode = simulator::Mode::kWindows;  // how the chip is simulated; changes no result
  Diagnostics unread;  // options whose text has no meaning; reported with all other errors
};

// One `--set KEY=VALUE`: what it overrides and where.
struct Override {
  enum class Target { kMapping, kChip, kWorkload, kUnit };
  Target target{};
  std::string path;
  std::string value;
  SourceLocation location;
};

// Reads every KEY=VALUE: `mapping.K`, `chip.K`, `workload.K`, `unit.NAME.K`; a bare K is the
// mapping's. What is not written so is reported.
std::vector<Override> parse_overrides(const std::vector<std::string>& set,
                                      Diagnostics& diagnostics);

// Carries out the overrides of one target on a parsed file.
void apply_overrides(const std::vector<Override>& overrides, Override::Target target,
                     yaml::Node& root, Diagnostics& diagnostics);

}  // namespace nplab::experiments
