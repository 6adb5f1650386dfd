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

// What each function computes is part of its description (isa/description/alu.td).
#define ALU_FUNCTION(name, kind, ...)                                                       \
  [[maybe_unused]] ConditionCodes name(const ExecutionCore& core,                           \
                                       [[maybe_unused]] std::uint32_t a, std::uint32_t b) { \
    [[maybe_unused]] const std::uint32_t carry = core.codes.carry();                        \
    [[maybe_unused]] const bool negative = core.codes.negative();                           \
    return kind(__VA_ARGS__);                                                               \
  }
#define ALU_SUM(name, ...) ALU_FUNCTION(name, sum, __VA_ARGS__)
#define ALU_LOGIC(name, ...) ALU_FUNCTION(name, logic, __VA_ARGS__)
#include "isa/alu_functions.gen.inc"

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
#define ALU_OPERATION(operation, name) \
  case Operation::operation: return alu<Places, name>;
#define ALU_SHIFT_OPERATION(operation, name) \
  case Operation::operation: return alu_shift<Places, name>;
  switch (operation) {
#include "isa/alu_functions.gen.inc"
    case Operation::kDblShf: return double_shift<Places>;
    default: return nullptr;
  }
}
#undef ALU_FUNCTION

}  // namespace

Routine alu_routine(isa::Operation operation, OperandPlaces places) {
  return places == OperandPlaces::kInBlock ? alu_routine_in<InBlock>(operation)
                                           : alu_routine_in<Anywhere>(operation);
}

}  // namespace nplab::simulator
