// Functions that are called instead of inlined. There is no stack and no recursion, so what a call
// needs is static: registers for arguments, results and the return address, and a place for the
// callee's frame beyond which its callers' frames begin. Callees are generated before their
// callers, which therefore know the registers that each overwrites.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/MC/MCRegister.h"
#include "llvm/Support/Alignment.h"

namespace llvm {

// On functions that are called: how many calls lie below, at most, as a number. main has none.
inline constexpr char MicroengineHeightAttribute[] = "microengine-height";

bool isMicroengineCalled(const Function& Callee);

// Longwords of arguments and of a result that registers pass.
inline constexpr unsigned MicroengineArgumentLongwords = 8;
inline constexpr unsigned MicroengineResultLongwords = 4;
// Calls below a call, at most: each height has a register for return addresses of its own, so that
// a function need not move its own aside before it calls another.
inline constexpr unsigned MicroengineHeights = 10;

MCRegister microengineArgumentRegister(unsigned Longword);
MCRegister microengineResultRegister(unsigned Longword);
MCRegister microengineReturnRegister(const Function& Callee);

// A function's part of its thread's frame, together with the parts of all that it calls.
struct MicroengineFramePart {
  uint64_t End = 0;  // bytes from the start of the thread's frame
  Align Alignment;   // that the start must have
};

class MicroengineCalledFunctions {
 public:
  // Of a function that has been generated.
  struct Facts {
    std::vector<uint32_t> Preserved;  // a register mask: one bit per register
    MicroengineFramePart Frame;
    bool HasReferences = false;  // to memory or other units
    bool Swaps = false;          // lets other threads run
  };

  const Facts& of(const Function& Callee) const;
  const Facts& calledBy(const MachineInstr& Call) const;

  // Of all functions that this one calls: its own frame begins where theirs end.
  MicroengineFramePart framesBelow(const Function& Caller) const;
  void noteFrame(const Function& Generated, MicroengineFramePart Frame);

  // Notes the rest, from its final code.
  void note(const MachineFunction& Generated);

 private:
  std::map<std::string, Facts> Generated;
};

// Those of the target machine that the function is compiled for.
const MicroengineCalledFunctions& calledFunctionsOf(const MachineFunction& Function);

}  // namespace llvm
