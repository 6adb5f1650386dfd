#include "producer_steps.h"

namespace nplab::ring_model {

bool is_write(PutAt at) {
  switch (at) {
    case PutAt::kTakeTail:
    case PutAt::kGiveTailBack:
    case PutAt::kAdvanceTail:
    case PutAt::kWriteRest:
    case PutAt::kWriteFirst: return true;
    default: return false;
  }
}

const char* text_of(PutAt at) {
  switch (at) {
    case PutAt::kTurn: return "begin turn";
    case PutAt::kTakeTail: return "test-and-set TAIL";
    case PutAt::kReadTail: return "read TAIL";
    case PutAt::kReadCounts: return "read TAIL and FREED";
    case PutAt::kReadFreed: return "read FREED";
    case PutAt::kReadEntry: return "read packet information";
    case PutAt::kGiveTailBack: return "write TAIL back";
    case PutAt::kAdvanceTail: return "write TAIL + 2";
    case PutAt::kWriteRest: return "write later burst";
    case PutAt::kWriteFirst: return "write entry";
    case PutAt::kDone: break;
  }
  return "done";
}

void ProducerSteps::begin() {
  if (setup_.producers_take_turns())
    return wait_at(PutAt::kTurn);
  put();
}

void ProducerSteps::perform() {
  Memory& memory = state_.memory;
  Producer& thread = this->thread();
  const std::uint32_t tail = value(thread.tail);
  switch (at()) {
    case PutAt::kTakeTail: thread.word = test_and_set(memory.tail); break;
    case PutAt::kReadTail: thread.word = memory.tail; break;
    case PutAt::kReadCounts:
      thread.word = memory.tail;
      thread.second_word = memory.freed;
      break;
    case PutAt::kReadFreed: thread.word = memory.freed; break;
    case PutAt::kReadEntry: thread.entry.item = entry_at(tail).item; break;
    case PutAt::kGiveTailBack: memory.tail = thread.tail; break;
    case PutAt::kAdvanceTail:
      memory.tail = setup_.has(Mutation::kTailNotAdvanced) ? thread.tail : word(tail + 2);
      break;
    case PutAt::kWriteRest:
      judge(overwrite(entry_at(tail).rest));
      entry_at(tail).rest = item();
      break;
    case PutAt::kWriteFirst:
      judge(overwrite(entry_at(tail).item));
      entry_at(tail).item = item();
      entry_at(tail).lap = setup_.lap(tail) ? 1 : 0;
      break;
    case PutAt::kTurn:
    case PutAt::kDone: break;
  }
  performed();
}

bool ProducerSteps::can_run() const {
  return at() != PutAt::kDone && (at() != PutAt::kTurn || engine_.putting == 0);
}

void ProducerSteps::run() {
  Producer& thread = this->thread();
  const std::uint32_t read = value(thread.word);
  const std::uint32_t second = value(thread.second_word);
  const Entry entry = thread.entry;
  thread.word = thread.second_word = {};
  thread.entry = {};
  switch (at()) {
    case PutAt::kTurn: return put();
    case PutAt::kTakeTail:
      if ((read & kLock) != 0)
        return issue(PutAt::kTakeTail);
      thread.tail = word(read);
      return find_room();
    case PutAt::kReadTail: thread.tail = word(read); return find_room();
    case PutAt::kReadCounts: thread.tail = word(read); return leave_without_room(second);
    case PutAt::kReadFreed:
      if (setup_.keeps_freed())
        known_freed() = word(setup_.unlocked(read));
      return leave_without_room(read);
    case PutAt::kReadEntry: return entry.item != kNothing ? abandon_put() : reserve();
    case PutAt::kGiveTailBack: end_turn(); return put();
    case PutAt::kAdvanceTail: return tail_advanced();
    case PutAt::kWriteRest:
    case PutAt::kWriteFirst: return burst_written();
    case PutAt::kDone: return;
  }
}

// A producer whose ring is full tries again at once.
void ProducerSteps::put() {
  thread().tail = {};
  if (thread().put == setup_.items)
    return wait_at(PutAt::kDone);
  if (setup_.producers_take_turns()) {
    if (engine_.putting != 0)
      return wait_at(PutAt::kTurn);
    engine_.putting = 1;
  }
  begin_put();
}

// Finds `tail`, the count of the entry to write.
void ProducerSteps::begin_put() {
  const Side& side = setup_.producers;
  if (RingSetup::locks(side))
    return issue(setup_.has(Mutation::kProducersWithoutLock) ? PutAt::kReadTail : PutAt::kTakeTail);
  if (RingSetup::is_in_memory(side))
    return issue(setup_.has_lap_bit() ? PutAt::kReadCounts : PutAt::kReadTail);
  find_room();
}

void ProducerSteps::find_room() {
  if (!setup_.has_lap_bit()) {
    thread().tail = word(tail());
    return issue(PutAt::kReadEntry);
  }
  if (!setup_.keeps_freed() || is_full(value(known_freed())))
    return issue(PutAt::kReadFreed);
  reserve();
}

void ProducerSteps::leave_without_room(std::uint32_t freed) {
  return is_full(setup_.unlocked(freed)) ? abandon_put() : reserve();
}

// Defines `tail` and goes on: where the entry itself says that it is taken, nobody may look at it
// again before it is written.
void ProducerSteps::reserve() {
  thread().tail = word(tail());
  return advances_first() ? advance_tail() : write_entry();
}

void ProducerSteps::advance_tail() {
  const std::uint32_t next = value(thread().tail) + 2;
  switch (setup_.producers.count) {
    case CountPlace::kMemory: return issue(PutAt::kAdvanceTail);
    case CountPlace::kEngine: engine_.tail = word(next); break;
    case CountPlace::kThread: thread().tail_count = word(next); break;
  }
  tail_advanced();
}

void ProducerSteps::tail_advanced() {
  end_turn();
  return advances_first() ? write_entry() : finish();
}

// The longwords that say that the entry is there are written last, the others in front of them.
void ProducerSteps::write_entry() {
  if (setup_.has(Mutation::kSignalsBeforeWritten))
    signal();
  const bool starts_with_first = setup_.bursts == 1 || setup_.has(Mutation::kFirstBurstFirst);
  issue(starts_with_first ? PutAt::kWriteFirst : PutAt::kWriteRest);
}

void ProducerSteps::burst_written() {
  if (setup_.bursts == 1)
    return entry_written();
  const bool ends_with_first = !setup_.has(Mutation::kFirstBurstFirst);
  if ((at() == PutAt::kWriteFirst) == ends_with_first)
    return entry_written();
  issue(ends_with_first ? PutAt::kWriteFirst : PutAt::kWriteRest);
}

void ProducerSteps::entry_written() {
  return advances_first() ? finish() : advance_tail();
}

// What leaves a full ring as it is.
void ProducerSteps::abandon_put() {
  if (RingSetup::locks(setup_.producers))
    return issue(PutAt::kGiveTailBack);
  end_turn();
  put();
}

void ProducerSteps::end_turn() {
  if (setup_.producers_take_turns())
    engine_.putting = 0;
}

// Does not wait until the signal has arrived.
void ProducerSteps::signal() {
  if (setup_.wait == Wait::kSignal)
    ++state_.signals_in_flight[setup_.index(value(thread().tail)) % setup_.consumers.threads()];
}

void ProducerSteps::finish() {
  if (!setup_.has(Mutation::kSignalsBeforeWritten))
    signal();
  ++thread().put;
  put();
}

std::uint32_t ProducerSteps::tail() const {
  switch (setup_.producers.count) {
    case CountPlace::kThread: return value(thread().tail_count);
    case CountPlace::kEngine: return value(engine_.tail);
    case CountPlace::kMemory: break;
  }
  return value(thread().tail);
}

Word& ProducerSteps::known_freed() const {
  return setup_.producers.count == CountPlace::kThread ? thread().freed_count : engine_.freed;
}

bool ProducerSteps::is_full(std::uint32_t freed) const {
  const std::uint32_t in_use = tail() - freed;
  const std::uint32_t full = 2 * setup_.entries;
  return setup_.has(Mutation::kRoomByEquality) ? in_use == full : in_use >= full;
}

bool ProducerSteps::advances_first() const {
  return setup_.has_lap_bit() || setup_.has(Mutation::kAdvancedBeforeWritten);
}

}  // namespace nplab::ring_model
