// immed and its parts, ld_field, load_addr, find_bset.
#include <bit>

#include "simulator/dispatch.h"
#include "simulator/semantics/routines.h"
#include "simulator/semantics/shift.h"

namespace nplab::simulator {
namespace {

Flow immed(ExecutionCore& core, const ExecutionSlot& slot) {
  core.write(slot.dst, slot.immediate);
  return proceed(core, slot);
}

// The destination is a general-purpose register, which is the same in a source field.
Flow immed_part(ExecutionCore& core, const ExecutionSlot& slot) {
  core.write(slot.dst, (core.read(slot.dst) & ~slot.mask) | slot.immediate);
  return proceed(core, slot);
}

Flow load_bytes(ExecutionCore& core, const ExecutionSlot& slot, std::uint32_t kept) {
  const std::uint32_t result = (kept & ~slot.mask) | (shifted(core, slot, core.read(slot.b)) & slot.mask);
  core.write(slot.dst, result);
  if (slot.load_cc != 0) core.set_codes(result);
  return proceed(core, slot);
}
Flow ld_field(ExecutionCore& core, const ExecutionSlot& slot) {
  return load_bytes(core, slot, core.read(slot.dst));
}
Flow ld_field_w_clr(ExecutionCore& core, const ExecutionSlot& slot) {
  return load_bytes(core, slot, 0);
}

Flow load_addr(ExecutionCore& core, const ExecutionSlot& slot) {
  core.write(slot.dst, slot.target);
  return proceed(core, slot);
}

constexpr std::uint32_t kFound = 1u << 8;

// Bits 15..0, from bit 0 up. The result of the search before moves to the second place, so that two searches, one a
// half of a longword, can be read together.
void search(ExecutionCore& core, std::uint32_t value) {
  BitSearch& results = core.searches[core.context.index()];
  results.second = results.first;
  value &= 0xffff;
  results.first = value == 0 ? 0 : kFound | static_cast<std::uint32_t>(std::countr_zero(value));
}
Flow find_bset(ExecutionCore& core, const ExecutionSlot& slot) {
  search(core, shifted(core, slot, core.read(slot.b)));
  return proceed(core, slot);
}
Flow find_bset_with_mask(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  search(core, a & shifted(core, slot, core.read(slot.b)));
  core.last_a = a;
  return proceed(core, slot);
}
Flow load_first_result(ExecutionCore& core, const ExecutionSlot& slot) {
  core.write(slot.dst, core.searches[core.context.index()].first);
  return proceed(core, slot);
}
Flow load_second_result(ExecutionCore& core, const ExecutionSlot& slot) {
  core.write(slot.dst, core.searches[core.context.index()].second);
  return proceed(core, slot);
}

}  // namespace

Routine register_routine(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kImmed: return immed;
    case Operation::kImmedB0:
    case Operation::kImmedB1:
    case Operation::kImmedB2:
    case Operation::kImmedB3:
    case Operation::kImmedW0:
    case Operation::kImmedW1: return immed_part;
    case Operation::kLdField: return ld_field;
    case Operation::kLdFieldWClr: return ld_field_w_clr;
    case Operation::kLoadAddr: return load_addr;
    case Operation::kFindBset: return find_bset;
    case Operation::kFindBsetWithMask: return find_bset_with_mask;
    case Operation::kLoadBsetResult1: return load_first_result;
    case Operation::kLoadBsetResult2: return load_second_result;
    default: return nullptr;
  }
}

}  // namespace nplab::simulator
