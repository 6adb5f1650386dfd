#include "compiler/backend/passes/MicroengineTransferPlacement.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineGroupReferences.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;

namespace {

// How many longwords may arrive in a transfer file after a value that waits there to be used,
// before the value is moved out: 8 registers per file, less the burst that is arriving.
constexpr unsigned kLongwordsArrivingBehind = 4;

class TransferPlacement {
 public:
  explicit TransferPlacement(MachineFunction& F)
      : Function(&F),
        Values(&F.getRegInfo()),
        Instructions(F.getSubtarget<MicroengineSubtarget>().getInstrInfo()),
        Registers(F.getSubtarget().getRegisterInfo()) {
    const MicroengineOptions& Options = engineOptionsOf(F);
    MovesOut = Options.TransferUse == MicroengineTransferUse::kMovedOut;
    WaitsAcrossBlocks = Options.FillSlots && Options.TransferUse != MicroengineTransferUse::kModest;
  }

  void run();

 private:
  bool isFree(Register Value) const { return isMicroengineBankOpen(Value, *Values); }
  // What arrived can be moved there by one instruction.
  bool isSent(Register Value) const {
    const TargetRegisterClass* File = fileOf(Value);
    return File && Microengine::isFileWrite(*File);
  }
  const TargetRegisterClass* fileOf(Register Value) const;
  MachineInstr* lastUseInBlock(const MachineInstr& Definition, Register Value);
  void settleArrival(MachineInstr& Arrival);
  void holdStill(MachineInstr& Start);
  bool canWaitAcrossBlocks(const MachineInstr& Definition, Register Value,
                           const TargetRegisterClass& File) const;
  unsigned arrivingIn(MachineBasicBlock::const_instr_iterator From,
                      MachineBasicBlock::const_instr_iterator To,
                      const TargetRegisterClass& File) const;
  void placeInTransferFiles();
  void takeOutOfBurst(MachineInstr& Definition, Register Burst);
  MachineInstr* takeAheadOf(MachineInstr& Argument);
  void placeArrived(MachineInstr& Definition, Register Value);
  void placeDeparting(MachineInstr& Definition, Register Value);
  void gatherBefore(MachineInstr& Reference);
  void keepBurstsInTheirFile();

  // Where the results of a reference may be used first: after the last of the references that it
  // waits together with.
  MachineBasicBlock::instr_iterator behind(MachineInstr& Definition) const {
    MachineInstr* Last = LastOfGroup.lookup(&Definition);
    return std::next((Last ? Last : &Definition)->getIterator());
  }

  bool MovesOut = false;
  bool WaitsAcrossBlocks = false;
  DenseMap<const MachineInstr*, MachineInstr*> LastOfGroup;
  MachineFunction* Function;
  MachineRegisterInfo* Values;
  const MicroengineInstrInfo* Instructions;
  const TargetRegisterInfo* Registers;
};

// The single-register class of the transfer file that the value lives in, or null.
const TargetRegisterClass* TransferPlacement::fileOf(Register Value) const {
  if (!Value.isVirtual())
    return nullptr;
  const TargetRegisterClass* Class = Values->getRegClass(Value);
  if (Class->hasSuperClassEq(&Microengine::GPRRegClass))
    return nullptr;
  MCRegister First = *Class->begin();
  if (MCRegister Word = Registers->getSubReg(First, Microengine::word0))
    First = Word;
  for (const TargetRegisterClass* File :
       {&Microengine::SRAMReadRegClass, &Microengine::SRAMWriteRegClass,
        &Microengine::SDRAMReadRegClass, &Microengine::SDRAMWriteRegClass})
    if (Class->getNumRegs() <= 8 && File->contains(First))
      return File;
  return nullptr;
}

MachineInstr* TransferPlacement::lastUseInBlock(const MachineInstr& Definition, Register Value) {
  MachineInstr* Last = nullptr;
  SmallPtrSet<MachineInstr*, 8> Uses;
  for (MachineInstr& Use : Values->use_nodbg_instructions(Value)) {
    if (Use.getParent() != Definition.getParent() || Use.isPHI())
      return nullptr;
    Uses.insert(&Use);
  }
  for (auto Next = std::next(Definition.getIterator());
       Next != Definition.getParent()->instr_end() && !Uses.empty(); ++Next)
    if (Uses.erase(const_cast<MachineInstr*>(&*Next)))
      Last = const_cast<MachineInstr*>(&*Next);
  return Uses.empty() ? Last : nullptr;
}

static bool overwritesSome(const MachineInstr& Call, const TargetRegisterClass& File) {
  return any_of(File, [&](MCPhysReg Word) {
    return any_of(Call.operands(), [&](const MachineOperand& Operand) {
      return Operand.isRegMask() && Operand.clobbersPhysReg(Word);
    });
  });
}

// Longwords; those that nobody uses hold no register (the published pipeline counts them).
unsigned TransferPlacement::arrivingIn(MachineBasicBlock::const_instr_iterator From,
                                       MachineBasicBlock::const_instr_iterator To,
                                       const TargetRegisterClass& File) const {
  unsigned Longwords = 0;
  for (auto Next = From; Next != To; ++Next) {
    if (Next->isCopy() || Next->getOpcode() == TargetOpcode::ARITH_FENCE)
      continue;
    if (Next->isCall() && overwritesSome(*Next, File))
      Longwords += File.getNumRegs();
    for (const MachineOperand& Defined : Next->all_defs())
      if (WaitsAcrossBlocks && Defined.getReg().isVirtual() &&
          Values->use_nodbg_empty(Defined.getReg()))
        continue;
      else if (fileOf(Defined.getReg()) == &File)
        Longwords += Registers->getRegSizeInBits(*Values->getRegClass(Defined.getReg())) / 32;
      else if (Defined.getReg().isPhysical() && File.contains(Defined.getReg()))
        ++Longwords;
  }
  return Longwords;
}

// Uses in other blocks, a PHI's at the end of the block it comes from: the value may stay where it
// arrived if nothing arrives in its file after it in all the blocks through which it lives, and it
// does not live around a loop.
bool TransferPlacement::canWaitAcrossBlocks(const MachineInstr& Definition, Register Value,
                                            const TargetRegisterClass& File) const {
  constexpr unsigned kMostBlocks = 8;
  const MachineBasicBlock* Home = Definition.getParent();
  SmallPtrSet<const MachineBasicBlock*, 8> Through;
  SmallVector<const MachineBasicBlock*, 8> Ahead;
  for (MachineOperand& Use : Values->use_nodbg_operands(Value)) {
    const MachineInstr& User = *Use.getParent();
    const MachineBasicBlock* Block =
        User.isPHI() ? User.getOperand(Use.getOperandNo() + 1).getMBB() : User.getParent();
    if (Block != Home)
      Ahead.push_back(Block);
  }
  unsigned Longwords = arrivingIn(std::next(Definition.getIterator()), Home->instr_end(), File);
  while (!Ahead.empty()) {
    const MachineBasicBlock* Block = Ahead.pop_back_val();
    if (!Through.insert(Block).second)
      continue;
    if (Through.size() > kMostBlocks)
      return false;
    Longwords += arrivingIn(Block->instr_begin(), Block->instr_end(), File);
    for (const MachineBasicBlock* Before : Block->predecessors())
      if (Before != Home)
        Ahead.push_back(Before);
  }
  return !Through.contains(Home) && Longwords == 0;
}

// An argument or result is copied to its register where it stands: until then that register may
// hold something else. The copy that can be moved comes before it.
MachineInstr* TransferPlacement::takeAheadOf(MachineInstr& Argument) {
  MachineOperand& Source = Argument.getOperand(1);
  const Register Taken = Values->createVirtualRegister(&Microengine::GPRRegClass);
  MachineInstr* Copy = BuildMI(*Argument.getParent(), Argument, Argument.getDebugLoc(),
                               Instructions->get(TargetOpcode::COPY), Taken)
                           .addReg(Source.getReg(), 0, Source.getSubReg());
  Source.setReg(Taken);
  Source.setSubReg(0);
  return Copy;
}

// Selection may leave the copies that take longwords out of a burst after later references. They
// belong just after its arrival, so that the burst does not live on.
void TransferPlacement::takeOutOfBurst(MachineInstr& Definition, Register Burst) {
  const TargetRegisterClass* File = fileOf(Burst);
  if (Microengine::transferOf(Definition) && Microengine::onlySignals(Definition))
    return;
  bool IsExchange = Definition.getOpcode() == Microengine::EXCHANGE_1 ||
                    Definition.getOpcode() == Microengine::EXCHANGE_2 ||
                    Definition.getOpcode() == Microengine::EXCHANGE_2_AT;
  if (!IsExchange && (!File || !Microengine::isFileRead(*File)))
    return;
  SmallVector<MachineInstr*, 8> Copies;
  for (MachineInstr& Use : Values->use_nodbg_instructions(Burst))
    if (Use.isCopy() && Use.getOperand(1).getSubReg())
      Copies.push_back(&Use);
  for (MachineInstr* Copy : Copies) {
    if (Copy->getOperand(0).getReg().isPhysical())
      Copy = takeAheadOf(*Copy);
    Definition.getParent()->splice(behind(Definition), Copy->getParent(), Copy->getIterator());
  }
  Values->clearKillFlags(Burst);
}

// A longword that arrived is read where it arrived, or moved out at once when its last use is far
// away.
void TransferPlacement::placeArrived(MachineInstr& Definition, Register Value) {
  if (Microengine::transferOf(Definition) && Microengine::onlySignals(Definition))
    return;  // not here yet
  Register Source = Definition.isCopy() ? Definition.getOperand(1).getReg() : Value;
  const TargetRegisterClass* File = fileOf(Source);
  if (!File || !Microengine::isFileRead(*File))
    return;
  MachineInstr* Last = MovesOut ? nullptr : lastUseInBlock(Definition, Value);
  bool CanWait = Last && arrivingIn(std::next(Definition.getIterator()), Last->getIterator(),
                                    *File) <= kLongwordsArrivingBehind;
  if (!Last && !MovesOut && WaitsAcrossBlocks)
    CanWait = canWaitAcrossBlocks(Definition, Value, *File);
  if (Definition.isCopy()) {
    bool OnlySources = all_of(Values->use_nodbg_operands(Value), [&](MachineOperand& Use) {
      const MachineInstr& User = *Use.getParent();
      if (User.isPHI())
        return WaitsAcrossBlocks;
      if (User.isCopy() || User.isRegSequence())
        return WaitsAcrossBlocks && isSent(User.getOperand(0).getReg());
      const TargetRegisterClass* Needed =
          User.getRegClassConstraint(Use.getOperandNo(), Instructions, Registers);
      return Needed && Needed->hasSubClassEq(File) && !Use.isTied();
    });
    if (CanWait && OnlySources && Value.isVirtual() && isFree(Value))
      Values->setRegClass(Value, File);
    return;
  }
  if (CanWait || Registers->getRegSizeInBits(*Values->getRegClass(Value)) != 32 ||
      Values->use_nodbg_empty(Value))
    return;
  Register Moved = Values->createVirtualRegister(&Microengine::GPRRegClass);
  Values->replaceRegWith(Value, Moved);
  for (MachineOperand& Defined : Definition.all_defs())
    if (Defined.getReg() == Moved)
      Defined.setReg(Value);
  BuildMI(*Definition.getParent(), behind(Definition), Definition.getDebugLoc(),
          Instructions->get(TargetOpcode::COPY), Moved)
      .addReg(Value);
}

// A value that only feeds a write transfer register is computed straight into it.
void TransferPlacement::placeDeparting(MachineInstr& Definition, Register Value) {
  if (MovesOut || !isFree(Value) || !Values->hasOneNonDBGUse(Value) || Definition.isCopy() ||
      Definition.isPHI())
    return;
  MachineInstr& Use = *Values->use_instr_nodbg_begin(Value);
  if (Use.getParent() != Definition.getParent() || !(Use.isCopy() || Use.isRegSequence()))
    return;
  const TargetRegisterClass* File = fileOf(Use.getOperand(0).getReg());
  if (!File || !Microengine::isFileWrite(*File))
    return;
  const TargetRegisterClass* Produced =
      Instructions->getRegClass(Definition.getDesc(), 0, Registers, *Function);
  if (!Produced || !Produced->hasSubClassEq(File))
    return;
  for (auto Next = std::next(Definition.getIterator()); &*Next != &Use;
       ++Next)  // another reference needs the file
    if (Microengine::isReference(Next->getDesc()) || Next->isCall() ||
        Next->getOpcode() == Microengine::FRAME_WRITE)
      return;
  Values->setRegClass(Value, File);
}

// Longwords go into their write registers just before the reference that sends them, each time
// anew.
void TransferPlacement::gatherBefore(MachineInstr& Reference) {
  for (MachineOperand& Sent : Reference.explicit_uses()) {
    if (!Sent.isReg() || !fileOf(Sent.getReg()) ||
        !Microengine::isFileWrite(*fileOf(Sent.getReg())))
      continue;
    MachineInstr& Gathered = *Values->getVRegDef(Sent.getReg());
    if (!Gathered.isRegSequence() && !Gathered.isCopy())
      continue;
    Register Fresh = Values->createVirtualRegister(Values->getRegClass(Sent.getReg()));
    MachineInstr* Again = Function->CloneMachineInstr(&Gathered);
    Again->getOperand(0).setReg(Fresh);
    Reference.getParent()->insert(Reference.getIterator(), Again);
    Sent.setReg(Fresh);
    if (Values->use_nodbg_empty(Gathered.getOperand(0).getReg()))
      Gathered.eraseFromParent();
  }
}

// After a wait, longwords are in the registers of the reference that started it, not in the copies
// through which selection passes values from block to block.
void TransferPlacement::settleArrival(MachineInstr& Arrival) {
  Register Source = Arrival.getOperand(1).getReg();
  SmallVector<MachineInstr*, 4> Copies;
  for (MachineInstr* Copy = Values->getVRegDef(Source);
       Copy && Copy->isCopy() && !Copy->getOperand(1).getSubReg() &&
       Copy->getOperand(1).getReg().isVirtual();
       Copy = Values->getVRegDef(Source)) {
    Copies.push_back(Copy);
    Source = Copy->getOperand(1).getReg();
  }
  if (!fileOf(Source))
    return;  // refused after allocation
  Arrival.getOperand(1).setReg(Source);
  for (MachineInstr* Copy : Copies)
    if (Values->use_nodbg_empty(Copy->getOperand(0).getReg()))
      Copy->eraseFromParent();
  const TargetRegisterClass* Class = Values->getRegClass(Source);
  Register Given = Arrival.getOperand(0).getReg();
  if (Registers->getRegSizeInBits(*Class) != 32)
    return Values->setRegClass(Given, Class);
  Register Arrived = Values->createVirtualRegister(Class);
  Arrival.getOperand(0).setReg(Arrived);
  BuildMI(*Arrival.getParent(), std::next(Arrival.getIterator()), Arrival.getDebugLoc(),
          Instructions->get(TargetOpcode::COPY), Given)
      .addReg(Arrived);
}

// The registers of a reference that is under way are in use until each wait for it.
void TransferPlacement::holdStill(MachineInstr& Start) {
  unsigned Event = Microengine::eventOf(Start);
  Microengine::visitUntilWait(Start, [&](MachineInstr& Next) {
    if (Next.getOpcode() == Microengine::CTX_ARB && Next.getOperand(0).getImm() & Event)
      Next.addOperand(*Function,
                      MachineOperand::CreateReg(Start.getOperand(0).getReg(), /*isDef=*/false,
                                                /*isImp=*/true));
    return true;
  });
}

void TransferPlacement::placeInTransferFiles() {
  if (MovesOut)
    for (MachineBasicBlock& Block : *Function)
      for (MachineInstr& Instruction : Block.instrs())
        if (!Instruction.isCopy() && !Instruction.isPHI() && !Instruction.isRegSequence())
          gatherBefore(Instruction);
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (!Instruction.isCopy() && !Instruction.isPHI())
        for (const MachineOperand& Defined : Instruction.all_defs())
          if (Defined.getReg().isVirtual())
            takeOutOfBurst(Instruction, Defined.getReg());
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      for (const MachineOperand& Defined : Instruction.all_defs()) {
        Register Value = Defined.getReg();
        if (!Value.isVirtual() || Defined.getSubReg())
          continue;
        placeArrived(Instruction, Value);
        if (Defined.getOperandNo() == 0)
          placeDeparting(Instruction, Value);
      }
}

// Selection has one class for vectors, of the SRAM file: a burst that it carries from SDRAM into
// another block or by two names looks copied from one file of read registers to the other, which no
// instruction does.
void TransferPlacement::keepBurstsInTheirFile() {
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Copy : make_early_inc_range(Block)) {
      if (!Copy.isCopy() || Copy.getOperand(0).getSubReg() || Copy.getOperand(1).getSubReg())
        continue;
      Register To = Copy.getOperand(0).getReg(), From = Copy.getOperand(1).getReg();
      const TargetRegisterClass *ToFile = fileOf(To), *FromFile = fileOf(From);
      if (!ToFile || !FromFile || ToFile == FromFile)
        continue;
      if (!Microengine::isFileRead(*ToFile) || !Microengine::isFileRead(*FromFile))
        continue;
      Copy.eraseFromParent();
      Values->replaceRegWith(To, From);
    }
}

void TransferPlacement::run() {
  keepBurstsInTheirFile();
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : make_early_inc_range(Block))
      if (Instruction.getOpcode() == TargetOpcode::ARITH_FENCE)
        settleArrival(Instruction);
  if (WaitsAcrossBlocks && !MovesOut)
    LastOfGroup = groupMicroengineReferences(*Function);
  placeInTransferFiles();
  for (MachineBasicBlock& Block : *Function)
    for (MachineInstr& Instruction : Block)
      if (Microengine::transferOf(Instruction) && Microengine::onlySignals(Instruction))
        holdStill(Instruction);
}

}  // namespace

void llvm::placeMicroengineTransfers(MachineFunction& Function) {
  TransferPlacement(Function).run();
}

bool llvm::isMicroengineBankOpen(Register Value, const MachineRegisterInfo& Values) {
  return Value.isVirtual() &&
         Values.getRegClass(Value)->hasSubClassEq(&Microengine::GPRARegClass) &&
         Values.getRegClass(Value)->hasSubClassEq(&Microengine::GPRBRegClass);
}
