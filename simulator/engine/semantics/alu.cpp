// alu, alu_shf, dbl_shf. Condition codes: zero and negative of the result; overflow and carry out
// of sums and differences (carry after a difference: no borrow), cleared by the rest.
#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"
#include "simulator/engine/semantics/shift.h"

namespace nplab::simulator {
namespace {

ConditionCodes sum(std::uint32_t x, std::uint32_t y, std::uint32_t carry_in) {
  return {std::uint64_t{x} + y + carry_in, x, y};
}
ConditionCodes logic(std::uint32_t result) {
  return {result, result, result};
}

using Function = ConditionCodes (*)(const ExecutionCore& core, std::uint32_t a, std::uint32_t b);

ConditionCodes add(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(a, b, 0);
}
ConditionCodes subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(a, ~b, 1);
}
ConditionCodes reverse_subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(b, ~a, 1);
}
ConditionCodes move(const ExecutionCore&, std::uint32_t, std::uint32_t b) {
  return logic(b);
}
ConditionCodes complement(const ExecutionCore&, std::uint32_t, std::uint32_t b) {
  return logic(~b);
}
ConditionCodes bit_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return logic(a & b);
}
ConditionCodes not_a_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return logic(~a & b);
}
ConditionCodes and_not_b(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return logic(a & ~b);
}
ConditionCodes bit_or(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return logic(a | b);
}
ConditionCodes bit_xor(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return logic(a ^ b);
}
ConditionCodes add_carry(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(a, b, core.codes.carry());
}
ConditionCodes add_if_sign(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(core.codes.negative() ? a : 0, b, 0);
}
ConditionCodes add_4(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(a, b & 0xf, 0);
}
ConditionCodes add_8(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(a, b & 0xff, 0);
}
ConditionCodes add_16(const ExecutionCore&, std::uint32_t a, std::uint32_t b) {
  return sum(a, b & 0xffff, 0);
}

template <class Places, Function function>
Flow alu(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = Places::read(core, slot.a);
  const ConditionCodes outcome = function(core, a, Places::read(core, slot.b));
  core.last_a = a;
  Places::write(core, slot.dst, outcome.result());
  core.set_codes(slot, outcome);
  return proceed(core, slot);
}

template <class Places, Function function>
Flow alu_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = Places::read(core, slot.a);
  const ConditionCodes outcome = function(core, a, shifted(core, slot, Places::read(core, slot.b)));
  core.last_a = a;
  Places::write(core, slot.dst, outcome.result());
  core.set_codes(slot, logic(outcome.result()));
  return proceed(core, slot);
}

template <class Places>
Flow double_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = Places::read(core, slot.a);
  const std::uint64_t both = std::uint64_t{a} << 32 | Places::read(core, slot.b);
  const auto result = static_cast<std::uint32_t>(both >> slot.shift_amount);
  core.last_a = a;
  Places::write(core, slot.dst, result);
  core.set_codes(slot, logic(result));
  return proceed(core, slot);
}

template <class Places>
Routine alu_routine_in(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kAluAdd: return alu<Places, add>;
    case Operation::kAluSub: return alu<Places, subtract>;
    case Operation::kAluReverseSub: return alu<Places, reverse_subtract>;
    case Operation::kAluB: return alu<Places, move>;
    case Operation::kAluNotB: return alu<Places, complement>;
    case Operation::kAluAnd: return alu<Places, bit_and>;
    case Operation::kAluNotAnd: return alu<Places, not_a_and>;
    case Operation::kAluAndNot: return alu<Places, and_not_b>;
    case Operation::kAluOr: return alu<Places, bit_or>;
    case Operation::kAluXor: return alu<Places, bit_xor>;
    case Operation::kAluAddCarry: return alu<Places, add_carry>;
    case Operation::kAluAddIfSign: return alu<Places, add_if_sign>;
    case Operation::kAluAdd4: return alu<Places, add_4>;
    case Operation::kAluAdd8: return alu<Places, add_8>;
    case Operation::kAluAdd16: return alu<Places, add_16>;
    case Operation::kAluShfB: return alu_shift<Places, move>;
    case Operation::kAluShfNotB: return alu_shift<Places, complement>;
    case Operation::kAluShfAnd: return alu_shift<Places, bit_and>;
    case Operation::kAluShfNotAnd: return alu_shift<Places, not_a_and>;
    case Operation::kAluShfAndNot: return alu_shift<Places, and_not_b>;
    case Operation::kAluShfOr: return alu_shift<Places, bit_or>;
    case Operation::kDblShf: return double_shift<Places>;
    default: return nullptr;
  }
}

}  // namespace

Routine alu_routine(isa::Operation operation, OperandPlaces places) {
  return places == OperandPlaces::kInBlock ? alu_routine_in<InBlock>(operation)
                                           : alu_routine_in<Anywhere>(operation);
}

}  // namespace nplab::simulator
