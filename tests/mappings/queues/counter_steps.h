// put() and get() of a ring whose counters are all in memory (`sync: memory_lock`), as
// mappings/composition/queue_code.cpp generates them: every longword is a reference of its own.
#pragma once

#include "side_steps.h"

namespace nplab::ring_model {

enum class CounterPutAt : std::uint8_t {
  kLookAtTail,   // before the lock
  kLookAtFreed,  //
  kLookAtEntry,  // where consumers take several entries at a time
  kLookAgain,    // at the tail
  kTurn,
  kTakeLock,
  kReadTail,
  kReadFreed,
  kReadEntry,
  kWriteRest,
  kWriteInformation,
  kWriteTail,
  kUnlock,
  kUnlockFull,
  kDone,
};
bool is_write(CounterPutAt at);
const char* text_of(CounterPutAt at);

class CounterProducerSteps : public SideSteps<Producer, CounterPutAt> {
 public:
  CounterProducerSteps(const RingSetup& setup, RingState& state, unsigned number)
      : SideSteps(setup, state, setup.producers, state.producers, number),
        engine_(state.producer_engines[engine_number()]),
        number_(number) {}

  void begin() { put(); }
  void perform();
  [[nodiscard]] bool can_run() const;
  void run();

 private:
  void put();
  void begin_turn();
  void lock();
  void begin_put();
  void look_at_room(CounterPutAt entry, CounterPutAt freed);
  void leave_if(bool is_full);
  void finish();

  [[nodiscard]] bool locks() const { return setup_.producers.threads() > 1; }
  [[nodiscard]] bool takes_turns() const {
    return locks() && setup_.producers.shares_engine && setup_.lock == QueueLock::kEngine;
  }
  [[nodiscard]] Item item() const { return item_of(number_, thread().put); }
  [[nodiscard]] bool is_full(std::uint32_t freed) const {
    return value(thread().tail) - freed == setup_.entries;
  }

  ProducerEngine& engine_;
  unsigned number_;
};

enum class CounterGetAt : std::uint8_t {
  kLookAtHead,  // before the lock
  kLookAtTail,  //
  kTurn,
  kTakeLock,
  kReadHead,
  kReadTail,
  kReadRest,
  kReadInformation,
  kWriteHead,
  kUnlock,
  kUnlockEmpty,
  kFree,  // where consumers take several entries at a time: writes packet information 0
};
bool is_write(CounterGetAt at);
const char* text_of(CounterGetAt at);

class CounterConsumerSteps : public SideSteps<Consumer, CounterGetAt> {
 public:
  CounterConsumerSteps(const RingSetup& setup, RingState& state, unsigned number)
      : SideSteps(setup, state, setup.consumers, state.consumers, number),
        engine_(state.consumer_engines[engine_number()]) {}

  void begin() { get(); }
  void perform();
  [[nodiscard]] bool can_run() const;
  void run();

 private:
  void get();
  void begin_turn();
  void lock();
  void tail_read(std::uint32_t tail);
  void entry_read();
  void head_written();
  void unlocked();
  void finish();
  void end_turn();

  [[nodiscard]] bool locks() const { return setup_.consumers.threads() > 1; }
  [[nodiscard]] bool takes_turns() const {
    return locks() && setup_.consumers.shares_engine && setup_.lock == QueueLock::kEngine;
  }
  [[nodiscard]] bool takes_quantum() const { return setup_.quantum > 1; }
  // The entry that the thread reads.
  [[nodiscard]] std::uint32_t count() const {
    return value(takes_quantum() ? thread().next : thread().head);
  }

  ConsumerEngine& engine_;
};

}  // namespace nplab::ring_model
