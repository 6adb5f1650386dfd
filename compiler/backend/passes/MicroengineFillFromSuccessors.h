// Slots after branches that the branch's own block could not fill.
#pragma once

namespace llvm {

class MachineFunction;

// After MicroengineFillSlots: splits blocks, and leaves guesses (`guess_branch`) only where they
// save something.
void fillMicroengineSlotsFromSuccessors(MachineFunction& Function);

}  // namespace llvm
