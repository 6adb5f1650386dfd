// get() of a ring with a lap bit or an entry flag, as mappings/composition/ring_code.cpp generates
// it; functions have the names that they have there.
#pragma once

#include "side_steps.h"

namespace nplab::ring_model {

enum class GetAt : std::uint8_t {
  kTurn,          // waits in BEGIN_TURN
  kTakeHead,      // test-and-set of HEAD
  kReadHead,      //
  kReadFirst,     // the burst that says whether the entry is there
  kReadRest,      // the later burst of a long entry
  kGiveHeadBack,  // writes HEAD as it was
  kAdvanceHead,   // writes HEAD + 2 for each entry
  kNotice,        // writes FREED
  kFree,          // writes 0 in place of packet information
  kSleep,         // waits for the inter-thread event
  kCommit,        // waits until the entries claimed before have been given back
};
bool is_write(GetAt at);
const char* text_of(GetAt at);

class ConsumerSteps : public SideSteps<Consumer, GetAt> {
 public:
  ConsumerSteps(const RingSetup& setup, RingState& state, unsigned number)
      : SideSteps(setup, state, setup.consumers, state.consumers, number),
        engine_(state.consumer_engines[engine_number()]) {}

  void begin();    // at the start of the run: any thread may have the first turn
  void perform();  // what memory does
  [[nodiscard]] const Word* word_to_lock() const {
    return at() == GetAt::kTakeHead ? &head_word() : nullptr;
  }
  [[nodiscard]] bool can_run() const;
  void run();  // the thread, to its next reference

 private:
  void get();
  void begin_get();
  void claim();
  void give_claim_back();
  void abandon_get();
  void leave_empty();
  void entry_is_there();
  void load_values(const Entry& entry);
  void values_loaded();
  void advance_head();
  void head_advanced();
  void notice();
  void entry_given_back();
  void finish();
  void end_turn();

  // Where the count of taken entries is in memory.
  [[nodiscard]] Word& head_word() const;
  // The entry that the thread reads: the next of its quantum, or the ring's.
  [[nodiscard]] std::uint32_t count() const;
  [[nodiscard]] bool has_quantum() const { return thread().left > 0; }
  [[nodiscard]] bool is_missing(const Entry& entry) const;
  [[nodiscard]] std::uint32_t next_head() const {
    return value(thread().head) + 2 * setup_.quantum;
  }

  ConsumerEngine& engine_;
};

}  // namespace nplab::ring_model
