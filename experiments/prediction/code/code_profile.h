// How often the words of each source line were executed for a packet, as a profiling run saw it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/demand_observer.h"
#include "isa/instruction.h"

namespace nplab::experiments {

// Means, for what packets need; unsuccessful looks are left out.
struct ProfiledWord {
  isa::Operation operation{};
  isa::AbortClass aborts{};  // whether it is a branch, or yields
  double executed = 0;       // each time that its part runs
  double aborted = 0;        // slots, each time that it is executed
  double delay = 0;          // cycles of waiting for references that nothing else delays, likewise
};

// Of a part in one of the stages that have it.
struct PartCode {
  std::string stage;      // part_of_stage
  double references = 0;  // of an operation on a queue, as its name has them
  std::map<std::string, std::vector<ProfiledWord>> lines;  // CodeParts::line_of, in program order
};

// By part of the mapping (part_names.h; of queues without the number of references), one for each
// stage that has it: the compiler makes other code of it in each.
using CodeProfile = std::map<std::string, std::vector<PartCode>>;

// `times`: how often a part ran. Of a stage on several engines, the program of the busiest one.
CodeProfile code_profile(const mappings::Placement& placement,
                         const std::vector<CompiledProgram>& programs,
                         const std::vector<CodeParts>& parts, const DemandObserver& observer,
                         const std::function<double(const StagePart&)>& times);

}  // namespace nplab::experiments
