// alu, alu_shf, dbl_shf. Condition codes: zero and negative of the result; overflow and carry out of sums and
// differences (carry after a difference: no borrow), cleared by the rest.
#include "simulator/semantics/routines.h"
#include "simulator/semantics/shift.h"

namespace nplab::simulator {
namespace {

struct Outcome {
  std::uint32_t result = 0;
  bool carry = false;
  bool overflow = false;
};

Outcome sum(std::uint32_t x, std::uint32_t y, std::uint32_t carry_in) {
  const std::uint64_t wide = std::uint64_t{x} + y + carry_in;
  const auto result = static_cast<std::uint32_t>(wide);
  return {result, wide >> 32 != 0, ((x ^ result) & (y ^ result)) >> 31 != 0};
}
Outcome logic(std::uint32_t result) {
  return {result, false, false};
}

using Function = Outcome (*)(const ExecutionCore& core, std::uint32_t a, std::uint32_t b);

Outcome add(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b, 0); }
Outcome subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, ~b, 1); }
Outcome reverse_subtract(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(b, ~a, 1); }
Outcome move(const ExecutionCore&, std::uint32_t, std::uint32_t b) { return logic(b); }
Outcome complement(const ExecutionCore&, std::uint32_t, std::uint32_t b) { return logic(~b); }
Outcome bit_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a & b); }
Outcome not_a_and(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(~a & b); }
Outcome and_not_b(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a & ~b); }
Outcome bit_or(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a | b); }
Outcome bit_xor(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return logic(a ^ b); }
Outcome add_carry(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(a, b, core.codes.carry ? 1 : 0);
}
Outcome add_if_sign(const ExecutionCore& core, std::uint32_t a, std::uint32_t b) {
  return sum(core.codes.negative() ? a : 0, b, 0);
}
Outcome add_4(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xf, 0); }
Outcome add_8(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xff, 0); }
Outcome add_16(const ExecutionCore&, std::uint32_t a, std::uint32_t b) { return sum(a, b & 0xffff, 0); }

template <Function function>
Flow alu(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const Outcome outcome = function(core, a, core.read(slot.b));
  core.last_a = a;
  core.write(slot.dst, outcome.result);
  core.set_codes(outcome.result, outcome.carry, outcome.overflow);
  return Flow::kNext;
}

template <Function function>
Flow alu_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const Outcome outcome = function(core, a, shifted(core, slot, core.read(slot.b)));
  core.last_a = a;
  core.write(slot.dst, outcome.result);
  core.set_codes(outcome.result, false, false);
  return Flow::kNext;
}

Flow double_shift(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t a = core.read(slot.a);
  const std::uint64_t both = std::uint64_t{a} << 32 | core.read(slot.b);
  const auto result = static_cast<std::uint32_t>(both >> slot.shift_amount);
  core.last_a = a;
  core.write(slot.dst, result);
  core.set_codes(result, false, false);
  return Flow::kNext;
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
