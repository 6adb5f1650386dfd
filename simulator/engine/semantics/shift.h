// Shifts of the B operand, as alu_shf, ld_field and find_bset have them.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/operand_rules.h"
#include "simulator/engine/execution_slot.h"

namespace nplab::simulator {

inline std::uint32_t shifted(const ExecutionCore& core, const ExecutionSlot& slot,
                             std::uint32_t b) {
  const unsigned amount = slot.shift_amount;
  using isa::ShiftKind;
  switch (static_cast<ShiftKind>(slot.shift_kind)) {
    case ShiftKind::kNone: return b;
    case ShiftKind::kLeft: return b << amount;
    case ShiftKind::kRight: return b >> amount;
    case ShiftKind::kRotateLeft: return std::rotl(b, static_cast<int>(amount));
    case ShiftKind::kRotateRight: return std::rotr(b, static_cast<int>(amount));
    case ShiftKind::kLeftIndirect: return b << (core.last_a & 31);
    case ShiftKind::kRightIndirect: return b >> (core.last_a & 31);
  }
  return b;
}

}  // namespace nplab::simulator
