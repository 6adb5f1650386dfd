#include "lock_model.h"

#include <bit>

namespace nplab::lock_model {

using mappings::LockPrimitive;

namespace {

constexpr std::uint8_t kHeld = 1;
constexpr std::uint8_t kFirst = 0;   // of a take
constexpr std::uint8_t kDone = 255;  // all rounds

// The take has ended: what it read last is the count.
void enter(LockState& state, Thread& own, std::uint8_t value, std::uint8_t next) {
  own.value = value;
  own.at = next;
  ++state.inside;
}

void leave(LockState& state) {
  --state.inside;
}

void end_round(Thread& own) {
  own.seen = own.value = 0;
  own.at = --own.rounds == 0 ? kDone : kFirst;
}

std::uint8_t node_of(unsigned thread) {
  return static_cast<std::uint8_t>(thread + 1);
}

}  // namespace

LockState LockModel::start() const {
  LockState state;
  for (unsigned thread = 0; thread < threads_; ++thread)
    state.threads[thread].rounds = static_cast<std::uint8_t>(rounds_);
  return state;
}

bool LockModel::is_final(const LockState& state) const {
  for (unsigned thread = 0; thread < threads_; ++thread) {
    if (state.threads[thread].at != kDone)
      return false;
  }
  return true;
}

state_space::Violation LockModel::violation_of(const LockState& state) const {
  if (state.inside > 1)
    return kTwoInside;
  const unsigned counted =
      primitive_ == LockPrimitive::kCompareAndSwap ? state.lock >> 1 : state.count;
  return is_final(state) && counted != threads_ * rounds_ ? kLostCount : kRight;
}

bool LockModel::take_step(LockState& state, unsigned thread) const {
  Thread& own = state.threads[thread];
  if (own.at == kDone)
    return false;
  switch (primitive_) {
    case LockPrimitive::kCompareAndSwap: return step_swap(state, own);
    case LockPrimitive::kMutex: return step_mutex(state, own);
    case LockPrimitive::kCondition: return step_condition(state, thread);
    case LockPrimitive::kTicket: return step_ticket(state, own);
    default: return step_mcs(state, thread);
  }
}

// The lock is the lowest bit of the count.
bool LockModel::step_swap(LockState& state, Thread& own) const {
  enum : std::uint8_t { kLook = kFirst, kSwap, kGive };
  switch (own.at) {
    case kLook:
      own.seen = state.lock;
      own.at = own.seen & kHeld ? kLook : kSwap;
      return true;
    case kSwap:
      if (state.lock != own.seen && !is(Mutation::kSwapsBlindly)) {
        own.at = kLook;
        return true;
      }
      state.lock = own.seen | kHeld;
      enter(state, own, own.seen, kGive);
      return true;
    default:
      state.lock = own.value + 2;
      leave(state);
      end_round(own);
      return true;
  }
}

bool LockModel::step_mutex(LockState& state, Thread& own) const {
  enum : std::uint8_t { kTry = kFirst, kRead, kWrite, kGive };
  switch (own.at) {
    case kTry:
      own.at = state.lock & kHeld ? kTry : kRead;
      state.lock = kHeld;
      return true;
    case kRead: enter(state, own, state.count, kWrite); return true;
    case kWrite:
      state.count = own.value + 1;
      leave(state);
      own.at = kGive;
      return true;
    default:
      state.lock = 0;
      end_round(own);
      return true;
  }
}

bool LockModel::step_condition(LockState& state, unsigned thread) const {
  enum : std::uint8_t {
    kTry = kFirst,
    kSay,
    kTryAgain,
    kUnsay,
    kSleep,
    kUnsayAwake,
    kRead,
    kWrite,
    kGive,
    kLook,
    kPick
  };
  Thread& own = state.threads[thread];
  const auto bit = static_cast<std::uint8_t>(1u << thread);
  switch (own.at) {
    case kTry:
      own.at = state.lock ? kSay : kRead;
      state.lock = kHeld;
      return true;
    case kSay:
      state.waiters |= bit;
      own.at = is(Mutation::kSleepsWithoutSecondLook) ? kSleep : kTryAgain;
      return true;
    case kTryAgain:
      own.at = state.lock ? kSleep : kUnsay;
      state.lock = kHeld;
      return true;
    case kUnsay:
      state.waiters &= static_cast<std::uint8_t>(~bit);
      own.at = kRead;
      return true;
    case kSleep:
      if (!state.signal[thread])
        return false;
      state.signal[thread] = 0;
      own.at = is(Mutation::kKeepsItsBit) ? kTry : kUnsayAwake;
      return true;
    case kUnsayAwake:
      state.waiters &= static_cast<std::uint8_t>(~bit);
      own.at = kTry;
      return true;
    case kRead: enter(state, own, state.count, kWrite); return true;
    case kWrite:
      state.count = own.value + 1;
      leave(state);
      own.at = kGive;
      return true;
    case kGive:
      state.lock = 0;
      own.at = kLook;
      return true;
    case kLook:
      own.seen = state.waiters & static_cast<std::uint8_t>(-state.waiters);
      if (own.seen)
        own.at = kPick;
      else
        end_round(own);
      return true;
    default:
      if (state.waiters & own.seen)
        ++state.in_flight[static_cast<unsigned>(std::countr_zero(own.seen))];
      state.waiters &= static_cast<std::uint8_t>(~own.seen);
      end_round(own);
      return true;
  }
}

bool LockModel::step_ticket(LockState& state, Thread& own) const {
  enum : std::uint8_t { kLook = kFirst, kSwap, kWait, kRead, kWrite, kReadServed, kGive };
  switch (own.at) {
    case kLook:
      own.seen = state.lock;
      own.at = kSwap;
      return true;
    case kSwap:
      if (state.lock != own.seen && !is(Mutation::kSwapsBlindly)) {
        own.at = kLook;
        return true;
      }
      state.lock = own.seen + 1;
      own.at = kWait;
      return true;
    case kWait: own.at = state.served == own.seen ? kRead : kWait; return true;
    case kRead: enter(state, own, state.count, kWrite); return true;
    case kWrite:
      state.count = own.value + 1;
      leave(state);
      own.at = kReadServed;
      return true;
    case kReadServed:
      own.seen = state.served;
      own.at = kGive;
      return true;
    default:
      state.served = own.seen + 1;
      end_round(own);
      return true;
  }
}

bool LockModel::step_mcs(LockState& state, unsigned thread) const {
  enum : std::uint8_t {
    kInit = kFirst,
    kLook,
    kSwap,
    kLink,
    kLateWaits,
    kWait,
    kRead,
    kWrite,
    kNext,
    kLeave,
    kAwaitLink,
    kGive
  };
  Thread& own = state.threads[thread];
  const bool late = is(Mutation::kWaitsAfterLink);
  switch (own.at) {
    case kInit:
      state.next[thread] = 0;
      state.waits[thread] = late ? 0 : 1;
      own.at = kLook;
      return true;
    case kLook:
      own.seen = state.lock;
      own.at = kSwap;
      return true;
    case kSwap:
      if (state.lock != own.seen) {
        own.at = kLook;
        return true;
      }
      state.lock = node_of(thread);
      own.at = own.seen ? kLink : kRead;
      return true;
    case kLink:
      state.next[own.seen - 1u] = node_of(thread);
      own.at = late ? kLateWaits : kWait;
      return true;
    case kLateWaits:
      state.waits[thread] = 1;
      own.at = kWait;
      return true;
    case kWait: own.at = state.waits[thread] ? kWait : kRead; return true;
    case kRead: enter(state, own, state.count, kWrite); return true;
    case kWrite:
      state.count = own.value + 1;
      leave(state);
      own.at = kNext;
      return true;
    case kNext:
      own.seen = state.next[thread];
      own.at = own.seen ? kGive : kLeave;
      return true;
    case kLeave:
      if (state.lock == node_of(thread)) {
        state.lock = 0;
        end_round(own);
      } else if (is(Mutation::kGivesWithoutLink)) {
        end_round(own);
      } else {
        own.at = kAwaitLink;
      }
      return true;
    case kAwaitLink:
      own.seen = state.next[thread];
      own.at = own.seen ? kGive : kAwaitLink;
      return true;
    default:
      state.waits[own.seen - 1u] = 0;
      end_round(own);
      return true;
  }
}

}  // namespace nplab::lock_model
