// Which references of a block wait together; decided on SSA, before banks.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"

namespace llvm {

// Brings references together that do not depend on each other, to one unit, or to several where all
// of them can be waited for at once: what needs the result of the first moves to after the second.
// Gives the last reference of each one's group, where it is another.
DenseMap<const MachineInstr*, MachineInstr*> groupMicroengineReferences(MachineFunction& Function);

}  // namespace llvm
