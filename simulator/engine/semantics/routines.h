// The routine of each operation of the ISA. One file per family; each has a table from operation
// to routine.
#pragma once

#include "simulator/engine/execution_slot.h"

namespace nplab::simulator {

// Where the registers of a word are: a routine for words whose operands are all in the executing
// context's block takes half the host's instructions.
enum class OperandPlaces { kInBlock, kAnywhere };

// The routine that executes `operation`. Every operation of the ISA has one.
Routine routine_of(isa::Operation operation, OperandPlaces places);

// The families; null for an operation that belongs to another one.
Routine alu_routine(isa::Operation operation, OperandPlaces places);
Routine register_routine(isa::Operation operation, OperandPlaces places);
Routine branch_routine(isa::Operation operation, OperandPlaces places);
Routine reference_routine(isa::Operation operation, OperandPlaces places);
Routine miscellaneous_routine(isa::Operation operation, OperandPlaces places);

// Of a reference with indirect_ref.
Flow indirect_reference(ExecutionCore& core, const ExecutionSlot& slot);

}  // namespace nplab::simulator
