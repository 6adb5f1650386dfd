#include "counter_steps.h"

namespace nplab::ring_model {
namespace {

constexpr std::uint8_t kProducersLock = 1;  // QUEUE_PRODUCERS

}  // namespace

bool is_write(CounterPutAt at) {
  switch (at) {
    case CounterPutAt::kTakeLock:
    case CounterPutAt::kWriteRest:
    case CounterPutAt::kWriteInformation:
    case CounterPutAt::kWriteTail:
    case CounterPutAt::kUnlock:
    case CounterPutAt::kUnlockFull: return true;
    default: return false;
  }
}

const char* text_of(CounterPutAt at) {
  switch (at) {
    case CounterPutAt::kLookAtTail: return "look at TAIL";
    case CounterPutAt::kLookAtFreed: return "look at HEAD or RELEASED";
    case CounterPutAt::kLookAtEntry: return "look at packet information";
    case CounterPutAt::kLookAgain: return "look at TAIL again";
    case CounterPutAt::kTurn: return "begin turn";
    case CounterPutAt::kTakeLock: return "take producers' lock";
    case CounterPutAt::kReadTail: return "read TAIL";
    case CounterPutAt::kReadFreed: return "read HEAD or RELEASED";
    case CounterPutAt::kReadEntry: return "read packet information";
    case CounterPutAt::kWriteRest: return "write buffer";
    case CounterPutAt::kWriteInformation: return "write packet information";
    case CounterPutAt::kWriteTail: return "write TAIL + 1";
    case CounterPutAt::kUnlock: return "clear producers' lock";
    case CounterPutAt::kUnlockFull: return "clear producers' lock, full";
    case CounterPutAt::kDone: break;
  }
  return "done";
}

void CounterProducerSteps::perform() {
  Memory& memory = state_.memory;
  Producer& thread = this->thread();
  const std::uint32_t tail = value(thread.tail);
  switch (at()) {
    case CounterPutAt::kLookAtTail:
    case CounterPutAt::kLookAgain:
    case CounterPutAt::kReadTail: thread.word = memory.tail; break;
    case CounterPutAt::kLookAtFreed:
    case CounterPutAt::kReadFreed:
      thread.word = setup_.release == Release::kEndOfPacket ? memory.freed : memory.head;
      break;
    case CounterPutAt::kLookAtEntry:
    case CounterPutAt::kReadEntry: thread.entry.item = entry_at(tail).item; break;
    case CounterPutAt::kTakeLock:
      thread.word = {static_cast<std::uint8_t>(memory.locks & kProducersLock)};
      memory.locks |= kProducersLock;
      break;
    case CounterPutAt::kWriteRest:
      judge(overwrite(entry_at(tail).rest));
      entry_at(tail).rest = item();
      break;
    case CounterPutAt::kWriteInformation:
      judge(overwrite(entry_at(tail).item));
      entry_at(tail).item = item();
      break;
    case CounterPutAt::kWriteTail: memory.tail = word(tail + 1); break;
    case CounterPutAt::kUnlock:
    case CounterPutAt::kUnlockFull:
      memory.locks &= static_cast<std::uint8_t>(~kProducersLock);
      break;
    case CounterPutAt::kTurn:
    case CounterPutAt::kDone: break;
  }
  performed();
}

bool CounterProducerSteps::can_run() const {
  return at() != CounterPutAt::kDone && (at() != CounterPutAt::kTurn || engine_.putting == 0);
}

void CounterProducerSteps::run() {
  Producer& thread = this->thread();
  const Word read = thread.word;
  const Entry entry = thread.entry;
  thread.word = {};
  thread.entry = {};
  switch (at()) {
    case CounterPutAt::kLookAtTail:
      thread.tail = read;
      return look_at_room(CounterPutAt::kLookAtEntry, CounterPutAt::kLookAtFreed);
    case CounterPutAt::kLookAtFreed: return is_full(value(read)) ? put() : begin_turn();
    case CounterPutAt::kLookAtEntry:
      return entry.item != kNothing ? issue(CounterPutAt::kLookAgain) : begin_turn();
    case CounterPutAt::kLookAgain:
      return read.distance == thread.tail.distance ? put() : begin_turn();
    case CounterPutAt::kTurn: return begin_turn();
    case CounterPutAt::kTakeLock:
      return read.distance != 0 ? issue(CounterPutAt::kTakeLock) : begin_put();
    case CounterPutAt::kReadTail:
      thread.tail = read;
      return look_at_room(CounterPutAt::kReadEntry, CounterPutAt::kReadFreed);
    case CounterPutAt::kReadFreed: return leave_if(is_full(value(read)));
    case CounterPutAt::kReadEntry: return leave_if(entry.item != kNothing);
    case CounterPutAt::kWriteRest: return issue(CounterPutAt::kWriteInformation);
    case CounterPutAt::kWriteInformation:
      return setup_.has(Mutation::kUnlockedBeforeWritten) ? finish()
                                                          : issue(CounterPutAt::kWriteTail);
    case CounterPutAt::kWriteTail:
      if (locks() && !setup_.has(Mutation::kProducersWithoutLock))
        return issue(CounterPutAt::kUnlock);
      [[fallthrough]];
    case CounterPutAt::kUnlock:
      if (takes_turns())
        engine_.putting = 0;
      return setup_.has(Mutation::kUnlockedBeforeWritten) ? issue(CounterPutAt::kWriteRest)
                                                          : finish();
    case CounterPutAt::kUnlockFull:
      if (takes_turns())
        engine_.putting = 0;
      return put();
    case CounterPutAt::kDone: return;
  }
}

// Threads of an engine that wait for room must not keep its turn from one that would put elsewhere:
// those look first.
void CounterProducerSteps::put() {
  thread().tail = {};
  if (thread().put == setup_.items)
    return wait_at(CounterPutAt::kDone);
  if (takes_turns())
    return issue(CounterPutAt::kLookAtTail);
  lock();
}

void CounterProducerSteps::begin_turn() {
  thread().tail = {};
  if (takes_turns()) {
    if (engine_.putting != 0)
      return wait_at(CounterPutAt::kTurn);
    engine_.putting = 1;
  }
  lock();
}

void CounterProducerSteps::lock() {
  if (!locks() || setup_.has(Mutation::kProducersWithoutLock))
    return begin_put();
  issue(CounterPutAt::kTakeLock);
}

void CounterProducerSteps::begin_put() {
  issue(CounterPutAt::kReadTail);
}

// Where consumers take several entries at a time an entry's packet information says whether it is
// free.
void CounterProducerSteps::look_at_room(CounterPutAt entry, CounterPutAt freed) {
  issue(setup_.quantum > 1 ? entry : freed);
}

void CounterProducerSteps::leave_if(bool is_full) {
  if (!is_full)
    return issue(setup_.has(Mutation::kUnlockedBeforeWritten) ? CounterPutAt::kWriteTail
                                                              : CounterPutAt::kWriteRest);
  if (locks() && !setup_.has(Mutation::kProducersWithoutLock))
    return issue(CounterPutAt::kUnlockFull);
  put();
}

void CounterProducerSteps::finish() {
  ++thread().put;
  put();
}

}  // namespace nplab::ring_model
