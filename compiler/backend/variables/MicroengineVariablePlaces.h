// Where the variables of a function are before each of its instructions, from LLVM's DBG_VALUEs.
//
// Slots are filled after LiveDebugValues. take() therefore notes the places by instruction and
// removes the DBG_VALUEs, so that slots are filled as without them; the notes are corrected for
// the instructions that moved: a place that a moved instruction makes untrue is forgotten.
#pragma once

#include <map>
#include <vector>

#include "isa/variable_table.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {

// A part of a variable at a place. Words are filled in later.
struct MicroenginePlace {
  const DILocalVariable* Variable = nullptr;
  const DILocation* InlinedAt = nullptr;
  nplab::isa::VariablePart Part;
  SmallVector<MCRegister, 2> Registers;  // that it depends on
};

class MicroengineVariablePlaces {
 public:
  using Numbers = std::vector<unsigned>;  // of places, ascending

  // Notes the places and removes the DBG_VALUEs.
  void take(MachineFunction& Function);
  // After instructions moved to slots within their blocks.
  void forgetMoved(const MachineFunction& Function);
  // After instructions were moved or copied to slots of the block before theirs, and everything is
  // where it stays.
  void forgetTakenFromSuccessors(const MachineFunction& Function);
  void forgetUnderWay(const MachineFunction& Function);

  const Numbers& before(const MachineInstr& Instruction) const;
  const MicroenginePlace& operator[](unsigned Number) const { return Places[Number]; }

 private:
  // What is known of an instruction; its number in the function is its debug number.
  struct Note {
    unsigned Block = 0;
    Numbers Known;
  };

  void takeBlock(MachineBasicBlock& Block);
  void takeFrame(const MachineFunction& Function);
  void apply(const MachineInstr& Value, Numbers& Known);
  unsigned add(MicroenginePlace Place);
  bool isOverwritten(const MicroenginePlace& Place, const MachineInstr& By) const;
  void forget(Numbers& Known, const MachineInstr& By) const;
  void forgetFrom(const MachineBasicBlock& First, const MachineInstr& By);
  void forgetPassed(const MachineBasicBlock& Origin, const MachineInstr& By);
  void forgetInSlots(const MachineInstr& Swap);
  void forgetUntilWait(const MachineInstr& Reference);
  bool isWrittenAgain(const MachineInstr& By, const MachineInstr& Next) const;
  Note* noteOf(const MachineInstr& Instruction);

  const TargetRegisterInfo* Registers = nullptr;
  std::vector<MicroenginePlace> Places;
  Numbers InFrame;          // of the function: throughout
  std::vector<Note> Notes;  // of the function, by debug number - 1
};

}  // namespace llvm
