#include "counter_steps.h"

namespace nplab::ring_model {
namespace {

constexpr std::uint8_t kConsumersLock = 2;  // QUEUE_CONSUMERS

}  // namespace

bool is_write(CounterGetAt at) {
  switch (at) {
    case CounterGetAt::kTakeLock:
    case CounterGetAt::kWriteHead:
    case CounterGetAt::kUnlock:
    case CounterGetAt::kUnlockEmpty:
    case CounterGetAt::kFree: return true;
    default: return false;
  }
}

const char* text_of(CounterGetAt at) {
  switch (at) {
    case CounterGetAt::kLookAtHead: return "look at HEAD";
    case CounterGetAt::kLookAtTail: return "look at TAIL";
    case CounterGetAt::kTurn: return "begin turn";
    case CounterGetAt::kTakeLock: return "take consumers' lock";
    case CounterGetAt::kReadHead: return "read HEAD";
    case CounterGetAt::kReadTail: return "read TAIL";
    case CounterGetAt::kReadRest: return "read buffer";
    case CounterGetAt::kReadInformation: return "read packet information";
    case CounterGetAt::kWriteHead: return "write HEAD";
    case CounterGetAt::kUnlock: return "clear consumers' lock";
    case CounterGetAt::kUnlockEmpty: return "clear consumers' lock, empty";
    case CounterGetAt::kFree: break;
  }
  return "write packet information 0";
}

void CounterConsumerSteps::perform() {
  Memory& memory = state_.memory;
  Consumer& thread = this->thread();
  switch (at()) {
    case CounterGetAt::kLookAtHead:
    case CounterGetAt::kReadHead: thread.word = memory.head; break;
    case CounterGetAt::kLookAtTail:
    case CounterGetAt::kReadTail: thread.word = memory.tail; break;
    case CounterGetAt::kTakeLock:
      thread.word = {static_cast<std::uint8_t>(memory.locks & kConsumersLock)};
      memory.locks |= kConsumersLock;
      break;
    case CounterGetAt::kReadRest: thread.entry.rest = entry_at(count()).rest; break;
    case CounterGetAt::kReadInformation: thread.entry.item = entry_at(count()).item; break;
    case CounterGetAt::kWriteHead:
      memory.head = word(value(thread.head) + (takes_quantum() ? thread.left : 1));
      break;
    case CounterGetAt::kUnlock:
    case CounterGetAt::kUnlockEmpty:
      memory.locks &= static_cast<std::uint8_t>(~kConsumersLock);
      break;
    case CounterGetAt::kFree:
      judge(overwrite(entry_at(count()).item));
      entry_at(count()).item = kNothing;
      break;
    case CounterGetAt::kTurn: break;
  }
  performed();
}

bool CounterConsumerSteps::can_run() const {
  return at() != CounterGetAt::kTurn || engine_.taking == 0;
}

void CounterConsumerSteps::run() {
  Consumer& thread = this->thread();
  const Word read = thread.word;
  thread.word = {};
  switch (at()) {
    case CounterGetAt::kLookAtHead: thread.head = read; return issue(CounterGetAt::kLookAtTail);
    case CounterGetAt::kLookAtTail:
      return read.distance == thread.head.distance ? get() : begin_turn();
    case CounterGetAt::kTurn: return begin_turn();
    case CounterGetAt::kTakeLock:
      return issue(read.distance != 0 ? CounterGetAt::kTakeLock : CounterGetAt::kReadHead);
    case CounterGetAt::kReadHead: thread.head = read; return issue(CounterGetAt::kReadTail);
    case CounterGetAt::kReadTail: return tail_read(value(read));
    case CounterGetAt::kReadRest: return issue(CounterGetAt::kReadInformation);
    case CounterGetAt::kReadInformation: return entry_read();
    case CounterGetAt::kWriteHead: return head_written();
    case CounterGetAt::kUnlock: end_turn(); return unlocked();
    case CounterGetAt::kUnlockEmpty: end_turn(); return get();
    case CounterGetAt::kFree: return finish();
  }
}

// Looking costs no lock; what was seen is looked at again with the lock.
void CounterConsumerSteps::get() {
  thread().head = {};
  thread().entry = {};
  if (thread().left > 0)
    return issue(CounterGetAt::kReadRest);
  thread().next = {};
  issue(locks() ? CounterGetAt::kLookAtHead : CounterGetAt::kReadHead);
}

void CounterConsumerSteps::begin_turn() {
  thread().head = {};
  if (takes_turns()) {
    if (engine_.taking != 0)
      return wait_at(CounterGetAt::kTurn);
    engine_.taking = 1;
  }
  lock();
}

void CounterConsumerSteps::lock() {
  issue(setup_.has(Mutation::kConsumersWithoutLock) ? CounterGetAt::kReadHead
                                                    : CounterGetAt::kTakeLock);
}

void CounterConsumerSteps::tail_read(std::uint32_t tail) {
  Consumer& thread = this->thread();
  const std::uint32_t taken = tail - value(thread.head);
  if (taken == 0) {
    if (locks() && !setup_.has(Mutation::kConsumersWithoutLock))
      return issue(CounterGetAt::kUnlockEmpty);
    end_turn();
    return get();
  }
  if (!takes_quantum())
    return issue(CounterGetAt::kReadRest);
  thread.next = thread.head;
  thread.left = static_cast<std::uint8_t>(std::min(taken, setup_.quantum));
  issue(CounterGetAt::kWriteHead);
}

void CounterConsumerSteps::entry_read() {
  judge(take(state_.ledger, state_.memory, count() - setup_.first_count, thread().entry,
             setup_.slot(count())));
  thread().entry = {};
  issue(takes_quantum() ? CounterGetAt::kFree : CounterGetAt::kWriteHead);
}

void CounterConsumerSteps::head_written() {
  if (locks() && !setup_.has(Mutation::kConsumersWithoutLock))
    return issue(CounterGetAt::kUnlock);
  end_turn();
  unlocked();
}

void CounterConsumerSteps::unlocked() {
  return takes_quantum() ? get() : finish();
}

void CounterConsumerSteps::finish() {
  Consumer& thread = this->thread();
  if (takes_quantum()) {
    thread.next = word(value(thread.next) + 1);
    --thread.left;
  }
  if (setup_.release == Release::kEndOfPacket)
    ++state_.handed_on;
  get();
}

void CounterConsumerSteps::end_turn() {
  if (takes_turns())
    engine_.taking = 0;
}

}  // namespace nplab::ring_model
