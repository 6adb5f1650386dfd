#include "compiler/backend/MicroengineInstrInfo.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

#define GET_INSTRINFO_CTOR_DTOR
#include "isa/MicroengineGenInstrInfo.inc"

using namespace llvm;
using Microengine::Condition;

MicroengineInstrInfo::MicroengineInstrInfo() = default;

Condition Microengine::invert(Condition Test) {
  switch (Test) {
    case Condition::kEqual: return Condition::kNotEqual;
    case Condition::kNotEqual: return Condition::kEqual;
    case Condition::kGreater: return Condition::kLessEqual;
    case Condition::kGreaterEqual: return Condition::kLess;
    case Condition::kLess: return Condition::kGreaterEqual;
    case Condition::kLessEqual: return Condition::kGreater;
    case Condition::kAbove: return Condition::kBelowEqual;
    case Condition::kAboveEqual: return Condition::kBelow;
    case Condition::kBelow: return Condition::kAboveEqual;
    case Condition::kBelowEqual: return Condition::kAbove;
    case Condition::kBitSet: return Condition::kBitClear;
    case Condition::kBitClear: return Condition::kBitSet;
  }
  llvm_unreachable("every condition has an opposite");
}

void MicroengineInstrInfo::copyPhysReg(MachineBasicBlock& Block,
                                       MachineBasicBlock::iterator Position,
                                       const DebugLoc& Location, MCRegister Destination,
                                       MCRegister Source, bool KillSource) const {
  if (!Microengine::DSTRegClass.contains(Destination) || !Microengine::SRCRegClass.contains(Source))
    return Block.getParent()->getFunction().getContext().diagnose(DiagnosticInfoUnsupported(
        Block.getParent()->getFunction(),
        "out of transfer registers; use fewer or smaller bursts at a time",
        Location ? Location : Block.findDebugLoc(Position)));
  BuildMI(Block, Position, Location, get(Microengine::MOVE_r), Destination)
      .addReg(Source, getKillRegState(KillSource));
}

static MachineMemOperand* frameOperand(MachineFunction& Function, int FrameIndex,
                                       MachineMemOperand::Flags Flags) {
  const MachineFrameInfo& Frame = Function.getFrameInfo();
  return Function.getMachineMemOperand(MachinePointerInfo::getFixedStack(Function, FrameIndex),
                                       Flags, Frame.getObjectSize(FrameIndex),
                                       Frame.getObjectAlign(FrameIndex));
}

// SDRAM moves quadwords: a spilled value has its own.
static void alignSlotInSDRAM(MachineFunction& Function, int FrameIndex) {
  const auto& Options = engineOptionsOf(Function);
  if (Options.DefaultSpace != MicroengineAddressSpace::kSdram)
    return;
  MachineFrameInfo& Frame = Function.getFrameInfo();
  Frame.setObjectSize(FrameIndex, alignTo(Frame.getObjectSize(FrameIndex), Align(8)));
  Frame.setObjectAlignment(FrameIndex, Align(8));
}

void MicroengineInstrInfo::storeRegToStackSlot(MachineBasicBlock& Block,
                                               MachineBasicBlock::iterator Position, Register Value,
                                               bool IsKill, int FrameIndex,
                                               const TargetRegisterClass*,
                                               const TargetRegisterInfo*, Register) const {
  alignSlotInSDRAM(*Block.getParent(), FrameIndex);
  BuildMI(Block, Position, Block.findDebugLoc(Position), get(Microengine::SPILL))
      .addReg(Value, getKillRegState(IsKill))
      .addFrameIndex(FrameIndex)
      .addImm(0)
      .addMemOperand(frameOperand(*Block.getParent(), FrameIndex, MachineMemOperand::MOStore));
}

void MicroengineInstrInfo::loadRegFromStackSlot(MachineBasicBlock& Block,
                                                MachineBasicBlock::iterator Position,
                                                Register Destination, int FrameIndex,
                                                const TargetRegisterClass*,
                                                const TargetRegisterInfo*, Register) const {
  alignSlotInSDRAM(*Block.getParent(), FrameIndex);
  BuildMI(Block, Position, Block.findDebugLoc(Position), get(Microengine::RELOAD), Destination)
      .addFrameIndex(FrameIndex)
      .addImm(0)
      .addMemOperand(frameOperand(*Block.getParent(), FrameIndex, MachineMemOperand::MOLoad));
}

// Branches that the block placement passes may move and invert: operand number of the target, 0 for
// all others. One that reads condition codes stays with what sets them.
static unsigned targetOperand(const MachineInstr& Instruction) {
  if (!Instruction.isConditionalBranch() ||
      Instruction.getDesc().hasImplicitUseOfPhysReg(Microengine::CC))
    return 0;
  const auto* Target = find_if(Instruction.operands(),
                               [](const MachineOperand& Operand) { return Operand.isMBB(); });
  return Target == Instruction.operands_end() ? 0 : Target->getOperandNo();
}

// Test is the opcode followed by the operands in front of the target.
bool MicroengineInstrInfo::analyzeBranch(MachineBasicBlock& Block, MachineBasicBlock*& Taken,
                                         MachineBasicBlock*& NotTaken,
                                         SmallVectorImpl<MachineOperand>& Test, bool) const {
  for (MachineInstr& Instruction : Block.terminators()) {
    if (Instruction.isDebugInstr())
      continue;
    if (Instruction.getOpcode() == Microengine::BR) {
      (Test.empty() ? Taken : NotTaken) = Instruction.getOperand(0).getMBB();
      return false;
    }
    unsigned Target = targetOperand(Instruction);
    if (!Target || !Test.empty())
      return true;
    Taken = Instruction.getOperand(Target).getMBB();
    Test.push_back(MachineOperand::CreateImm(Instruction.getOpcode()));
    for (unsigned Operand = 0; Operand != Target; ++Operand)
      Test.push_back(Instruction.getOperand(Operand));
  }
  return false;
}

unsigned MicroengineInstrInfo::removeBranch(MachineBasicBlock& Block, int* BytesRemoved) const {
  unsigned Removed = 0;
  int Bytes = 0;
  while (!Block.empty()) {
    MachineBasicBlock::iterator Last = Block.getLastNonDebugInstr();
    if (Last == Block.end() || (Last->getOpcode() != Microengine::BR && !targetOperand(*Last)))
      break;
    Bytes += Last->getDesc().getSize();
    Last->eraseFromParent();
    ++Removed;
  }
  if (BytesRemoved)
    *BytesRemoved = Bytes;
  return Removed;
}

unsigned MicroengineInstrInfo::insertBranch(MachineBasicBlock& Block, MachineBasicBlock* Taken,
                                            MachineBasicBlock* NotTaken,
                                            ArrayRef<MachineOperand> Test, const DebugLoc& Location,
                                            int* BytesAdded) const {
  unsigned Inserted = 0;
  int Bytes = 0;
  auto Insert = [&](unsigned Opcode) {
    ++Inserted;
    Bytes += get(Opcode).getSize();
    return BuildMI(&Block, Location, get(Opcode));
  };
  if (Test.empty()) {
    Insert(Microengine::BR).addMBB(Taken).addImm(0);
  } else {
    unsigned Opcode = Test[0].getImm();
    MachineInstrBuilder Branch = Insert(Opcode);
    for (MachineOperand Operand : Test.drop_front()) {
      if (Operand.isReg())
        Operand.setIsKill(false);
      Branch.add(Operand);
    }
    Branch.addMBB(Taken);
    if (!get(Opcode).isPseudo())
      Branch.addImm(0);
    if (NotTaken)
      Insert(Microengine::BR).addMBB(NotTaken).addImm(0);
  }
  if (BytesAdded)
    *BytesAdded = Bytes;
  return Inserted;
}

bool MicroengineInstrInfo::reverseBranchCondition(SmallVectorImpl<MachineOperand>& Test) const {
  switch (Test[0].getImm()) {
    case Microengine::COMPARE_BRANCH_rr:
    case Microengine::COMPARE_BRANCH_ri:
      Test[3].setImm(
          static_cast<int64_t>(Microengine::invert(static_cast<Condition>(Test[3].getImm()))));
      return false;
    case Microengine::PAIR_BRANCH:
      Test[5].setImm(
          static_cast<int64_t>(Microengine::invert(static_cast<Condition>(Test[5].getImm()))));
      return false;
    case Microengine::BR_BSET: Test[0].setImm(Microengine::BR_BCLR); return false;
    case Microengine::BR_BCLR: Test[0].setImm(Microengine::BR_BSET); return false;
    case Microengine::BR_EQ_BYTE: Test[0].setImm(Microengine::BR_NE_BYTE); return false;
    case Microengine::BR_NE_BYTE: Test[0].setImm(Microengine::BR_EQ_BYTE); return false;
    case Microengine::BR_EQ_CTX: Test[0].setImm(Microengine::BR_NE_CTX); return false;
    case Microengine::BR_NE_CTX: Test[0].setImm(Microengine::BR_EQ_CTX); return false;
    default: return true;  // br_inp_state and br_!signal have no opposite
  }
}

SmallVector<std::pair<unsigned, unsigned>, 2> MicroengineInstrInfo::portPairs(
    const MachineInstr& Instruction) const {
  switch (Instruction.getOpcode()) {
    case Microengine::ADD_PAIR:
    case Microengine::SUBTRACT_PAIR: return {{2, 3}, {4, 5}};
    case Microengine::PAIR_BRANCH: return {{0, 1}, {2, 3}};
    case Microengine::SIGN_SUM_rr: return {{2, 3}};  // what is tested has an instruction of its own
    case Microengine::SHIFT_LEFT_BY_REGISTER:
    case Microengine::SHIFT_RIGHT_BY_REGISTER:  // several instructions, one source each
    case Microengine::EXCHANGE_1:
    case Microengine::EXCHANGE_2:
    case Microengine::EXCHANGE_2_AT:
    case Microengine::ANNOTATE_rr:
    case Microengine::SELECT_rr:  // becomes a compare-and-branch before banks are assigned
    case Microengine::SELECT_ri:
    case Microengine::PAIR_SELECT:
    case Microengine::SIGN_SUM_ri: return {};
    default: break;
  }
  SmallVector<unsigned, 2> Sources;
  const MCInstrDesc& Description = Instruction.getDesc();
  for (unsigned Operand = Description.getNumDefs(); Operand < Description.getNumOperands();
       ++Operand) {
    int Class = Description.operands()[Operand].RegClass;
    if (Class == Microengine::SRCRegClassID || Class == Microengine::GPRRegClassID)
      Sources.push_back(Operand);
  }
  if (Sources.size() != 2)
    return {};
  return {{Sources[0], Sources[1]}};
}

ArrayRef<std::pair<MachineMemOperand::Flags, const char*>>
MicroengineInstrInfo::getSerializableMachineMemOperandTargetFlags() const {
  static const std::pair<MachineMemOperand::Flags, const char*> Names[] = {
      {MicroengineOrdinaryAccess, "microengine-ordinary"}};
  return Names;
}

bool MicroengineInstrInfo::verifyInstruction(const MachineInstr& Instruction,
                                             StringRef& Error) const {
  const MachineRegisterInfo& Values = Instruction.getMF()->getRegInfo();
  auto IsIn = [&](unsigned Operand, const TargetRegisterClass& Bank) {
    Register Source = Instruction.getOperand(Operand).getReg();
    return Source.isVirtual() ? Bank.hasSubClassEq(Values.getRegClass(Source))
                              : Bank.contains(Source);
  };
  for (auto [First, Second] : portPairs(Instruction))
    for (const TargetRegisterClass* Bank : {&Microengine::GPRARegClass, &Microengine::GPRBRegClass})
      if (IsIn(First, *Bank) && IsIn(Second, *Bank)) {
        Error = "two general-purpose sources from one bank";
        return false;
      }
  return true;
}
