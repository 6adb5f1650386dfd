// Names of the parts of a mapping that demands are kept under: two placements that need the same
// code have the same name for it.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::experiments {

inline constexpr const char* kReceivePart = "receive";
inline constexpr const char* kTransmitPart = "transmit";
inline constexpr const char* kKeyPart = "key";
inline constexpr const char* kPausePart = "pause";  // each time that a pausing thread yields

inline constexpr const char* kSpinPart = "spin";  // each round of a thread that waits for its turn

// `task lookup[2]`
std::string part_of_call(const mappings::TaskCall& call);
// All of a stage: its calls, and what its queues ask for. Two stages of this name have the same
// code.
std::string part_of_stage(const mappings::Placement& placement, std::size_t stage);
// What joins a stage's calls; with the verdict it is another part.
std::string part_of_steps(const mappings::Stage& stage);
// The unprinted work of a stage.
std::string part_of_work(const mappings::Stage& stage);
// `put lap sram 2 register`: the code that a queue's protocol, memory and entries ask for.
std::string part_of_put(const mappings::Queue& queue);
std::string part_of_get(const mappings::Queue& queue);
// A look in vain of what `get` or `receive` names.
std::string look_of(const std::string& part);

}  // namespace nplab::experiments
