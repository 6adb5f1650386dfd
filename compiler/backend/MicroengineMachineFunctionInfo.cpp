#include "compiler/backend/MicroengineMachineFunctionInfo.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineDescriptions.h"

using namespace llvm;

namespace {

// Shared variables come in groups of four, in turn from b14, a14, b13, a13, ... so that both banks
// lose alike.
struct SharedGroup {
  bool BankA;
  unsigned Relative;
};
SharedGroup groupOf(unsigned Number) {
  unsigned Group = Number / 4;
  return {Group % 2 == 1, 14 - Group / 2};
}

}  // namespace

SmallVector<MCPhysReg, 8> llvm::reservedForProgram(const MicroengineOptions& Options) {
  SmallVector<MCPhysReg, 8> Reserved;
  if (Options.FrameReach != MicroengineFrameReach::kNone)
    Reserved.push_back(Microengine::B15);
  if (Options.FrameReach == MicroengineFrameReach::kFar)
    Reserved.push_back(Microengine::A15);
  for (unsigned Number = 0; Number < Options.SharedVariables; Number += 4) {
    SharedGroup Group = groupOf(Number);
    Reserved.push_back((Group.BankA ? Microengine::A0 : Microengine::B0) + Group.Relative);
  }
  return Reserved;
}

MCRegister llvm::sharedRegister(unsigned Number) {
  SharedGroup Group = groupOf(Number);
  unsigned Absolute = (Number % 4) * 16 + Group.Relative;
  return (Group.BankA ? Microengine::AbsoluteA0 : Microengine::AbsoluteB0) + Absolute;
}
