// What an engine is given before cycle 0: its connections and its program.
#include <algorithm>
#include <cassert>

#include "simulator/engine/control_store.h"
#include "simulator/engine/microengine.h"

namespace nplab::simulator {

Microengine::Microengine(EngineId id, const EngineDescription& description)
    : id_(id),
      description_(description),
      arbiter_(description.arbitration, description.contexts),
      unoccupied_until_(Cycle::never()) {
  core_.engine = id;
  core_.context = ContextId(description.contexts - 1);  // the rotation starts with context 0
}

void Microengine::connect(const Connections& connections) {
  connections_ = connections;
  core_.input_states = connections.input_states;
}

void Microengine::load(const isa::ProgramImage& program, std::span<const ContextId> enabled,
                       std::span<const WordCost> costs) {
  assert(program.words.size() <= description_.control_store_words &&
         "a program larger than the control store");
  program_ = make_control_store(program, description_.pipeline);
  set_costs(program_, costs);
  core_.program = program_.data();
  core_.words = program_.size() - 1;
  charged_.assign(core_.words, {});
  reads_other_contexts_ =
      std::any_of(program_.begin(), program_.end(), [](const ExecutionSlot& slot) {
        return RegisterFile::is_absolute_read_transfer(slot.a) ||
               RegisterFile::is_absolute_read_transfer(slot.b);
      });
  for (const isa::Annotation& annotation : program.annotations) {
    if (acts_when_executed(annotation))
      annotations_.push_back({annotation.pc, annotation.kind,
                              RegisterFile::source(annotation.first),
                              RegisterFile::source(annotation.second)});
  }
  std::stable_sort(annotations_.begin(), annotations_.end(),
                   [](const auto& x, const auto& y) { return x.pc < y.pc; });
  first_annotation_.assign(core_.words, 0);
  for (std::size_t i = annotations_.size(); i-- > 0;)
    first_annotation_[annotations_[i].pc] = i;
  for (const ContextId context : enabled) {
    Thread& thread = threads_[context.index()];
    thread.has_program = true;
    thread.state = ThreadState::kReady;
    thread.eligible = Cycle(description_.pipeline.start_cycles);
    ready_ |= 1u << context.index();
    ++program_.front().entered;
  }
  live_threads_ = static_cast<unsigned>(enabled.size());
  if (live_threads_ > 0)
    unoccupied_until_ = Cycle(description_.pipeline.start_cycles);
}

namespace {

bool only_writes(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
    case Operation::kSramUnlock:
    case Operation::kSramPush:
    case Operation::kSdramWrite:
    case Operation::kSdramRFifoRd:
    case Operation::kSdramTFifoWr:
    case Operation::kScratchWrite:
    case Operation::kScratchIncr:
    case Operation::kTFifoWr:
    case Operation::kCsrWrite:
    case Operation::kFastWr: return true;
    default: return false;
  }
}

// Whether a context sees what arrives for it before it yields: it tests signals, or has a reference
// under way that it does not wait for.
bool sees_arrivals(const ExecutionSlot& slot) {
  if (!slot.is_reference)
    return slot.operation == isa::Operation::kBrNotSignal;
  const bool signals = (slot.tokens & static_cast<unsigned>(isa::Token::kSigDone)) != 0;
  return slot.waits_for == kNoWaitCause && (signals || !only_writes(slot.operation));
}

}  // namespace

void Microengine::expect(const CommandKinds& kinds) {
  arrivals_can_wait_ = !kinds.auto_push && !reads_other_contexts_ &&
                       std::none_of(program_.begin(), program_.end(), sees_arrivals);
}

void Microengine::add_to(CommandKinds& kinds) const {
  for (const ExecutionSlot& slot : program_) {
    const bool writes_register =
        slot.operation == isa::Operation::kFastWr || slot.operation == isa::Operation::kCsrWrite;
    kinds.thread_signals |= writes_register && signals_threads(slot.csr);
    kinds.auto_push |= writes_register && switches_auto_push(slot.csr);
    kinds.sram_unlock |= slot.operation == isa::Operation::kSramUnlock;
  }
}

}  // namespace nplab::simulator
