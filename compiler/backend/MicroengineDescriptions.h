// The enumerations generated from the description (registers, opcodes), and numbers of the assembly
// language as LLVM's operands hold them.
#pragma once

#include "isa/mc/microengine_mc.h"
#include "isa/operand_rules.h"
#include "isa/program_image.h"

namespace llvm::Microengine {

constexpr unsigned kContextSwapToken = static_cast<unsigned>(nplab::isa::Token::kCtxSwap);
constexpr unsigned kSignalToken = static_cast<unsigned>(nplab::isa::Token::kSigDone);
constexpr unsigned kKillEvent = static_cast<unsigned>(nplab::isa::Event::kKill);
constexpr unsigned kAbortAnnotation = static_cast<unsigned>(nplab::isa::Annotation::Kind::kAbort);

// The tokens operand of branches, ctx_arb and references (operands.td). `defer` is in bits 1..0 of
// branches and ctx_arb, in 13..12 of references.
constexpr unsigned kDeferTokens = 3;
constexpr unsigned kReferenceDeferShift = 12;
constexpr unsigned kGuessBranchToken = 4;  // branches: bit 2

// A shift operand: kind in bits 7..5, amount in 4..0.
constexpr unsigned shiftOperand(nplab::isa::ShiftKind Kind, unsigned Amount = 0) {
  return static_cast<unsigned>(Kind) << 5 | Amount;
}
constexpr nplab::isa::ShiftKind shiftKind(unsigned Operand) {
  return static_cast<nplab::isa::ShiftKind>(Operand >> 5);
}

}  // namespace llvm::Microengine
