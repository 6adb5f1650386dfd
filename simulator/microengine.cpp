#include "simulator/microengine.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "simulator/control_store.h"
#include "simulator/state_hash.h"

namespace nplab::simulator {

Microengine::Microengine(EngineId id, const EngineDescription& description)
    : id_(id), description_(description), unoccupied_until_(Cycle::never()) {
  core_.engine = id;
  core_.context = ContextId(description.contexts - 1);  // the rotation starts with context 0
}

void Microengine::connect(const Connections& connections) {
  connections_ = connections;
  core_.input_states = connections.input_states;
}

void Microengine::load(const isa::ProgramImage& program, std::span<const ContextId> enabled) {
  assert(program.words.size() <= description_.control_store_words && "a program larger than the control store");
  program_ = make_control_store(program, description_.pipeline);
  core_.program = program_.data();
  core_.words = program_.size() - 1;
  charged_.assign(core_.words, {});
  annotations_ = program.annotations;
  std::stable_sort(annotations_.begin(), annotations_.end(), [](const auto& x, const auto& y) { return x.pc < y.pc; });
  for (const ContextId context : enabled) {
    Thread& thread = threads_[context.index()];
    thread.has_program = true;
    thread.state = ThreadState::kReady;
    thread.eligible = Cycle(description_.pipeline.start_cycles);
    ++program_.front().entered;
  }
  live_threads_ = static_cast<unsigned>(enabled.size());
  if (live_threads_ > 0) unoccupied_until_ = Cycle(description_.pipeline.start_cycles);
}

void Microengine::pass(Cycle horizon) {
  horizon_ = horizon;
  while (now_ < horizon_) {
    accept_before(now_);
    if (mode_ == Mode::kUnoccupied && !end_idleness()) continue;
    if (mode_ == Mode::kAborting) {
      abort_slots();
    } else if (pending_.shadow == Shadow::kNone) {
      if (!run_words()) return;
    } else if (!step()) {
      return;
    }
  }
}

// One or more words outside all shadows.
bool Microengine::run_words() {
  core_.stop = std::min(Cycle(horizon_.number() - 1), inbox_.earliest()) + 1;
  core_.arrive(pc_, now_);
  Flow flow = program_[pc_].routine(core_, program_[pc_]);
  catch_up_with_words();
  if (flow == Flow::kSpecial) {
    const Readiness readiness = prepare(*core_.slot);
    if (readiness != Readiness::kReady) return readiness == Readiness::kStalled;
    flow = core_.slot->own(core_, *core_.slot);
    catch_up_with_words();
  }
  // Words after the first special one in a row are looked at in another pass.
  if (flow != Flow::kNext && flow != Flow::kSpecial) finish_word(*core_.slot, flow);
  return true;
}

// Takes up a context, or passes the cycles in which there is none and gives false.
bool Microengine::end_idleness() {
  if (unoccupied_until_ <= now_ && take_up()) return true;
  // A delivery stamped d is seen in d + 1.
  Cycle until = std::min(horizon_, unoccupied_until_);
  if (inbox_.earliest() < until) until = inbox_.earliest() + 1;
  idle_ += until - now_;
  now_ = until;
  return false;
}

// One word in a deferred shadow, or the cycles for which it is held; false: a fact is missing, nothing is done.
bool Microengine::step() {
  const ExecutionSlot& slot = program_[pc_];
  if (slot.is_special) {
    const Readiness readiness = prepare(slot);
    if (readiness != Readiness::kReady) return readiness == Readiness::kStalled;
  }
  if (slot.abort_class != isa::AbortClass::kNone) {
    fault(Fault::Kind::kIllegalInstruction, "a branch or context swap in the deferred shadow of another");
    stay_behind_fault();
    return true;
  }
  core_.stop = now_ + 1;
  core_.arrive(pc_, now_);
  const Flow flow = slot.own(core_, slot);
  if (flow == Flow::kNext) {
    ++pc_;
    ++now_;
    deferred_slot_passed(now_);
  } else {
    finish_word(slot, flow);
  }
  return true;
}

Microengine::Readiness Microengine::prepare(const ExecutionSlot& slot) {
  if (slot.is_reference && !connections_.commands->can_accept(id_)) return wait_for_room();
  if (slot.tests_input_state && now_ > connections_.input_states->known_until()) return Readiness::kUnknown;
  if (slot.is_annotated) annotate(pc_);
  return Readiness::kReady;
}

// The instruction in P3 cannot send its reference while the FIFO is full.
Microengine::Readiness Microengine::wait_for_room() {
  const Cycle until = std::min(horizon_, connections_.commands->full_before(id_));
  if (until <= now_) return Readiness::kUnknown;
  const Cycles cycles = until - now_;
  charged_[pc_].stalled += cycles;
  stalled_ += cycles;
  current().counters.stalled += cycles;
  now_ = until;
  accept_before(Cycle(until.number() - 1));
  return Readiness::kStalled;
}

// A word that does more than go on with the next.
void Microengine::finish_word(const ExecutionSlot& slot, Flow flow) {
  switch (flow) {
    case Flow::kTaken:
    case Flow::kNotTaken: branch(slot, flow); break;
    case Flow::kReference: reference(slot); break;
    case Flow::kArbitrate: swap(slot); break;
    default: {
      const bool left_program = pc_ == core_.words - 1;
      fault(left_program ? Fault::Kind::kControlStoreOverrun : Fault::Kind::kIllegalInstruction, core_.fault);
      return stay_behind_fault();
    }
  }
  ++now_;
}

// Behind a fault the thread executes the word again and again; the run ends soon.
void Microengine::stay_behind_fault() {
  ++pc_;
  go_to(pc_ - 1);
  core_.behind_setter = nullptr;
  ++now_;
}

void Microengine::annotate(std::uint32_t pc) {
  const auto first = std::lower_bound(annotations_.begin(), annotations_.end(), pc,
                                      [](const isa::Annotation& mark, std::uint32_t at) { return mark.pc < at; });
  for (auto annotation = first; annotation != annotations_.end() && annotation->pc == pc; ++annotation) {
    if (annotation->kind == isa::Annotation::Kind::kAbort) {
      fault(Fault::Kind::kProgramAborted, "the program called abort()");
      continue;
    }
    connections_.annotations->annotation(annotation->kind, ThreadId(id_, core_.context),
                                         register_value(core_.context, annotation->first),
                                         register_value(core_.context, annotation->second), now_);
  }
}

void Microengine::branch(const ExecutionSlot& slot, Flow flow) {
  const bool taken = flow == Flow::kTaken;
  const auto beyond = static_cast<std::uint32_t>(core_.words - 1);
  // What was fetched behind the branch is right: nothing to abort.
  if (!taken && !slot.guess_branch) {
    ++pc_;
    return;
  }
  unsigned aborts = core_.behind_setter == &slot ? slot.aborts_behind_setter : slot.aborts;
  if (taken && slot.guess_branch) aborts = std::min(aborts, description_.pipeline.unconditional_aborts);
  pending_.shadow = Shadow::kBranch;
  pending_.deferred = slot.defer;
  pending_.aborted = static_cast<std::uint8_t>(aborts > slot.defer ? aborts - slot.defer : 0);
  pending_.pc = pc_;
  pending_.target = taken ? std::min(core_.target, beyond) : std::min(pc_ + 1 + slot.defer, beyond);
  // A kill that has reached P1 before the branch is decided cannot be called back.
  pending_.kill = taken && !slot.guess_branch && description_.pipeline.prefetched_kill &&
                  slot.kill_distance > slot.defer && slot.kill_distance < aborts;
  ++pc_;
  if (pending_.deferred == 0) begin_shadow(now_ + 1);
}

void Microengine::reference(const ExecutionSlot& slot) {
  core_.command.issued = now_;
  core_.command.pc = static_cast<std::uint16_t>(pc_);
  connections_.commands->push(core_.command);
  if (slot.events != 0) return swap(slot);
  ++pc_;
  if (pending_.shadow != Shadow::kNone) deferred_slot_passed(now_ + 1);
}

void Microengine::swap(const ExecutionSlot& slot) {
  const unsigned aborts = description_.pipeline.swap_aborts;
  pending_.shadow = Shadow::kSwap;
  pending_.deferred = slot.defer;
  pending_.aborted = static_cast<std::uint8_t>(aborts > slot.defer ? aborts - slot.defer : 0);
  pending_.kill = false;
  pending_.pc = pc_;
  pending_.events = slot.events;
  ++pc_;
  if (pending_.deferred == 0) begin_shadow(now_ + 1);
}

void Microengine::deferred_slot_passed(Cycle next) {
  if (--pending_.deferred == 0) begin_shadow(next);
}

void Microengine::begin_shadow(Cycle next) {
  if (pending_.aborted > 0) {
    mode_ = Mode::kAborting;
  } else {
    shadow_passed(next);
  }
}

// Deliveries of the cycles passed over need only be known in the last, which may give up the engine.
void Microengine::abort_slots() {
  const auto slots = static_cast<unsigned>(std::min<Cycles>(pending_.aborted, horizon_ - now_));
  program_[pending_.pc].aborted += slots;
  core_.aborted += slots;
  now_ = now_ + (slots - 1);
  accept_before(now_);
  pending_.aborted = static_cast<std::uint8_t>(pending_.aborted - slots);
  if (pending_.aborted == 0) shadow_passed(now_ + 1);
  ++now_;
}

// The slot after the shadow, `next`, belongs to the target or to another context.
void Microengine::shadow_passed(Cycle next) {
  const Shadow shadow = pending_.shadow;
  pending_.shadow = Shadow::kNone;
  if (pending_.kill) return end_thread(next);
  if (shadow == Shadow::kSwap) return give_up(pending_.events, next);
  // The last deferred word may set the codes for a branch at the target.
  const bool behind_setter = core_.behind_setter == &program_[pc_] && mode_ == Mode::kRunning;
  go_to(pending_.target);
  core_.behind_setter = behind_setter ? &program_[pc_] : nullptr;
  mode_ = Mode::kRunning;
}

void Microengine::charge_occupation(Thread& thread, Cycle until) {
  thread.counters.executing += until - thread.since;
  thread.counters.aborted += core_.aborted;
  core_.aborted = 0;
}

void Microengine::give_up(std::uint16_t events, Cycle from) {
  if ((events & static_cast<std::uint16_t>(isa::Event::kKill)) != 0) return end_thread(from);
  Thread& thread = current();
  charge_occupation(thread, from);
  thread.since = from;
  thread.pc = pc_;
  thread.codes = core_.codes;
  thread.gave_up_at = pending_.pc;
  thread.waits_for = events & static_cast<std::uint16_t>(~static_cast<std::uint16_t>(isa::Event::kVoluntary));
  std::uint16_t& arrived = core_.events[core_.context.index()];
  mode_ = Mode::kUnoccupied;
  unoccupied_until_ = from;
  if ((thread.waits_for & ~arrived) != 0) {
    thread.state = ThreadState::kWaiting;
    return;
  }
  arrived &= static_cast<std::uint16_t>(~thread.waits_for);
  thread.state = ThreadState::kReady;
  thread.eligible = from;
}

void Microengine::end_thread(Cycle from) {
  Thread& thread = current();
  charge_occupation(thread, from);
  thread.since = from;
  thread.pc = pc_;
  thread.state = ThreadState::kOff;
  if (--live_threads_ == 0) horizon_ = std::min(horizon_, from);
  mode_ = Mode::kUnoccupied;
  unoccupied_until_ = from;
  connections_.monitor->progress(Cycle(from.number() - 1));
}

// Takes up the next context in rotation whose first instruction can be in P3 now.
bool Microengine::take_up() {
  Cycle soonest = Cycle::never();
  ContextId context = core_.context;
  for (unsigned i = 0; i < description_.contexts; ++i) {
    context = context.next(description_.contexts);
    const Thread& thread = threads_[context.index()];
    if (thread.state != ThreadState::kReady) continue;
    if (thread.eligible <= now_) {
      core_.context = context;
      occupy();
      return true;
    }
    soonest = std::min(soonest, thread.eligible);
  }
  unoccupied_until_ = soonest;
  return false;
}

void Microengine::occupy() {
  Thread& thread = current();
  thread.counters.ready += now_ - thread.since;
  thread.since = now_;
  thread.state = ThreadState::kRunning;
  core_.block = core_.registers.block(core_.context);
  core_.codes = thread.codes;
  core_.behind_setter = nullptr;
  pc_ = thread.pc;
  mode_ = Mode::kRunning;
}

void Microengine::accept_deliveries(Cycle limit) {
  while (inbox_.earliest() < limit) {
    const Delivery& delivery = inbox_.front();
    for (unsigned i = 0; i < delivery.count; ++i)
      core_.registers.read_transfer(delivery.first, i) = delivery.longwords[i];
    if (delivery.events != 0) accept_events(delivery);
    inbox_.pop();
  }
}

void Microengine::accept_events(const Delivery& delivery) {
  Thread& thread = threads_[delivery.context.index()];
  std::uint16_t& arrived = core_.events[delivery.context.index()];
  const Cycle seen = delivery.at + 1;
  if (thread.state == ThreadState::kWaiting) charge_waiting(thread, std::max(seen, thread.since));
  arrived |= delivery.events;
  if (thread.state != ThreadState::kWaiting || (thread.waits_for & ~arrived) != 0) return;
  arrived &= static_cast<std::uint16_t>(~thread.waits_for);
  thread.state = ThreadState::kReady;
  thread.eligible = seen + description_.pipeline.wake_up_cycles;
  unoccupied_until_ = std::min(unoccupied_until_, thread.eligible);
}

// Waiting is charged to the lowest event that is still missing.
void Microengine::charge_waiting(Thread& thread, Cycle until) {
  const auto context = static_cast<std::size_t>(&thread - threads_.data());
  const auto missing = static_cast<std::uint16_t>(thread.waits_for & ~core_.events[context]);
  thread.counters.waiting[std::countr_zero(missing)] += until - thread.since;
  charged_[thread.gave_up_at].waiting += until - thread.since;
  thread.since = until;
}

void Microengine::pull(ThreadId, TransferRegister first, std::span<std::uint32_t> longwords, Cycle at) {
  idle_until(at + 1);  // an engine without threads stays behind
  for (unsigned i = 0; i < longwords.size(); ++i) longwords[i] = core_.registers.write_transfer(first, i);
  if (!core_.overwritten.any_behind(at)) return;
  core_.overwritten.restore_behind(at, [&](std::uint32_t index, std::uint32_t value) {
    for (unsigned i = 0; i < longwords.size(); ++i)
      if (RegisterFile::write_transfer_index(first, i) == index) longwords[i] = value;
  });
}

void Microengine::answer(ThreadId thread, const Answer& answer) {
  assert(answer.at + 1 >= now_ && "an answer comes before the engine has passed its cycle");
  inbox_.add(thread.context, answer);
}

void Microengine::fault(Fault::Kind kind, std::string message) {
  Fault fault;
  fault.kind = kind;
  fault.at = now_;
  fault.thread = ThreadId(id_, core_.context);
  fault.pc = pc_;
  fault.message = std::move(message);
  connections_.monitor->fault(std::move(fault));
}

}  // namespace nplab::simulator
