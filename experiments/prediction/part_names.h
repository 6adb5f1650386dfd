// Names of the parts of a mapping that demands are kept under: two placements that need the same
// code have the same name for it.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::experiments {

inline constexpr const char* kReceivePart = "receive";
inline constexpr const char* kTransmitPart = "transmit";
inline constexpr const char* kPausePart = "pause";  // each time that a pausing thread yields

inline constexpr const char* kSpinPart = "spin";  // each round of a thread that waits for its turn

// 0: `key`, loading the header; d + 1: `key field[d]`, taking the field of dimension d from it.
std::string part_of_key(std::size_t index);
// `task lookup[2]`
std::string part_of_call(const mappings::TaskCall& call);
// All of a stage but its unprinted work: its calls, and what its queues ask for. Two stages of this
// name have the same code where each has a program of its own.
std::string part_of_stage(const mappings::Placement& placement, std::size_t stage);
// Whether the stage's engines run nothing else.
bool has_own_program(const mappings::Placement& placement, std::size_t stage);
// What joins a stage's calls; with the verdict it is another part.
std::string part_of_steps(const mappings::Stage& stage);
// The unprinted work of a stage.
std::string part_of_work(const mappings::Stage& stage);
// `put lap sram 2 thread`: the code that a queue's protocol and memory ask for.
std::string code_of_put(const mappings::Queue& queue);
std::string code_of_get(const mappings::Queue& queue);
// With the references per hand-over that the protocol needs, which depend on the number of entries:
// `put lap sram 2 thread, 1.016`.
std::string part_of_put(const mappings::Queue& queue);
std::string part_of_get(const mappings::Queue& queue);
double references_of_put(const mappings::Queue& queue);
double references_of_get(const mappings::Queue& queue);
// Those of a part of this name.
double references_of(const std::string& part);
// A look in vain of what `get` or `receive` names.
std::string look_of(const std::string& part);

}  // namespace nplab::experiments
