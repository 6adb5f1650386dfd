// alu, alu_shf, dbl_shf. Condition codes: zero and negative of the result; overflow and carry out of sums and
// differences (carry after a difference: no borrow), cleared by the rest.
#include "simulator/dispatch.h"
#include "simulator/semantics/routines.h"
#include "simulator/semantics/shift.h"

namespace nplab::simulator {
namespace {

ConditionCodes sum(std::uint32_t x, std::uint32_t y, std::uint32_t carry_in) {
  const std::uint64_t wide = std::uint64_t{x} + y + carry_in;
  return {static_cast<std::uint32_t>(wide), x, y, static_cast<std::uint32_t>(wide >> 32)};
}
ConditionCodes logic(std::uint32_t result) {
  return {result, result, result, 0};
}

using Function = ConditionCodes (*)(const ExecutionCore& core, std::uint32_t a, std::uint32_t b);

ConditionCodes add(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b, 0); }
ConditionCodes subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, ~b, 1); }
ConditionCodes reverse_subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(b, ~a, 1); }
ConditionCodes move(const ExecutionCore&, std::uint32_t, std::uint32_t b) { return logic(b); }
ConditionCodes complement(const ExecutionCore&, std::uint32_t, std::uint32_t b) { return logic(~b); }
ConditionCodes bit_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a & b); }
ConditionCodes not_a_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(~a & b); }
ConditionCodes and_not_b(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a & ~b); }
ConditionCodes bit_or(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a | b); }
ConditionCodes bit_xor(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a ^ b); }
ConditionCodes add_carry(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(a, b, core.codes.carry);
}
ConditionCodes add_if_sign(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(core.codes.negative() ? a : 0, b, 0);
}
ConditionCodes add_4(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xf, 0); }
ConditionCodes add_8(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xff, 0); }
ConditionCodes add_16(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xffff, 0); }

template <Function function>
Flow alu(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const ConditionCodes outcome = function(core, a, core.read(slot.b));
  core.last_a = a;
  core.write(slot.dst, outcome.result);
  core.set_codes(outcome);
  return proceed(core, slot);
}

template <Function function>
Flow alu_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const ConditionCodes outcome = function(core, a, shifted(core, slot, core.read(slot.b)));
  core.last_a = a;
  core.write(slot.dst, outcome.result);
  core.set_codes(outcome.result);
  return proceed(core, slot);
}

Flow double_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const std::uint64_t both = std::uint64_t{a} << 32 | core.read(slot.b);
  const auto result = static_cast<std::uint32_t>(both >> slot.shift_amount);
  core.last_a = a;
  core.write(slot.dst, result);
  core.set_codes(result);
  return proceed(core, slot);
}

}  // namespace

Routine alu_routine(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kAluAdd: return alu<add>;
    case Operation::kAluSub: return alu<subtract>;
    case Operation::kAluReverseSub: return alu<reverse_subtract>;
    case Operation::kAluB: return alu<move>;
    case Operation::kAluNotB: return alu<complement>;
    case Operation::kAluAnd: return alu<bit_and>;
    case Operation::kAluNotAnd: return alu<not_a_and>;
    case Operation::kAluAndNot: return alu<and_not_b>;
    case Operation::kAluOr: return alu<bit_or>;
    case Operation::kAluXor: return alu<bit_xor>;
    case Operation::kAluAddCarry: return alu<add_carry>;
    case Operation::kAluAddIfSign: return alu<add_if_sign>;
    case Operation::kAluAdd4: return alu<add_4>;
    case Operation::kAluAdd8: return alu<add_8>;
    case Operation::kAluAdd16: return alu<add_16>;
    case Operation::kAluShfB: return alu_shift<move>;
    case Operation::kAluShfNotB: return alu_shift<complement>;
    case Operation::kAluShfAnd: return alu_shift<bit_and>;
    case Operation::kAluShfNotAnd: return alu_shift<not_a_and>;
    case Operation::kAluShfAndNot: return alu_shift<and_not_b>;
    case Operation::kAluShfOr: return alu_shift<bit_or>;
    case Operation::kDblShf: return double_shift;
    default: return nullptr;
  }
}

}  // namespace nplab::simulator
