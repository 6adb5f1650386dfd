// Tests of a sign by the condition codes that its instruction set.
#pragma once

namespace llvm {

class MachineFunction;

void testMicroengineSignsByCodes(MachineFunction& Function);

}  // namespace llvm
