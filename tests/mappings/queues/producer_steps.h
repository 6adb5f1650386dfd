// put() of a ring with a lap bit or an entry flag, as mappings/composition/ring_code.cpp generates
// it; functions have the names that they have there.
#pragma once

#include "side_steps.h"

namespace nplab::ring_model {

enum class PutAt : std::uint8_t {
  kTurn,          // waits in BEGIN_TURN
  kTakeTail,      // test-and-set of TAIL
  kReadTail,      //
  kReadCounts,    // TAIL and FREED in one burst
  kReadFreed,     //
  kReadEntry,     // its packet information
  kGiveTailBack,  // writes TAIL as it was
  kAdvanceTail,   // writes TAIL + 2
  kWriteRest,     // the later burst of a long entry
  kWriteFirst,    // the burst that says that the entry is there
  kDone,          // all items are put
};
bool is_write(PutAt at);
const char* text_of(PutAt at);

class ProducerSteps : public SideSteps<Producer, PutAt> {
 public:
  ProducerSteps(const RingSetup& setup, RingState& state, unsigned number)
      : SideSteps(setup, state, setup.producers, state.producers, number),
        engine_(state.producer_engines[engine_number()]),
        number_(number) {}

  void begin();    // at the start of the run: any thread may have the first turn
  void perform();  // what memory does
  [[nodiscard]] const Word* word_to_lock() const {
    return at() == PutAt::kTakeTail ? &state_.memory.tail : nullptr;
  }
  [[nodiscard]] bool can_run() const;
  void run();  // the thread, to its next reference

 private:
  void put();
  void begin_put();
  void find_room();
  void leave_without_room(std::uint32_t freed);
  void reserve();
  void advance_tail();
  void tail_advanced();
  void write_entry();
  void burst_written();
  void entry_written();
  void abandon_put();
  void end_turn();
  void signal();
  void finish();

  [[nodiscard]] std::uint32_t tail() const;  // where the side counts
  [[nodiscard]] Word& known_freed() const;
  [[nodiscard]] bool is_full(std::uint32_t freed) const;
  [[nodiscard]] bool advances_first() const;
  [[nodiscard]] Item item() const { return item_of(number_, thread().put); }

  ProducerEngine& engine_;
  unsigned number_;
};

}  // namespace nplab::ring_model
