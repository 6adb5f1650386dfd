// Registers that a program takes out of the allocator's hands.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCRegister.h"

namespace llvm {

struct MicroengineOptions;

// On main when branches are weighed by a profile rather than by heuristics.
inline constexpr char MicroengineProfileAttribute[] = "microengine-profile";

// For the frame's address and for per-engine shared variables.
SmallVector<MCPhysReg, 8> reservedForProgram(const MicroengineOptions& Options);

// The absolute register of per-engine shared variable Number. Each relative register reserved gives
// four, one a context.
MCRegister sharedRegister(unsigned Number);
inline constexpr unsigned MicroengineSharedLimit = 32;

}  // namespace llvm
