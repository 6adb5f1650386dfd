// Choices between two values without a branch.
#pragma once

namespace llvm {

class MachineInstr;

namespace Microengine {

// Replaces a SELECT between two constants that differ by one (the value of a comparison above all) by sums with carry;
// false, with nothing changed, if it is none. Branches cost about four cycles: two, and what the taken one aborts.
bool replaceSelectByCarry(MachineInstr &Select);

}  // namespace Microengine
}  // namespace llvm
