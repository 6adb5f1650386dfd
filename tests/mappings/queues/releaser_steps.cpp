#include "releaser_steps.h"

namespace nplab::ring_model {
namespace {

constexpr std::uint8_t kReleasersLock = 4;  // QUEUE_RELEASERS

}  // namespace

bool is_write(ReleaseAt at) {
  return at != ReleaseAt::kPacket && at != ReleaseAt::kReadFreed;
}

const char* text_of(ReleaseAt at) {
  switch (at) {
    case ReleaseAt::kPacket: return "end of a packet";
    case ReleaseAt::kTakeFreed: return "test-and-set FREED";
    case ReleaseAt::kTakeLock: return "take releasers' lock";
    case ReleaseAt::kReadFreed: return "read FREED";
    case ReleaseAt::kGiveFreed: return "write FREED";
    case ReleaseAt::kUnlock: break;
  }
  return "clear releasers' lock";
}

void ReleaserSteps::perform() {
  Memory& memory = state_.memory;
  Releaser& thread = this->thread();
  switch (at()) {
    case ReleaseAt::kPacket: break;
    case ReleaseAt::kTakeFreed: thread.word = test_and_set(memory.freed); break;
    case ReleaseAt::kTakeLock:
      thread.word = {static_cast<std::uint8_t>(memory.locks & kReleasersLock)};
      memory.locks |= kReleasersLock;
      break;
    case ReleaseAt::kReadFreed: thread.word = memory.freed; break;
    case ReleaseAt::kGiveFreed: memory.freed = thread.released; break;
    case ReleaseAt::kUnlock: memory.locks &= static_cast<std::uint8_t>(~kReleasersLock); break;
  }
  performed();
}

bool ReleaserSteps::can_run() const {
  return at() != ReleaseAt::kPacket || state_.handed_on > 0;
}

void ReleaserSteps::run() {
  const Word read = thread().word;
  thread().word = {};
  switch (at()) {
    case ReleaseAt::kPacket: return release();
    case ReleaseAt::kTakeFreed:
      return (value(read) & kLock) != 0 ? issue(ReleaseAt::kTakeFreed)
                                        : give(value(read) + setup_.count_step());
    case ReleaseAt::kTakeLock:
      return issue(read.distance != 0 ? ReleaseAt::kTakeLock : ReleaseAt::kReadFreed);
    case ReleaseAt::kReadFreed: return give(value(read) + setup_.count_step());
    case ReleaseAt::kGiveFreed:
      return setup_.shape == RingShape::kCounters ? issue(ReleaseAt::kUnlock) : finish();
    case ReleaseAt::kUnlock: return finish();
  }
}

void ReleaserSteps::release() {
  --state_.handed_on;
  if (setup_.shape == RingShape::kCounters)
    return issue(setup_.has(Mutation::kReleasersWithoutLock) ? ReleaseAt::kReadFreed
                                                             : ReleaseAt::kTakeLock);
  if (setup_.releasers.count == CountPlace::kMemory)
    return issue(setup_.has(Mutation::kReleasersWithoutLock) ? ReleaseAt::kReadFreed
                                                             : ReleaseAt::kTakeFreed);
  engine_.released = word(value(engine_.released) + 2);
  give(value(engine_.released));
}

void ReleaserSteps::give(std::uint32_t freed) {
  thread().released = word(freed);
  issue(ReleaseAt::kGiveFreed);
}

void ReleaserSteps::finish() {
  thread().released = {};
  wait_at(ReleaseAt::kPacket);
}

}  // namespace nplab::ring_model
