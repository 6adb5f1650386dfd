// Registers that a program takes out of the allocator's hands, as attributes of its function: the
// driver compiles again with more reserved when a frame turns out to be needed.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/MC/MCRegister.h"

namespace llvm {

// "microengine-frame" on main: none, near (b15 holds the frame's base) or far (a15 too, for offsets
// beyond 127 bytes).
inline constexpr char MicroengineFrameAttribute[] = "microengine-frame";
// "microengine-shared" on main: how many per-engine shared variables the program uses.
inline constexpr char MicroengineSharedAttribute[] = "microengine-shared";

// On main when longwords that arrived must not wait in transfer registers: programs that would run
// out of those.
inline constexpr char MicroengineMoveOutAttribute[] = "microengine-move-out";

// On main when no references are brought together and nothing waits in transfer registers beyond
// its block.
inline constexpr char MicroengineModestAttribute[] = "microengine-modest";
// On main when branches are weighed by a profile rather than by heuristics.
inline constexpr char MicroengineProfileAttribute[] = "microengine-profile";
// On main when references that signal (sram_read_start, ...) are to block, for want of transfer
// registers.
inline constexpr char MicroengineBlockingAttribute[] = "microengine-blocking";

SmallVector<MCPhysReg, 8> reservedForProgram(const Function& Program);

// The absolute register of per-engine shared variable Number. Each relative register reserved gives
// four, one a context.
MCRegister sharedRegister(unsigned Number);
inline constexpr unsigned MicroengineSharedLimit = 32;

}  // namespace llvm
