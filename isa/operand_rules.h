// Which numbers stand for an operand of the assembly language: what both decoders refuse beyond the
// fixed bits of an encoding. Numbers are laid out as in description/operands.td, and is_X is the
// rule of the operand X there: the generated decoder calls it by that name.
#pragma once

#include "isa/operations.gen.h"

namespace nplab::isa {

enum class ShiftKind : std::uint8_t {
  kNone,
  kLeft,
  kRight,
  kRotateLeft,
  kRotateRight,
  kLeftIndirect,
  kRightIndirect
};

// kind in bits 7..5, amount in 4..0: an amount of 1..31 where the kind has one, otherwise 0.
constexpr bool is_shift(unsigned shift) {
  const auto kind = static_cast<ShiftKind>(shift >> 5);
  const unsigned amount = shift & 31;
  if (kind > ShiftKind::kRightIndirect)
    return false;
  const bool has_amount = kind >= ShiftKind::kLeft && kind <= ShiftKind::kRotateRight;
  return has_amount == (amount != 0);
}

constexpr bool is_right_shift(unsigned shift) {
  return is_shift(shift) && static_cast<ShiftKind>(shift >> 5) == ShiftKind::kRight;
}

constexpr bool is_immed_position(unsigned position) {
  return position < 8 && (position & 3) != 3;
}
constexpr bool is_input_state(unsigned number) {
  return !name_of(kInputStateNames, number).empty();
}
constexpr bool is_signal_name(unsigned number) {
  return number < kEventNames.size();
}
constexpr bool is_event_list(unsigned events) {
  return events != 0 && events < 1u << kEventNames.size();
}
constexpr bool is_control_status_register(unsigned number) {
  return !name_of(kControlStatusRegisterNames, number).empty();
}
constexpr bool is_local_csr(unsigned number) {
  return !name_of(kLocalCSRNames, number).empty();
}

// A reference swaps the context out until it completes, or signals its completion, or neither; not
// both.
constexpr bool is_token_set(unsigned tokens) {
  constexpr unsigned kBoth =
      static_cast<unsigned>(Token::kCtxSwap) | static_cast<unsigned>(Token::kSigDone);
  return (tokens & kBoth) != kBoth;
}

// bits 11..0 tokens, 13..12 defer count, which is there only with ctx_swap.
constexpr bool is_reference_tokens(unsigned tokens) {
  const bool swaps = (tokens & static_cast<unsigned>(Token::kCtxSwap)) != 0;
  return is_token_set(tokens & 0xfff) &&
         tokens >> 12 <= (swaps ? maximum_defer(AbortClass::kSwap) : 0);
}

}  // namespace nplab::isa
