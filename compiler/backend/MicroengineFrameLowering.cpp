#include "compiler/backend/MicroengineFrameLowering.h"

#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

// b15 = frame base + context x stride, the stride being the power of two that holds the frame; a0
// is free because main has no arguments.
void MicroengineFrameLowering::emitPrologue(MachineFunction& Function,
                                            MachineBasicBlock& Entry) const {
  auto& Target = const_cast<MicroengineTargetMachine&>(
      static_cast<const MicroengineTargetMachine&>(Function.getTarget()));
  bool InSDRAM = Target.engineOptions().DefaultSpace == MicroengineAddressSpace::kSdram;
  const llvm::Function& Source = Function.getFunction();
  uint64_t Bytes = Target.calledFunctions().frameStart(Source) +
                   alignTo(Function.getFrameInfo().getStackSize(), InSDRAM ? Align(8) : Align(4));
  if (isMicroengineCalled(Source))
    return Target.calledFunctions().noteFrameEnd(Source, Bytes);
  Target.setFrameBytes(Bytes);
  if (Bytes == 0)
    return;

  const MicroengineInstrInfo& Instructions =
      *Function.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  MachineBasicBlock::iterator Start = Entry.begin();
  const MicroengineOptions& Options = Target.engineOptions();
  unsigned Shift = Log2_64_Ceil(Bytes);
  auto Insert = [&](unsigned Opcode, MCRegister Destination) {
    return BuildMI(Entry, Start, DebugLoc(), Instructions.get(Opcode), Destination)
        .setMIFlag(MachineInstr::FrameSetup);
  };
  Insert(Microengine::LOCAL_CSR_RD, Microengine::B15)
      .addImm(static_cast<unsigned>(nplab::isa::LocalCSR::kActiveContext));
  Insert(Microengine::SHIFT_MOVE_r, Microengine::B15)
      .addReg(Microengine::B15)
      .addImm(Shift ? Microengine::shiftOperand(nplab::isa::ShiftKind::kLeft, Shift) : 0);
  if (Options.FrameBase == 0)
    return;
  Insert(Microengine::LOAD_CONSTANT, Microengine::A0).addImm(Options.FrameBase);
  Insert(Microengine::ADD_rr, Microengine::B15)
      .addReg(Microengine::B15)
      .addReg(Microengine::A0, RegState::Kill);
}

StackOffset MicroengineFrameLowering::getFrameIndexReference(const MachineFunction& Function,
                                                             int Index, Register& Base) const {
  Base = Microengine::B15;
  return StackOffset::getFixed(Function.getFrameInfo().getObjectOffset(Index) +
                               calledFunctionsOf(Function).frameStart(Function.getFunction()));
}
