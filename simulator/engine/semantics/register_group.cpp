// immed and its parts, ld_field, load_addr, find_bset.
#include <bit>

#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"
#include "simulator/engine/semantics/shift.h"

namespace nplab::simulator {
namespace {

template <class Places>
Flow immed(ExecutionCore& core, const ExecutionSlot& slot) {
  Places::write(core, slot.dst, slot.immediate);
  return proceed(core, slot);
}

// The destination is a general-purpose register, which is the same in a source field.
template <class Places>
Flow immed_part(ExecutionCore& core, const ExecutionSlot& slot) {
  Places::write(core, slot.dst, (Places::read(core, slot.dst) & ~slot.mask) | slot.immediate);
  return proceed(core, slot);
}

template <class Places>
Flow load_bytes(ExecutionCore& core, const ExecutionSlot& slot, std::uint32_t kept) {
  const std::uint32_t result =
      (kept & ~slot.mask) | (shifted(core, slot, Places::read(core, slot.b)) & slot.mask);
  Places::write(core, slot.dst, result);
  if (slot.load_cc != 0)
    core.set_codes(slot, {result, result, result});
  return proceed(core, slot);
}
template <class Places>
Flow ld_field(ExecutionCore& core, const ExecutionSlot& slot) {
  return load_bytes<Places>(core, slot, Places::read(core, slot.dst));
}
template <class Places>
Flow ld_field_w_clr(ExecutionCore& core, const ExecutionSlot& slot) {
  return load_bytes<Places>(core, slot, 0);
}

template <class Places>
Flow load_addr(ExecutionCore& core, const ExecutionSlot& slot) {
  Places::write(core, slot.dst, slot.target);
  return proceed(core, slot);
}

constexpr std::uint32_t kFound = 1u << 8;

// Searches bits 15..0 from bit 0 up. The result of the previous search moves to the second place,
// so that the results of two searches, one for each half of a longword, can be read together.
void search(ExecutionCore& core, std::uint32_t value) {
  BitSearch& results = core.searches[core.context.index()];
  results.second = results.first;
  value &= 0xffff;
  results.first = value == 0 ? 0 : kFound | static_cast<std::uint32_t>(std::countr_zero(value));
}
template <class Places>
Flow find_bset(ExecutionCore& core, const ExecutionSlot& slot) {
  search(core, shifted(core, slot, Places::read(core, slot.b)));
  return proceed(core, slot);
}
template <class Places>
Flow find_bset_with_mask(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = Places::read(core, slot.a);
  search(core, a & shifted(core, slot, Places::read(core, slot.b)));
  core.last_a = a;
  return proceed(core, slot);
}
template <class Places>
Flow load_first_result(ExecutionCore& core, const ExecutionSlot& slot) {
  Places::write(core, slot.dst, core.searches[core.context.index()].first);
  return proceed(core, slot);
}
template <class Places>
Flow load_second_result(ExecutionCore& core, const ExecutionSlot& slot) {
  Places::write(core, slot.dst, core.searches[core.context.index()].second);
  return proceed(core, slot);
}

template <class Places>
Routine register_routine_in(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kImmed: return immed<Places>;
    case Operation::kImmedB0:
    case Operation::kImmedB1:
    case Operation::kImmedB2:
    case Operation::kImmedB3:
    case Operation::kImmedW0:
    case Operation::kImmedW1: return immed_part<Places>;
    case Operation::kLdField: return ld_field<Places>;
    case Operation::kLdFieldWClr: return ld_field_w_clr<Places>;
    case Operation::kLoadAddr: return load_addr<Places>;
    case Operation::kFindBset: return find_bset<Places>;
    case Operation::kFindBsetWithMask: return find_bset_with_mask<Places>;
    case Operation::kLoadBsetResult1: return load_first_result<Places>;
    case Operation::kLoadBsetResult2: return load_second_result<Places>;
    default: return nullptr;
  }
}

}  // namespace

Routine register_routine(isa::Operation operation, OperandPlaces places) {
  return places == OperandPlaces::kInBlock ? register_routine_in<InBlock>(operation)
                                           : register_routine_in<Anywhere>(operation);
}

}  // namespace nplab::simulator
