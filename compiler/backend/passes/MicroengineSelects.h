// Choices between two values without a branch.
#pragma once

namespace llvm {

class MachineInstr;

namespace Microengine {

// Replaces a SELECT whose values differ by one, by sums with the carry of the comparison; or that
// tests a sign and whose values differ by what can be added, by a sum with the sign. False, with
// nothing changed, if it is neither. Branches cost about four cycles: two, and what the taken one
// aborts.
bool replaceSelect(MachineInstr& Select);

}  // namespace Microengine
}  // namespace llvm
