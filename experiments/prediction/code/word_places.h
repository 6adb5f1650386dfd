// Where each word of a program belongs, from the code alone: the same rule for a program that was
// profiled and for one that is predicted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "isa/control_flow.h"
#include "mappings/resolver/placement.h"

namespace nplab::experiments {

struct WordPlace {
  std::optional<std::size_t> stage;  // whose threads come there; nothing: before any stage
  CodePart part;
  std::string name;  // of the part (part_names.h), of a queue's code without the number of its
                     // references; empty: pauses and unprinted work
  std::string line;  // CodeParts::line_of
};

// By word. A word that several stages share is of the one that is nearest on the way to it.
std::vector<WordPlace> word_places(const CompiledProgram& program, const CodeParts& parts,
                                   const mappings::Placement& placement,
                                   const std::vector<isa::Successors>& flow);

}  // namespace nplab::experiments
