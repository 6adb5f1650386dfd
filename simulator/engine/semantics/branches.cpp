// Branches: what they test. The pipeline decides what they cost
// (simulator/engine/microengine.cpp).
#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"

namespace nplab::simulator {
namespace {

inline Flow decide(ExecutionCore& core, const ExecutionSlot& slot, bool taken) {
  if (slot.branch_kind == BranchKind::kPlain)
    return taken ? take(core, slot) : proceed(core, slot);
  if (slot.branch_kind == BranchKind::kGuessed)
    return decide_guessed(core, slot, taken);
  core.target = slot.target;
  return hand_back(core, slot, taken ? Flow::kTaken : Flow::kNotTaken);
}

Flow br(ExecutionCore& core, const ExecutionSlot& slot) {
  return decide(core, slot, true);
}

using Condition = bool (*)(const ConditionCodes& codes);
bool equal(const ConditionCodes& codes) {
  return codes.zero();
}
bool not_equal(const ConditionCodes& codes) {
  return !codes.zero();
}
bool greater(const ConditionCodes& codes) {
  return !codes.zero() && !codes.less();
}
bool greater_equal(const ConditionCodes& codes) {
  return !codes.less();
}
bool less(const ConditionCodes& codes) {
  return codes.less();
}
bool less_equal(const ConditionCodes& codes) {
  return codes.zero() || codes.less();
}
bool carry(const ConditionCodes& codes) {
  return codes.carry() != 0;
}
bool no_carry(const ConditionCodes& codes) {
  return codes.carry() == 0;
}

template <Condition condition>
Flow br_condition(ExecutionCore& core, const ExecutionSlot& slot) {
  return decide(core, slot, condition(core.codes));
}

// br_bset, br_bclr, br=byte, br!=byte: an indirect shift that follows them uses their A operand,
// too.
template <class Places, bool set>
Flow br_bit(ExecutionCore& core, const ExecutionSlot& slot) {
  core.last_a = Places::read(core, slot.a);
  return decide(core, slot, (core.last_a >> slot.selector & 1) == (set ? 1u : 0u));
}
template <class Places, bool equal_bytes>
Flow br_byte(ExecutionCore& core, const ExecutionSlot& slot) {
  core.last_a = Places::read(core, slot.a);
  return decide(core, slot,
                ((core.last_a >> slot.shift_amount & 0xff) == slot.byte_value) == equal_bytes);
}
template <bool same>
Flow br_context(ExecutionCore& core, const ExecutionSlot& slot) {
  return decide(core, slot, (core.context.index() == slot.selector) == same);
}

Flow br_inp_state(ExecutionCore& core, const ExecutionSlot& slot) {
  return decide(core, slot,
                core.input_states->input_state(static_cast<isa::InputState>(slot.selector),
                                               core.cycle_of(slot)));
}

// Testing a signal that has come consumes it [R].
Flow br_not_signal(ExecutionCore& core, const ExecutionSlot& slot) {
  std::uint16_t& events = core.events[core.context.index()];
  const auto event = static_cast<std::uint16_t>(1u << slot.selector);
  const bool missing = (events & event) == 0;
  events &= static_cast<std::uint16_t>(~event);
  return decide(core, slot, missing);
}

template <class Places>
Flow jump(ExecutionCore& core, const ExecutionSlot& slot) {
  core.last_a = Places::read(core, slot.a);
  core.target = slot.target + core.last_a;
  return hand_back(core, slot, Flow::kTaken);
}
template <class Places>
Flow rtn(ExecutionCore& core, const ExecutionSlot& slot) {
  core.last_a = Places::read(core, slot.a);
  core.target = core.last_a;
  return hand_back(core, slot, Flow::kTaken);
}

template <class Places>
Routine branch_routine_in(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kBr: return br;
    case Operation::kBrEqual: return br_condition<equal>;
    case Operation::kBrNotEqual: return br_condition<not_equal>;
    case Operation::kBrGreater: return br_condition<greater>;
    case Operation::kBrGreaterEqual: return br_condition<greater_equal>;
    case Operation::kBrLess: return br_condition<less>;
    case Operation::kBrLessEqual: return br_condition<less_equal>;
    case Operation::kBrCarry: return br_condition<carry>;
    case Operation::kBrNoCarry: return br_condition<no_carry>;
    case Operation::kBrBset: return br_bit<Places, true>;
    case Operation::kBrBclr: return br_bit<Places, false>;
    case Operation::kBrEqualByte: return br_byte<Places, true>;
    case Operation::kBrNotEqualByte: return br_byte<Places, false>;
    case Operation::kBrEqualCtx: return br_context<true>;
    case Operation::kBrNotEqualCtx: return br_context<false>;
    case Operation::kBrInpState: return br_inp_state;
    case Operation::kBrNotSignal: return br_not_signal;
    case Operation::kJump: return jump<Places>;
    case Operation::kRtn: return rtn<Places>;
    default: return nullptr;
  }
}

}  // namespace

Routine branch_routine(isa::Operation operation, OperandPlaces places) {
  return places == OperandPlaces::kInBlock ? branch_routine_in<InBlock>(operation)
                                           : branch_routine_in<Anywhere>(operation);
}

}  // namespace nplab::simulator
