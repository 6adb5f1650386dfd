// release() at the end of a packet, as mappings/composition/ring_code.cpp generates it, and that of
// rings with counters.
#pragma once

#include "side_steps.h"

namespace nplab::ring_model {

enum class ReleaseAt : std::uint8_t {
  kPacket,     // waits for a packet to end
  kTakeFreed,  // test-and-set of FREED
  kTakeLock,   // counters: of the releasers' lock
  kReadFreed,  //
  kGiveFreed,  // writes FREED
  kUnlock,     // counters
};
bool is_write(ReleaseAt at);
const char* text_of(ReleaseAt at);

class ReleaserSteps : public SideSteps<Releaser, ReleaseAt> {
 public:
  ReleaserSteps(const RingSetup& setup, RingState& state, unsigned number)
      : SideSteps(setup, state, setup.releasers, state.releasers, number),
        engine_(state.releaser_engines[engine_number()]) {}

  void begin() { wait_at(ReleaseAt::kPacket); }
  void perform();
  [[nodiscard]] const Word* word_to_lock() const {
    return at() == ReleaseAt::kTakeFreed ? &state_.memory.freed : nullptr;
  }
  [[nodiscard]] bool can_run() const;
  void run();

 private:
  void release();
  void give(std::uint32_t freed);
  void finish();

  ReleaserEngine& engine_;
};

}  // namespace nplab::ring_model
