// Demands of a placement from its compiled programs: the words that it has, times how often a
// profile executed such words.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prepare/experiment.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Of one program, by the names of parts and of stages (part_names.h).
struct ProgramDemands {
  std::map<std::string, Demand> parts;   // operations on queues, and looks
  std::map<std::string, Demand> stages;  // for a packet
};

// Prices placements of one profile, chip and level of the compiler. Each program is compiled once,
// whichever placements have it; one of a single stage that the profile measured is not.
class CodePricer {
 public:
  // It outlives the pricer.
  explicit CodePricer(const AlgorithmProfile& profile) : profile_(profile) {}

  // The profile as the placement's own run would have shown it: each stage, and each operation on
  // its queues, has the demands of the placement's words. What neither the profile nor the code
  // knows stays as the profile has it. Nothing, and diagnostics, when a program does not compile.
  std::optional<AlgorithmProfile> price(const Experiment& placement, Diagnostics& diagnostics);

 private:
  // Null, and diagnostics, when it does not compile.
  const ProgramDemands* find(const Experiment& experiment, const mappings::ComposedProgram& source,
                             Diagnostics& diagnostics);

  const AlgorithmProfile& profile_;
  std::map<std::string, ProgramDemands> known_;  // by what the program runs
};

// Of a single placement.
std::optional<AlgorithmProfile> price_code(const AlgorithmProfile& profile,
                                           const Experiment& placement, Diagnostics& diagnostics);

}  // namespace nplab::experiments
