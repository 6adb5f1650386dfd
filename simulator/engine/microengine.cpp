#include "simulator/engine/microengine.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "simulator/base/moved_longwords.h"
#include "simulator/base/state_hash.h"

namespace nplab::simulator {
namespace {

constexpr unsigned kMostInNoTime = 256;  // words

}  // namespace

// The contexts that can be dispatched now.
class Microengine::RequestView {
 public:
  RequestView(const Microengine& engine, std::uint64_t asking) : engine_(engine), asking_(asking) {}

  [[nodiscard]] std::uint64_t asking() const { return asking_; }
  [[nodiscard]] Cycle since(unsigned context) const { return engine_.threads_[context].eligible; }
  // The context that had the engine last.
  [[nodiscard]] unsigned yielded() const { return engine_.core_.context.index(); }

 private:
  const Microengine& engine_;
  std::uint64_t asking_;
};

void Microengine::pass(Cycle horizon) {
  horizon_ = horizon;
  while (now_ < horizon_) {
    accept_before(now_);
    if (mode_ == Mode::kUnoccupied && !end_idleness())
      continue;
    if (mode_ == Mode::kAborting) {
      abort_slots();
    } else if (!(pending_.shadow == Shadow::kNone ? run_words() : step())) {
      break;
    }
  }
  accept_before(Cycle(std::min(now_, horizon_).number() - 1));
}

// One or more words outside all shadows.
bool Microengine::run_words() {
  const ExecutionSlot& first = program_[pc_];
  if (first.is_special)
    return run_special(first);
  set_out();
  const Flow flow = first.routine(core_, first);
  catch_up_with_words();
  if (flow == Flow::kSpecial && now_ < horizon_)
    return run_special(*core_.slot);
  finish_words(flow);
  return true;
}

// Words that are special are looked at in another pass. Beyond the horizon only branches are
// completed; another word is left as it was.
void Microengine::finish_words(Flow flow) {
  const bool branches = flow == Flow::kTaken || flow == Flow::kNotTaken;
  const bool acts = flow != Flow::kNext && flow != Flow::kSpecial;
  if (branches || (acts && now_ < horizon_))
    finish_word(*core_.slot, flow);
}

// A word that the engine examines before it runs. Unless it is a reference, the words that follow
// it run in the same call.
bool Microengine::run_special(const ExecutionSlot& slot) {
  if (slot.cost != WordCost::kCycle)
    return step();
  const Readiness readiness = prepare(slot);
  if (readiness != Readiness::kReady)
    return readiness == Readiness::kStalled;
  if (slot.is_reference) {
    finish_word(slot, slot.own(core_, slot));
    return true;
  }
  set_out();
  const Flow flow = slot.own(core_, slot);
  catch_up_with_words();
  finish_words(flow);
  return true;
}

// Lets words run by themselves from pc_ on. Other contexts see what arrives for them meanwhile only
// when this one yields the engine, unless a word reads their transfer registers.
void Microengine::set_out() {
  if (arrivals_can_wait_) {
    core_.stop = ahead_;
    return core_.arrive(pc_, now_);
  }
  const Cycle last(horizon_.number() - 1);
  Cycle seen = std::min(last, inbox_.earliest());
  if (seen < last && !reads_other_contexts_)
    seen = inbox_.earliest_for(core_.context, last);
  core_.stop = seen + 1;
  core_.arrive(pc_, now_);
}

// Dispatches a context; if none is ready, passes the idle cycles and returns false.
bool Microengine::end_idleness() {
  if (unoccupied_until_ <= now_ && take_up())
    return true;
  // A delivery stamped d is seen in d + 1.
  Cycle until = std::min(horizon_, unoccupied_until_);
  if (inbox_.earliest() < until)
    until = inbox_.earliest() + 1;
  idle_ += until - now_;
  now_ = until;
  return false;
}

// Runs one word, in a deferred shadow or one that costs no cycle, or passes the cycles for which it
// is held. Does nothing and returns false if a fact is missing.
bool Microengine::step() {
  const ExecutionSlot& slot = program_[pc_];
  if (words_without_cost_ == kMostInNoTime) {
    pass_cycle_without_word(slot);
    return true;
  }
  if (slot.is_special) {
    const Readiness readiness = prepare(slot);
    if (readiness != Readiness::kReady)
      return readiness == Readiness::kStalled;
  }
  const bool in_shadow = pending_.shadow != Shadow::kNone;
  if (in_shadow && slot.abort_class != isa::AbortClass::kNone) {
    fault(Fault::Kind::kIllegalInstruction,
          "a branch or context swap in the deferred shadow of another");
    stay_behind_fault();
    return true;
  }
  if (slot.cost != WordCost::kCycle) {
    ++words_without_cost_;
    aside_ += slot.cost == WordCost::kAside ? 1 : 0;
  }
  core_.stop = now_ + 1;
  core_.arrive(pc_, now_);
  const Flow flow = slot.own(core_, slot);
  if (flow == Flow::kNext) {
    ++pc_;
    now_ = now_ + slot.cycles;
    if (in_shadow)
      deferred_slot_passed();
  } else {
    finish_word(slot, flow);
  }
  return true;
}

void Microengine::pass_cycle_without_word(const ExecutionSlot& slot) {
  words_without_cost_ = 0;
  slot.aborted += 1;
  core_.aborted += 1;
  ++now_;
}

Microengine::Readiness Microengine::prepare(const ExecutionSlot& slot) {
  if (slot.is_reference && !connections_.commands->can_accept(id_))
    return wait_for_room();
  if (slot.tests_input_state && now_ > connections_.input_states->known_until())
    return Readiness::kUnknown;
  if (slot.is_annotated)
    annotate(pc_);
  return Readiness::kReady;
}

// The instruction in P3 cannot send its reference while the FIFO is full.
Microengine::Readiness Microengine::wait_for_room() {
  const Cycle until = std::min(horizon_, connections_.commands->full_before(id_));
  if (until <= now_)
    return Readiness::kUnknown;
  const Cycles cycles = until - now_;
  if (held_until_ != now_)
    connections_.commands->hold(id_, now_, charged_[pc_].refused);
  held_until_ = until;
  charged_[pc_].stalled += cycles;
  stalled_ += cycles;
  current().counters.stalled += cycles;
  now_ = until;
  return Readiness::kStalled;
}

// Completes a word that does more than continue with the next one.
void Microengine::finish_word(const ExecutionSlot& slot, Flow flow) {
  switch (flow) {
    case Flow::kTaken:
    case Flow::kNotTaken: return branch(slot, flow);
    case Flow::kReference: return reference(slot);
    case Flow::kArbitrate: return swap(slot);
    default: break;
  }
  if (slot.is_reference)
    ++charged_[pc_].unsent;
  const bool left_program = pc_ == core_.words - 1;
  fault(left_program ? Fault::Kind::kControlStoreOverrun : Fault::Kind::kIllegalInstruction,
        core_.fault);
  stay_behind_fault();
}

// After a fault the thread repeats the word; the run ends soon.
void Microengine::stay_behind_fault() {
  ++pc_;
  go_to(pc_ - 1);
  core_.after_setter = nullptr;
  ++now_;
}

void Microengine::annotate(std::uint32_t pc) {
  for (std::size_t i = first_annotation_[pc]; i < annotations_.size() && annotations_[i].pc == pc;
       ++i) {
    const ReadyAnnotation& annotation = annotations_[i];
    if (annotation.kind == isa::Annotation::Kind::kAbort) {
      fault(Fault::Kind::kProgramAborted, "the program called abort()");
      continue;
    }
    connections_.annotations->annotation(annotation.kind, ThreadId(id_, core_.context),
                                         value_of(annotation.first), value_of(annotation.second),
                                         now_);
  }
}

void Microengine::branch(const ExecutionSlot& slot, Flow flow) {
  const bool taken = flow == Flow::kTaken;
  const std::uint32_t pc = pc_;
  ++pc_;
  now_ = now_ + slot.cycles;
  // What was fetched after the branch is right: nothing is aborted.
  if (!taken && !slot.guess_branch)
    return;
  const auto beyond = static_cast<std::uint32_t>(core_.words - 1);
  unsigned aborts = core_.after_setter == &slot ? slot.aborts_after_setter : slot.aborts;
  if (taken && slot.guess_branch)
    aborts = std::min(aborts, description_.pipeline.unconditional_aborts);
  pending_.shadow = Shadow::kBranch;
  pending_.pc = pc;
  pending_.target = taken ? std::min(core_.target, beyond) : std::min(pc_ + slot.defer, beyond);
  // A kill that has reached P1 before the branch is decided cannot be called back.
  pending_.kill = taken && !slot.guess_branch && description_.pipeline.prefetched_kill &&
                  slot.kill_distance > slot.defer && slot.kill_distance < aborts;
  begin_shadow(slot, aborts);
}

void Microengine::reference(const ExecutionSlot& slot) {
  core_.command.issued = now_;
  core_.command.pc = static_cast<std::uint16_t>(pc_);
  core_.command.holds_bus = slot.cost != WordCost::kAside;
  connections_.commands->push(core_.command);
  if (slot.is_noted)
    note_reference(slot);
  if (slot.events != 0)
    return swap(slot);
  ++pc_;
  now_ = now_ + slot.cycles;
  if (pending_.shadow != Shadow::kNone)
    deferred_slot_passed();
}

// Most references need no more than the count of their word.
void Microengine::note_reference(const ExecutionSlot& slot) {
  const Command& command = core_.command;
  const bool signals = slot.waits_for == kNoWaitCause && command.signals;
  if (signals && completion_event(slot.unit) == isa::Event::kFbi)
    current().fbi_cause = wait_cause(slot.unit);
  charged_[pc_].more_longwords +=
      moved_longwords(slot.operation, command.count) - moved_longwords(slot.operation, slot.count);
}

void Microengine::swap(const ExecutionSlot& slot) {
  const unsigned aborts = description_.pipeline.swap_aborts;
  const std::uint32_t word = pc_;
  ++pc_;
  now_ = now_ + slot.cycles;
  const bool is_plain = slot.defer == 0 && slot.cost == WordCost::kCycle;
  if (is_plain && now_ + aborts <= horizon_) {
    charge_aborts(word, aborts);
    return give_up(word, slot.events);
  }
  pending_.shadow = Shadow::kSwap;
  pending_.kill = false;
  pending_.pc = word;
  pending_.events = slot.events;
  begin_shadow(slot, aborts);
}

void Microengine::begin_shadow(const ExecutionSlot& slot, unsigned aborts) {
  const unsigned deferred = slot.defer;
  if (slot.cost != WordCost::kCycle) {
    aside_ += slot.cost == WordCost::kAside && aborts > deferred ? aborts - deferred : 0;
    aborts = 0;
  }
  pending_.deferred = static_cast<std::uint8_t>(deferred);
  pending_.aborted = static_cast<std::uint8_t>(aborts > deferred ? aborts - deferred : 0);
  if (deferred == 0)
    begin_aborts();
}

void Microengine::deferred_slot_passed() {
  if (--pending_.deferred == 0)
    begin_aborts();
}

void Microengine::begin_aborts() {
  if (pending_.aborted == 0)
    return shadow_passed();
  mode_ = Mode::kAborting;
  if (now_ < horizon_)
    abort_slots();
}

void Microengine::abort_slots() {
  const auto slots = static_cast<unsigned>(std::min<Cycles>(pending_.aborted, horizon_ - now_));
  charge_aborts(pending_.pc, slots);
  pending_.aborted = static_cast<std::uint8_t>(pending_.aborted - slots);
  if (pending_.aborted == 0)
    shadow_passed();
}

// The slot after the shadow belongs to the target or to another context.
void Microengine::shadow_passed() {
  const Shadow shadow = pending_.shadow;
  pending_.shadow = Shadow::kNone;
  if (pending_.kill)
    return end_thread();
  if (shadow == Shadow::kSwap)
    return give_up(pending_.pc, pending_.events);
  // The last deferred word may set the codes for a branch at the target.
  const bool after_setter = core_.after_setter == &program_[pc_] && mode_ == Mode::kRunning;
  go_to(pending_.target);
  core_.after_setter = after_setter ? &program_[pc_] : nullptr;
  mode_ = Mode::kRunning;
}

// What the running thread did up to now_, when it leaves the engine.
void Microengine::leave_engine(Thread& thread, ThreadState state) {
  accept_before(Cycle(now_.number() - 1));
  thread.counters.executing += now_ - thread.since;
  thread.counters.aborted += core_.aborted;
  core_.aborted = 0;
  thread.since = now_;
  thread.pc = pc_;
  thread.state = state;
  mode_ = Mode::kUnoccupied;
  unoccupied_since_ = unoccupied_until_ = now_;
  thread.not_before = now_ + aside_;
  aside_ = 0;
}

void Microengine::give_up(std::uint32_t word, std::uint16_t events) {
  if ((events & static_cast<std::uint16_t>(isa::Event::kKill)) != 0)
    return end_thread();
  Thread& thread = current();
  leave_engine(thread, ThreadState::kWaiting);
  thread.codes = core_.codes;
  thread.idle_before = idle_;
  thread.gave_up_at = word;
  thread.waits_for =
      events & static_cast<std::uint16_t>(~static_cast<std::uint16_t>(isa::Event::kVoluntary));
  make_ready_if_all_came(core_.context, now_);
}

void Microengine::end_thread() {
  current().idle_before = idle_;
  leave_engine(current(), ThreadState::kOff);
  if (--live_threads_ == 0)
    horizon_ = std::min(horizon_, now_);
  connections_.monitor->progress(Cycle(now_.number() - 1));
}

// The events that the waiting thread in `context` waits for are consumed when the last of them has
// come.
void Microengine::make_ready_if_all_came(ContextId context, Cycle eligible) {
  Thread& thread = threads_[context.index()];
  std::uint16_t& arrived = core_.events[context.index()];
  if ((thread.waits_for & ~arrived) != 0)
    return;
  arrived &= static_cast<std::uint16_t>(~thread.waits_for);
  thread.state = ThreadState::kReady;
  thread.eligible = std::max(eligible, thread.not_before);
  ready_ |= 1u << context.index();
  unoccupied_until_ = std::min(unoccupied_until_, thread.eligible);
}

// Dispatches one of the contexts whose next instruction can be in P3 now, if there is one.
bool Microengine::take_up() {
  Cycle soonest = Cycle::never();
  std::uint64_t asking = 0;
  for (std::uint32_t left = ready_; left != 0; left &= left - 1) {
    const auto context = static_cast<unsigned>(std::countr_zero(left));
    const Cycle eligible = threads_[context].eligible;
    if (eligible <= now_)
      asking |= std::uint64_t{1} << context;
    else
      soonest = std::min(soonest, eligible);
  }
  if (asking == 0) {
    unoccupied_until_ = soonest;
    return false;
  }
  const RequestView requests(*this, asking);
  const unsigned context = arbiter_.choose(requests);
  arbiter_.served(requests, context);
  core_.context = ContextId(context);
  occupy();
  return true;
}

void Microengine::occupy() {
  Thread& thread = current();
  thread.counters.ready += now_ - thread.since;
  thread.since = now_;
  thread.state = ThreadState::kRunning;
  ready_ &= ~(1u << core_.context.index());
  core_.block = core_.registers.block(core_.context);
  core_.codes = thread.codes;
  core_.after_setter = nullptr;
  pc_ = thread.pc;
  mode_ = Mode::kRunning;
}

void Microengine::accept_deliveries(Cycle limit) {
  do {
    const Delivery& delivery = inbox_.front();
    for (unsigned i = 0; i < delivery.count; ++i)
      core_.registers.read_transfer(delivery.first, i) = delivery.longwords[i];
    if (delivery.events != 0)
      accept_events(delivery);
    inbox_.pop();
  } while (inbox_.earliest() < limit);
}

void Microengine::accept_events(const Delivery& delivery) {
  Thread& thread = threads_[delivery.context.index()];
  const Cycle seen = delivery.at + 1;
  const bool waits = thread.state == ThreadState::kWaiting;
  if (waits)
    charge_waiting(thread, std::max(seen, thread.since));
  core_.events[delivery.context.index()] |= delivery.events;
  if (waits)
    make_ready_if_all_came(delivery.context, seen + description_.pipeline.wake_up_cycles);
}

WaitCause Microengine::lowest_missing(const Thread& thread) const {
  const auto context = static_cast<std::size_t>(&thread - threads_.data());
  const auto missing = static_cast<std::uint16_t>(thread.waits_for & ~core_.events[context]);
  const auto cause = static_cast<WaitCause>(std::countr_zero(missing));
  return cause == kWaitsForFbi ? thread.fbi_cause : cause;
}

// Charges the cycles since then to what the thread waits for. All idle cycles among them lie before
// `until`, because an engine is not idle once something has arrived.
void Microengine::charge_waiting(Thread& thread, Cycle until) {
  const WaitCause cause = cause_of_waiting(thread);
  thread.counters.waiting_on[cause] += until - thread.since;
  thread.counters.idle.waiting_on[cause] += idle_ - thread.idle_before;
  charged_[thread.gave_up_at].waiting_on[cause] += until - thread.since;
  thread.since = until;
  thread.idle_before = idle_;
}

void Microengine::pull(ThreadId, TransferRegister first, std::span<std::uint32_t> longwords,
                       Cycle at) {
  idle_until(at + 1);  // an engine without threads lags
  for (unsigned i = 0; i < longwords.size(); ++i)
    longwords[i] = core_.registers.write_transfer(first, i);
  if (!core_.overwritten.any_behind(at))
    return;
  core_.overwritten.restore_behind(at, [&](std::uint32_t index, std::uint32_t value) {
    for (unsigned i = 0; i < longwords.size(); ++i)
      if (RegisterFile::write_transfer_index(first, i) == index)
        longwords[i] = value;
  });
}

void Microengine::answer(ThreadId thread, const Answer& answer) {
  assert(answer.at + 1 >= std::min(now_, horizon_) &&
         "an answer comes before the engine has passed its cycle");
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
