// Which instructions may stand in the slots after branches and context swaps, and what their
// moving there must respect.
#pragma once

#include "compiler/backend/MicroengineTransfers.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

namespace llvm::Microengine {

// How many slots the instruction may have (`defer`); 0 for all but branches and context swaps.
unsigned mostSlots(const MachineInstr& Instruction);

// How many of them are filled: the instructions that follow it.
unsigned filledSlots(const MachineInstr& Leader);
void setFilledSlots(MachineInstr& Leader, unsigned Filled);

// Whether the instruction sets, or reads, the condition codes.
bool definesCodes(const MachineInstr& Instruction);
bool usesCodes(const MachineInstr& Instruction);
// Whether the codes as they are before the instruction are read there or later in its block.
// None reads nothing.
bool areCodesLive(const MachineInstr* From);

// Whether the instruction is half of a shift by a register: its amount passes from the one in
// front.
bool isTiedToNeighbour(const MachineInstr& Instruction);

// Register arithmetic without state other than condition codes.
bool isSimple(const MachineInstr& Instruction);

bool isAnnotation(const MachineInstr& Instruction);

// Registers that instructions left in place read and write; relative registers only.
class Footprint {
 public:
  explicit Footprint(const TargetRegisterInfo& Registers) : Registers(Registers) {}
  void add(const MachineInstr& Instruction);
  void addDefined(Register Value) {
    if (Value != CC)
      Defined.insert(Value);
  }
  void addUsed(Register Value) { Used.insert(Value); }
  // Whether the candidate may not change places with all of them.
  bool conflictsWith(const MachineInstr& Candidate) const;

 private:
  const TargetRegisterInfo& Registers;
  SmallSet<Register, 8> Defined;
  SmallSet<Register, 8> Used;
};

}  // namespace llvm::Microengine
