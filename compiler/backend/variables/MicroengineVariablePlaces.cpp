#include "compiler/backend/variables/MicroengineVariablePlaces.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineTransfers.h"
#include "compiler/backend/passes/MicroengineSlots.h"
#include "compiler/backend/variables/MicroenginePlaceSteps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {

bool isSameVariable(const MicroenginePlace& A, const MicroenginePlace& B) {
  return A.Variable == B.Variable && A.InlinedAt == B.InlinedAt;
}

// Of the instructions that compute the base of the frame, at the beginning of main; null in other
// blocks.
const MachineInstr* lastOfFrameSetUp(const MachineBasicBlock& Block) {
  const MachineInstr* Last = nullptr;
  if (Block.isEntryBlock())
    for (const MachineInstr& Instruction : Block)
      if (Instruction.definesRegister(Microengine::B15, /*TRI=*/nullptr))
        Last = &Instruction;
  return Last;
}

bool overlap(const nplab::isa::VariablePart& A, const nplab::isa::VariablePart& B) {
  return A.bit_offset < B.bit_offset + B.bit_size && B.bit_offset < A.bit_offset + A.bit_size;
}

}  // namespace

unsigned MicroengineVariablePlaces::add(MicroenginePlace Place) {
  Places.push_back(std::move(Place));
  return Places.size() - 1;
}

MicroengineVariablePlaces::Note* MicroengineVariablePlaces::noteOf(
    const MachineInstr& Instruction) {
  const unsigned Number = Instruction.peekDebugInstrNum();
  return Number != 0 && Number <= Notes.size() ? &Notes[Number - 1] : nullptr;
}

const MicroengineVariablePlaces::Numbers& MicroengineVariablePlaces::before(
    const MachineInstr& Instruction) const {
  const unsigned Number = Instruction.peekDebugInstrNum();
  return Number != 0 && Number <= Notes.size() ? Notes[Number - 1].Known : InFrame;
}

bool MicroengineVariablePlaces::isOverwritten(const MicroenginePlace& Place,
                                              const MachineInstr& By) const {
  return any_of(Place.Registers,
                [&](MCRegister Register) { return By.modifiesRegister(Register, Registers); });
}

void MicroengineVariablePlaces::forget(Numbers& Known, const MachineInstr& By) const {
  erase_if(Known, [&](unsigned Number) { return isOverwritten(Places[Number], By); });
}

// The parts of the variable that the DBG_VALUE is about are elsewhere now, or nowhere.
void MicroengineVariablePlaces::apply(const MachineInstr& Value, Numbers& Known) {
  std::vector<MicroenginePlace> Parts = microenginePlacesOf(Value);
  for (const MicroenginePlace& Part : Parts)
    erase_if(Known, [&](unsigned Number) {
      return isSameVariable(Places[Number], Part) && overlap(Places[Number].Part, Part.Part);
    });
  for (MicroenginePlace& Part : Parts)
    if (!Part.Part.steps.empty())
      Known.push_back(add(std::move(Part)));
}

// LiveDebugValues says at the beginning of each block where its variables are.
void MicroengineVariablePlaces::takeBlock(MachineBasicBlock& Block) {
  const MachineInstr* SetUp = lastOfFrameSetUp(Block);
  Numbers Known = SetUp ? Numbers() : InFrame;
  for (MachineInstr& Instruction : make_early_inc_range(Block)) {
    if (Instruction.isDebugValue())
      apply(Instruction, Known);
    if (Instruction.isDebugInstr()) {
      Instruction.eraseFromParent();
      continue;
    }
    Notes.push_back({static_cast<unsigned>(Block.getNumber()), Known});
    Instruction.setDebugInstrNum(Notes.size());
    forget(Known, Instruction);
    if (&Instruction == SetUp)
      Known.insert(Known.begin(), InFrame.begin(), InFrame.end());
  }
}

// Variables that have a place in the frame and nowhere else.
void MicroengineVariablePlaces::takeFrame(const MachineFunction& Function) {
  const TargetFrameLowering& Frame = *Function.getSubtarget().getFrameLowering();
  InFrame.clear();
  for (const auto& Variable : Function.getInStackSlotVariableDbgInfo()) {
    Register Base;
    const StackOffset Offset =
        Frame.getFrameIndexReference(Function, Variable.getStackSlot(), Base);
    if (auto Place = microenginePlaceInFrame(Function, *Variable.Var, *Variable.Expr,
                                             Base.asMCReg(), Offset.getFixed())) {
      Place->InlinedAt = Variable.Loc->getInlinedAt();
      InFrame.push_back(add(std::move(*Place)));
    }
  }
}

void MicroengineVariablePlaces::take(MachineFunction& Function) {
  Registers = Function.getSubtarget().getRegisterInfo();
  Notes.clear();
  takeFrame(Function);
  for (MachineBasicBlock& Block : Function)
    takeBlock(Block);
}

// Two instructions whose order changed each run where the other has, or has not, been executed.
void MicroengineVariablePlaces::forgetMoved(const MachineFunction& Function) {
  for (const MachineBasicBlock& Block : Function)
    for (const MachineInstr& Later : Block)
      for (const MachineInstr* Earlier = Later.getPrevNode(); Earlier;
           Earlier = Earlier->getPrevNode()) {
        if (Earlier->peekDebugInstrNum() <= Later.peekDebugInstrNum())
          continue;
        if (Note* Moved = noteOf(Later))
          forget(Moved->Known, *Earlier);
        if (Note* Passed = noteOf(*Earlier))
          forget(Passed->Known, Later);
      }
}

bool MicroengineVariablePlaces::isWrittenAgain(const MachineInstr& By,
                                               const MachineInstr& Next) const {
  return all_of(By.all_defs(), [&](const MachineOperand& Defined) {
    return Next.modifiesRegister(Defined.getReg(), Registers);
  });
}

// In the block and where control goes from there, as far as the registers are not written again.
void MicroengineVariablePlaces::forgetFrom(const MachineBasicBlock& First, const MachineInstr& By) {
  SmallVector<const MachineBasicBlock*, 8> Ahead = {&First};
  SmallPtrSet<const MachineBasicBlock*, 8> Seen;
  while (!Ahead.empty()) {
    const MachineBasicBlock* Block = Ahead.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    bool GoesOn = true;
    for (const MachineInstr& Instruction : *Block) {
      if (Note* Passed = noteOf(Instruction))
        forget(Passed->Known, By);
      if (isWrittenAgain(By, Instruction)) {
        GoesOn = false;
        break;
      }
    }
    if (GoesOn)
      append_range(Ahead, Block->successors());
  }
}

// Of instructions that an instruction came from behind: those after it knew of it.
void MicroengineVariablePlaces::forgetPassed(const MachineBasicBlock& Origin,
                                             const MachineInstr& By) {
  for (const MachineInstr& Instruction : Origin)
    if (Note* Passed = noteOf(Instruction);
        Passed && Instruction.peekDebugInstrNum() < By.peekDebugInstrNum())
      forget(Passed->Known, By);
}

void MicroengineVariablePlaces::forgetTakenFromSuccessors(const MachineFunction& Function) {
  for (const MachineBasicBlock& Block : Function) {
    const Note* First = Block.empty() ? nullptr : noteOf(Block.front());
    for (const MachineInstr& Instruction : Block) {
      Note* Own = noteOf(Instruction);
      if (Own && First && Own->Block == First->Block)
        continue;
      if (Own)
        Own->Known = InFrame;
      for (const MachineBasicBlock* Next : Block.successors())
        if (Own && Own->Block == static_cast<unsigned>(Next->getNumber()))
          forgetPassed(*Next, Instruction);
        else
          forgetFrom(*Next, Instruction);
    }
  }
}

// A slot's instruction is executed before the thread sleeps, thus before what it sleeps for is
// done.
void MicroengineVariablePlaces::forgetInSlots(const MachineInstr& Swap) {
  Numbers Known = before(Swap);
  forget(Known, Swap);
  const MachineInstr* Slot = Swap.getNextNode();
  for (unsigned Left = Microengine::filledSlots(Swap); Slot && Left != 0; --Left) {
    if (Note* Passed = noteOf(*Slot))
      Passed->Known = Known;
    forget(Known, *Slot);
    Slot = Slot->getNextNode();
  }
}

// What a reference brings is there when the thread has slept until it is.
void MicroengineVariablePlaces::forgetUntilWait(const MachineInstr& Reference) {
  const auto IsWait = [](const MachineInstr& Instruction) {
    return Microengine::mostSlots(Instruction) != 0 && !Instruction.isTerminator();
  };
  const MachineInstr* Next = Reference.getNextNode();
  for (; Next && !IsWait(*Next); Next = Next->getNextNode()) {
    if (Note* Passed = noteOf(*Next))
      forget(Passed->Known, Reference);
    if (isWrittenAgain(Reference, *Next))
      return;
  }
  if (Next) {
    if (Note* Passed = noteOf(*Next))
      forget(Passed->Known, Reference);
    return;
  }
  for (const MachineBasicBlock* Ahead : Reference.getParent()->successors())
    forgetFrom(*Ahead, Reference);
}

void MicroengineVariablePlaces::forgetUnderWay(const MachineFunction& Function) {
  for (const MachineBasicBlock& Block : Function)
    for (const MachineInstr& Instruction : Block) {
      if (Instruction.isPseudo() || Instruction.isInlineAsm() || Instruction.isTerminator())
        continue;
      const bool MaySleep = Microengine::mostSlots(Instruction) != 0;
      if (!MaySleep && Microengine::isReference(Instruction.getDesc()))
        forgetUntilWait(Instruction);
    }
  for (const MachineBasicBlock& Block : Function)
    for (const MachineInstr& Instruction : Block)
      if (!Instruction.isPseudo() && !Instruction.isInlineAsm() && !Instruction.isTerminator() &&
          Microengine::mostSlots(Instruction) != 0)
        forgetInSlots(Instruction);
}
