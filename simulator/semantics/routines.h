// The routine behind each operation of the ISA. One file a family; each has a table from operation to routine.
#pragma once

#include "simulator/execution_slot.h"

namespace nplab::simulator {

// The routine that carries out `operation`. Every operation of the ISA has one.
Routine routine_of(isa::Operation operation);

// The families; null for an operation that belongs to another one.
Routine alu_routine(isa::Operation operation);
Routine register_routine(isa::Operation operation);
Routine branch_routine(isa::Operation operation);
Routine reference_routine(isa::Operation operation);
Routine miscellaneous_routine(isa::Operation operation);

// Of a reference with indirect_ref.
Flow indirect_reference(ExecutionCore& core, const ExecutionSlot& slot);

}  // namespace nplab::simulator
