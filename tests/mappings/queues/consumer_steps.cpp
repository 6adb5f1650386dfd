#include "consumer_steps.h"

namespace nplab::ring_model {

bool is_write(GetAt at) {
  switch (at) {
    case GetAt::kTakeHead:
    case GetAt::kGiveHeadBack:
    case GetAt::kAdvanceHead:
    case GetAt::kNotice:
    case GetAt::kFree: return true;
    default: return false;
  }
}

const char* text_of(GetAt at) {
  switch (at) {
    case GetAt::kTurn: return "begin turn";
    case GetAt::kTakeHead: return "test-and-set HEAD";
    case GetAt::kReadHead: return "read HEAD";
    case GetAt::kReadFirst: return "read entry";
    case GetAt::kReadRest: return "read later burst";
    case GetAt::kGiveHeadBack: return "write HEAD back";
    case GetAt::kAdvanceHead: return "write HEAD + 2";
    case GetAt::kNotice: return "write FREED";
    case GetAt::kFree: return "write packet information 0";
    case GetAt::kCommit: return "wait for earlier claims";
    case GetAt::kSleep: break;
  }
  return "sleep";
}

void ConsumerSteps::begin() {
  if (setup_.consumers_take_turns())
    return wait_at(GetAt::kTurn);
  get();
}

void ConsumerSteps::perform() {
  Memory& memory = state_.memory;
  Consumer& thread = this->thread();
  switch (at()) {
    case GetAt::kTakeHead: thread.word = test_and_set(head_word()); break;
    case GetAt::kReadHead: thread.word = head_word(); break;
    case GetAt::kReadFirst:
      thread.entry.item = entry_at(count()).item;
      thread.entry.lap = entry_at(count()).lap;
      break;
    case GetAt::kReadRest: thread.entry.rest = entry_at(count()).rest; break;
    case GetAt::kGiveHeadBack: head_word() = thread.head; break;
    case GetAt::kAdvanceHead: head_word() = word(next_head()); break;
    case GetAt::kNotice: memory.freed = word(next_head()); break;
    case GetAt::kFree:
      judge(overwrite(entry_at(count()).item));
      entry_at(count()).item = kNothing;
      entry_at(count()).lap = 0;
      break;
    case GetAt::kTurn:
    case GetAt::kCommit:
    case GetAt::kSleep: break;
  }
  performed();
}

bool ConsumerSteps::can_run() const {
  if (at() == GetAt::kSleep)
    return thread().has_signal != 0;
  if (at() == GetAt::kCommit)
    return engine_.taken.distance == thread().head.distance;
  return at() != GetAt::kTurn || engine_.taking == 0;
}

void ConsumerSteps::run() {
  Consumer& thread = this->thread();
  const std::uint32_t read = value(thread.word);
  thread.word = {};
  switch (at()) {
    case GetAt::kTurn: return get();
    case GetAt::kTakeHead:
      if ((read & kLock) != 0)
        return issue(GetAt::kTakeHead);
      thread.head = word(read);
      return issue(GetAt::kReadFirst);
    case GetAt::kReadHead: thread.head = word(read); return issue(GetAt::kReadFirst);
    case GetAt::kReadFirst: return is_missing(thread.entry) ? abandon_get() : entry_is_there();
    case GetAt::kReadRest: return load_values(thread.entry);
    case GetAt::kGiveHeadBack: end_turn(); return leave_empty();
    case GetAt::kAdvanceHead: return head_advanced();
    case GetAt::kNotice: return entry_given_back();
    case GetAt::kFree: return finish();
    case GetAt::kSleep: thread.has_signal = 0; return get();
    case GetAt::kCommit: return give_claim_back();
  }
}

void ConsumerSteps::get() {
  thread().entry = {};
  if (setup_.consumers_claim())
    return claim();
  thread().head = {};
  if (has_quantum())
    return issue(GetAt::kReadFirst);
  thread().next = {};
  if (setup_.consumers_take_turns()) {
    if (engine_.taking != 0)
      return wait_at(GetAt::kTurn);
    engine_.taking = 1;
  }
  begin_get();
}

// Of the next entry, kept while the thread looks for it again and again.
void ConsumerSteps::claim() {
  Consumer& thread = this->thread();
  if (thread.has_claim == 0) {
    thread.has_claim = 1;
    thread.head = engine_.head;
    engine_.head = word(next_head());
  }
  issue(GetAt::kReadFirst);
}

// Defines `head`, the count of the next entry.
void ConsumerSteps::begin_get() {
  switch (setup_.consumers.count) {
    case CountPlace::kThread: thread().head = thread().head_count; break;
    case CountPlace::kEngine: thread().head = engine_.head; break;
    case CountPlace::kMemory:
      if (RingSetup::locks(setup_.consumers) && !setup_.has(Mutation::kConsumersWithoutLock))
        return issue(GetAt::kTakeHead);
      return issue(GetAt::kReadHead);
  }
  issue(GetAt::kReadFirst);
}

void ConsumerSteps::abandon_get() {
  if (has_quantum())
    return leave_empty();
  if (RingSetup::locks(setup_.consumers))
    return issue(GetAt::kGiveHeadBack);
  end_turn();
  leave_empty();
}

// A thread that sleeps looks again when its event has come, which may have been before.
void ConsumerSteps::leave_empty() {
  thread().entry = {};
  if (!setup_.consumers_claim())
    thread().head = {};
  return setup_.wait == Wait::kSignal ? wait_at(GetAt::kSleep) : get();
}

void ConsumerSteps::entry_is_there() {
  if (setup_.bursts == 1) {
    Entry entry = thread().entry;
    entry.rest = entry.item;
    return load_values(entry);
  }
  if (setup_.has(Mutation::kFreedBeforeRead))
    return advance_head();
  issue(GetAt::kReadRest);
}

// The properties are judged where the thread has all that it takes of the entry.
void ConsumerSteps::load_values(const Entry& entry) {
  const std::uint32_t from_first = count() - setup_.first_count;
  judge(take(state_.ledger, state_.memory, setup_.index(from_first), entry, setup_.slot(count())));
  values_loaded();
}

void ConsumerSteps::values_loaded() {
  thread().entry = {};
  if (setup_.has(Mutation::kFreedBeforeRead))
    return finish();
  return has_quantum() ? entry_given_back() : advance_head();
}

void ConsumerSteps::give_claim_back() {
  engine_.taken = word(next_head());
  thread().has_claim = 0;
  notice();
}

void ConsumerSteps::advance_head() {
  if (setup_.consumers_claim()) {
    const bool is_next = engine_.taken.distance == thread().head.distance;
    return is_next || setup_.has(Mutation::kGivenBackOutOfOrder) ? give_claim_back()
                                                                 : wait_at(GetAt::kCommit);
  }
  switch (setup_.consumers.count) {
    case CountPlace::kThread: thread().head_count = word(next_head()); break;
    case CountPlace::kEngine: engine_.head = word(next_head()); break;
    case CountPlace::kMemory: return issue(GetAt::kAdvanceHead);
  }
  head_advanced();
}

void ConsumerSteps::head_advanced() {
  end_turn();
  notice();
}

// Consumers that count in registers say now and then how far they are.
void ConsumerSteps::notice() {
  const std::uint32_t step = 2 * setup_.batch;
  if (setup_.gives_notice() && (next_head() & (step - 1)) == 0)
    return issue(GetAt::kNotice);
  entry_given_back();
}

// With the entry flag an entry that was read is made free.
void ConsumerSteps::entry_given_back() {
  if (setup_.has(Mutation::kFreedBeforeRead))
    return issue(GetAt::kReadRest);
  return setup_.has_lap_bit() ? finish() : issue(GetAt::kFree);
}

void ConsumerSteps::finish() {
  Consumer& thread = this->thread();
  if (setup_.quantum > 1) {
    if (!has_quantum()) {
      thread.next = thread.head;
      thread.left = static_cast<std::uint8_t>(setup_.quantum);
    }
    thread.next = word(value(thread.next) + 2);
    --thread.left;
  }
  if (setup_.release == Release::kEndOfPacket)
    ++state_.handed_on;
  return setup_.has(Mutation::kSleepsWithoutLooking) ? leave_empty() : get();
}

void ConsumerSteps::end_turn() {
  if (setup_.consumers_take_turns())
    engine_.taking = 0;
}

Word& ConsumerSteps::head_word() const {
  return setup_.head_is_freed() ? state_.memory.freed : state_.memory.head;
}

std::uint32_t ConsumerSteps::count() const {
  return value(has_quantum() ? thread().next : thread().head);
}

bool ConsumerSteps::is_missing(const Entry& entry) const {
  const bool is_other_lap = (entry.lap != 0) != setup_.lap(count());
  if (setup_.has(Mutation::kLapBitIgnored) || setup_.has(Mutation::kFlagWithoutLap))
    return entry.item == kNothing;
  return setup_.has_lap_bit() ? is_other_lap : entry.item == kNothing || is_other_lap;
}

}  // namespace nplab::ring_model
