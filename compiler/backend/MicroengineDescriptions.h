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

// A shift operand: kind in bits 7..5, amount in 4..0.
constexpr unsigned shiftOperand(nplab::isa::ShiftKind Kind, unsigned Amount = 0) {
  return static_cast<unsigned>(Kind) << 5 | Amount;
}
constexpr nplab::isa::ShiftKind shiftKind(unsigned Operand) {
  return static_cast<nplab::isa::ShiftKind>(Operand >> 5);
}

}  // namespace llvm::Microengine
