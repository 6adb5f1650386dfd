// Makes a program ready for execution: each word decoded once, operands resolved to register
// indices.
#pragma once

#include <span>
#include <vector>

#include "isa/program_image.h"
#include "simulator/base/word_cost.h"
#include "simulator/engine/execution_slot.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

// One slot per word, then one whose routine faults: the program counter left the program; and one
// more, which is never executed, to count that the one before is left. A word that no instruction
// has, or that this chip does not model, becomes a slot whose routine faults.
std::vector<ExecutionSlot> make_control_store(const isa::ProgramImage& program,
                                              const PipelineDescription& pipeline);

// Gives each word its cost, by word; words without one cost a cycle.
void set_costs(std::vector<ExecutionSlot>& slots, std::span<const WordCost> costs);

// Whether it is of an event of the run. The others mark words for reports.
bool acts_when_executed(const isa::Annotation& annotation);

// Of a taken branch of the class or a swap, conditions set long before.
unsigned aborts_of(isa::AbortClass abort_class, const PipelineDescription& pipeline);

}  // namespace nplab::simulator
