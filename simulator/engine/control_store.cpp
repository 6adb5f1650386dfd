#include "simulator/engine/control_store.h"

#include <algorithm>

#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"

namespace nplab::simulator {
namespace {

Flow word_without_instruction(ExecutionCore& core, const ExecutionSlot& slot) {
  core.fault = "a word that no instruction has";
  return hand_back(core, slot, Flow::kFault);
}
Flow program_left(ExecutionCore& core, const ExecutionSlot& slot) {
  core.fault = "the program counter left the program";
  return hand_back(core, slot, Flow::kFault);
}
Flow wrong_register(ExecutionCore& core, const ExecutionSlot& slot) {
  core.fault = "a register that does not exist in its place";
  return hand_back(core, slot, Flow::kFault);
}

Flow special(ExecutionCore& core, const ExecutionSlot& slot) {
  return hand_back(core, slot, Flow::kSpecial);
}
Flow keep_overwritten(ExecutionCore& core, const ExecutionSlot& slot) {
  const std::uint32_t index = slot.dst.index(core.context);
  core.overwritten.keep(index, core.registers[index], core.cycle_of(slot));
  return slot.effect(core, slot);
}

// immed: 16 bits at their position, the others zeros or ones.
std::uint32_t immediate_value(const isa::Instruction& instruction) {
  const unsigned shift = 8u * (instruction.position & 3u);
  const std::uint32_t ones = (instruction.position & 4) != 0 ? ~(0xffffu << shift) : 0;
  return std::uint32_t{instruction.immediate} << shift | ones;
}

// The bytes that ld_field replaces; bit 3 of the field is the most significant byte.
std::uint32_t byte_mask(std::uint8_t field) {
  std::uint32_t mask = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    if ((field >> byte & 1) != 0)
      mask |= 0xffu << (8 * byte);
  return mask;
}

// immed_b0..b3, immed_w0, w1: which bits are replaced, and the data in their place.
void set_partial_immediate(ExecutionSlot& slot, const isa::Instruction& instruction, unsigned shift,
                           std::uint32_t width) {
  slot.mask = width << shift;
  slot.immediate = (std::uint32_t{instruction.immediate} << shift) & slot.mask;
}

void set_immediate(ExecutionSlot& slot, const isa::Instruction& instruction) {
  using isa::Operation;
  switch (instruction.operation) {
    case Operation::kImmed: slot.immediate = immediate_value(instruction); break;
    case Operation::kImmedB0: set_partial_immediate(slot, instruction, 0, 0xff); break;
    case Operation::kImmedB1: set_partial_immediate(slot, instruction, 8, 0xff); break;
    case Operation::kImmedB2: set_partial_immediate(slot, instruction, 16, 0xff); break;
    case Operation::kImmedB3: set_partial_immediate(slot, instruction, 24, 0xff); break;
    case Operation::kImmedW0: set_partial_immediate(slot, instruction, 0, 0xffff); break;
    case Operation::kImmedW1: set_partial_immediate(slot, instruction, 16, 0xffff); break;
    default: slot.mask = byte_mask(instruction.byte_mask); break;
  }
}

// Whether the register fields name what their places allow; sets the operands.
bool set_operands(ExecutionSlot& slot, const isa::Instruction& instruction) {
  const auto a = RegisterFile::source(instruction.a);
  const auto b = RegisterFile::source(instruction.b);
  if (!a || !b)
    return false;
  slot.a = *a;
  slot.b = *b;
  if (instruction.operation == isa::Operation::kFastWr) {
    // Ten bits of data stand in the place of the transfer register unless a register gives them.
    if (instruction.a == isa::kNoRegister)
      slot.immediate = instruction.dst;
    return true;
  }
  if (slot.is_reference) {
    const auto transfer = RegisterFile::transfer(instruction.dst, ContextId(0));
    if (!transfer)
      return false;
    slot.transfer = *transfer;
    const auto next = RegisterFile::transfer(instruction.dst, ContextId(1));
    slot.transfer_step = static_cast<std::uint8_t>(next->index - transfer->index);
    return true;
  }
  const auto dst = RegisterFile::destination(instruction.dst);
  if (!dst)
    return false;
  slot.dst = *dst;
  return true;
}

bool is_reference(isa::Operation operation) {
  return reference_routine(operation, OperandPlaces::kAnywhere) != nullptr;
}

void set_fields(ExecutionSlot& slot, const isa::Instruction& instruction) {
  slot.operation = instruction.operation;
  slot.unit = instruction.completes_in;
  slot.abort_class = instruction.aborts;
  slot.function = instruction.function;
  slot.count = instruction.count;
  slot.shift_kind = instruction.shift_kind;
  slot.shift_amount = instruction.shift_amount;
  slot.selector = instruction.selector;
  slot.byte_value = instruction.byte_value;
  slot.load_cc = instruction.load_cc;
  slot.defer = instruction.defer;
  slot.guess_branch = instruction.guess_branch != 0;
  slot.target = instruction.target;
  slot.tokens = instruction.tokens;
  slot.csr = instruction.csr;
  slot.events = instruction.events;
  if (instruction.operation == isa::Operation::kBrEqualByte ||
      instruction.operation == isa::Operation::kBrNotEqualByte)
    slot.shift_amount = static_cast<std::uint8_t>(8 * instruction.byte_number);
  if (slot.is_reference && instruction.aborts == isa::AbortClass::kSwap) {
    slot.events = static_cast<std::uint16_t>(completion_event(instruction.completes_in));
    slot.waits_for = wait_cause(instruction.completes_in);
  }
}

ExecutionSlot make_slot(std::uint64_t word) {
  ExecutionSlot slot;
  const auto instruction = isa::decode(word);
  if (!instruction) {
    slot.routine = word_without_instruction;
    return slot;
  }
  slot.is_reference = is_reference(instruction->operation);
  set_fields(slot, *instruction);
  set_immediate(slot, *instruction);
  if (!set_operands(slot, *instruction)) {
    slot.routine = wrong_register;
    slot.is_reference = false;
    return slot;
  }
  const bool indirect =
      (instruction->tokens & static_cast<unsigned>(isa::Token::kIndirectRef)) != 0;
  const bool absolute = slot.a.is_absolute || slot.b.is_absolute || slot.dst.is_absolute;
  const OperandPlaces places = absolute ? OperandPlaces::kAnywhere : OperandPlaces::kInBlock;
  slot.routine = indirect ? indirect_reference : routine_of(instruction->operation, places);
  return slot;
}

bool is_noted(const ExecutionSlot& slot) {
  constexpr auto kIndirect = static_cast<unsigned>(isa::Token::kIndirectRef);
  constexpr auto kSignals = static_cast<unsigned>(isa::Token::kSigDone);
  return (slot.tokens & kIndirect) != 0 ||
         ((slot.tokens & kSignals) != 0 && completion_event(slot.unit) == isa::Event::kFbi);
}

bool kills(const ExecutionSlot& slot) {
  return slot.operation == isa::Operation::kCtxArb && slot.abort_class == isa::AbortClass::kSwap &&
         (slot.events & static_cast<std::uint16_t>(isa::Event::kKill)) != 0;
}

bool is_decided_late(const ExecutionSlot& slot) {
  return slot.abort_class == isa::AbortClass::kCondition ||
         slot.abort_class == isa::AbortClass::kState || slot.abort_class == isa::AbortClass::kTest;
}

void find_kills_behind_branches(std::vector<ExecutionSlot>& slots) {
  constexpr std::size_t kFurthest = 8;  // longer than any shadow
  for (std::size_t pc = 0; pc < slots.size(); ++pc) {
    if (!is_decided_late(slots[pc]))
      continue;
    for (std::size_t distance = 1; distance <= kFurthest && pc + distance < slots.size();
         ++distance) {
      if (!kills(slots[pc + distance]))
        continue;
      slots[pc].kill_distance = static_cast<std::uint8_t>(distance);
      break;
    }
  }
}

void set_routines(ExecutionSlot& slot) {
  slot.effect = slot.routine;
  slot.own = slot.writes_transfer ? keep_overwritten : slot.effect;
  slot.routine = slot.is_special ? special : slot.own;
  if (slot.defer == 0 && slot.guess_branch)
    slot.branch_kind = BranchKind::kGuessed;  // no kill after it is fetched before its target
  else if (slot.defer == 0 && slot.kill_distance == 0)
    slot.branch_kind = BranchKind::kPlain;
}

void set_aborts(std::vector<ExecutionSlot>& slots, const PipelineDescription& pipeline) {
  for (ExecutionSlot& slot : slots) {
    slot.aborts = slot.aborts_after_setter =
        static_cast<std::uint8_t>(aborts_of(slot.abort_class, pipeline));
    if (slot.abort_class == isa::AbortClass::kCondition)
      slot.aborts_after_setter = static_cast<std::uint8_t>(pipeline.condition_aborts_after_setter);
    slot.most_aborts_taken = static_cast<std::uint8_t>(pipeline.unconditional_aborts);
  }
}

}  // namespace

void set_costs(std::vector<ExecutionSlot>& slots, std::span<const WordCost> costs) {
  for (std::size_t word = 0; word < costs.size(); ++word) {
    ExecutionSlot& slot = slots[word];
    slot.cost = costs[word];
    if (slot.cost == WordCost::kCycle)
      continue;
    slot.cycles = 0;
    slot.is_special = true;
    slot.branch_kind = BranchKind::kEngines;
    slot.routine = special;
  }
}

bool acts_when_executed(const isa::Annotation& annotation) {
  using Kind = isa::Annotation::Kind;
  switch (annotation.kind) {
    case Kind::kPollBegin:
    case Kind::kPollEnd:
    case Kind::kBlockedBegin:
    case Kind::kWaitCode: return false;
    default: return true;
  }
}

unsigned aborts_of(isa::AbortClass abort_class, const PipelineDescription& pipeline) {
  switch (abort_class) {
    case isa::AbortClass::kUnconditional: return pipeline.unconditional_aborts;
    case isa::AbortClass::kCondition: return pipeline.condition_aborts;
    case isa::AbortClass::kState: return pipeline.state_aborts;
    case isa::AbortClass::kTest: return pipeline.test_aborts;
    case isa::AbortClass::kSwap: return pipeline.swap_aborts;
    case isa::AbortClass::kNone: return 0;
  }
  return 0;
}

std::vector<ExecutionSlot> make_control_store(const isa::ProgramImage& program,
                                              const PipelineDescription& pipeline) {
  std::vector<ExecutionSlot> slots;
  slots.reserve(program.words.size() + 2);
  for (const std::uint64_t word : program.words)
    slots.push_back(make_slot(word));
  ExecutionSlot guard;
  guard.routine = program_left;
  slots.push_back(guard);
  for (ExecutionSlot& slot : slots)
    slot.target = static_cast<std::uint16_t>(std::min<std::size_t>(slot.target, slots.size() - 1));
  slots.emplace_back();  // counts how often the guard is left
  for (const isa::Annotation& annotation : program.annotations)
    if (annotation.pc < program.words.size() && acts_when_executed(annotation))
      slots[annotation.pc].is_annotated = true;
  for (ExecutionSlot& slot : slots) {
    slot.tests_input_state = slot.operation == isa::Operation::kBrInpState;
    slot.writes_transfer = !slot.is_reference && RegisterFile::is_write_transfer(slot.dst);
    slot.is_noted = slot.is_reference && is_noted(slot);
    slot.is_special = slot.is_reference || slot.is_annotated || slot.tests_input_state;
  }
  find_kills_behind_branches(slots);
  for (ExecutionSlot& slot : slots)
    set_routines(slot);
  set_aborts(slots, pipeline);
  return slots;
}

}  // namespace nplab::simulator
