#include "compiler/backend/MicroengineFrameLowering.h"

#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/options/compile_options.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace {

MicroengineTargetMachine& targetOf(const MachineFunction& Function) {
  return const_cast<MicroengineTargetMachine&>(
      static_cast<const MicroengineTargetMachine&>(Function.getTarget()));
}

// The function's part of the frame and those of all that it calls.
MicroengineFramePart framePart(const MachineFunction& Function) {
  MicroengineTargetMachine& Target = targetOf(Function);
  MicroengineFramePart Part = Target.calledFunctions().framesBelow(Function.getFunction());
  const MachineFrameInfo& Frame = Function.getFrameInfo();
  if (Frame.getStackSize() == 0)
    return Part;
  bool InSDRAM = Target.engineOptions().DefaultSpace == MicroengineAddressSpace::kSdram;
  Part.End = microengineFrameStart(Function) +
             alignTo(Frame.getStackSize(), InSDRAM ? Align(8) : Align(4));
  Part.Alignment = std::max(Part.Alignment, Frame.getMaxAlign());
  return Part;
}

}  // namespace

uint64_t llvm::microengineFrameStart(const MachineFunction& Function) {
  const MicroengineTargetMachine& Target = targetOf(Function);
  uint64_t Start = Target.calledFunctions().framesBelow(Function.getFunction()).End;
  if (Target.engineOptions().FrameBase == 0)
    Start = std::max<uint64_t>(Start, nplab::compiler::kNullBytes);
  return alignTo(Start, Function.getFrameInfo().getMaxAlign());
}

// b15 = frame base + context x stride, the stride being the power of two that holds the frame; a0
// is free because main has no arguments. The base is aligned for the objects in the frame; what
// that skips counts as part of each frame, so that frames end where an unaligned base would have
// them end.
void MicroengineFrameLowering::emitPrologue(MachineFunction& Function,
                                            MachineBasicBlock& Entry) const {
  MicroengineTargetMachine& Target = targetOf(Function);
  const MicroengineFramePart Part = framePart(Function);
  if (isMicroengineCalled(Function.getFunction()))
    return Target.calledFunctions().noteFrame(Function.getFunction(), Part);
  if (Part.End == 0)
    return Target.setFrameBytes(0);
  const uint64_t GivenBase = Target.engineOptions().FrameBase;
  const uint64_t Base = alignTo(GivenBase, Part.Alignment);
  const uint64_t Bytes = std::max(Part.End + Base - GivenBase, Part.Alignment.value());
  Target.setFrameBytes(Bytes);

  const MicroengineInstrInfo& Instructions =
      *Function.getSubtarget<MicroengineSubtarget>().getInstrInfo();
  MachineBasicBlock::iterator Start = Entry.begin();
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
  if (Base == 0)
    return;
  Insert(Microengine::LOAD_CONSTANT, Microengine::A0).addImm(Base);
  Insert(Microengine::ADD_rr, Microengine::B15)
      .addReg(Microengine::B15)
      .addReg(Microengine::A0, RegState::Kill);
}

StackOffset MicroengineFrameLowering::getFrameIndexReference(const MachineFunction& Function,
                                                             int Index, Register& Base) const {
  Base = Microengine::B15;
  return StackOffset::getFixed(Function.getFrameInfo().getObjectOffset(Index) +
                               microengineFrameStart(Function));
}
