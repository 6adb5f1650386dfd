// Every interleaving of threads that share a lock, for each kind of lock.
#include <catch2/catch.hpp>

#include "lock_model.h"

using namespace nplab;
using namespace nplab::lock_model;
using mappings::LockPrimitive;
using state_space::Verdict;

namespace {

state_space::Exploration explored(LockPrimitive primitive, unsigned threads, unsigned rounds,
                                  Mutation mutation = Mutation::kNone) {
  return state_space::explore(LockModel(primitive, threads, rounds, mutation));
}

constexpr std::array kPrimitives{LockPrimitive::kCompareAndSwap, LockPrimitive::kMutex,
                                 LockPrimitive::kCondition, LockPrimitive::kTicket,
                                 LockPrimitive::kMcs};

}  // namespace

TEST_CASE("each kind of lock lets one of three threads in at a time, and each of them in the end") {
  for (const LockPrimitive primitive : kPrimitives) {
    const auto found = explored(primitive, 3, 2);
    INFO("primitive " << static_cast<int>(primitive) << ", " << found.states << " states, path "
                      << Catch::StringMaker<std::vector<state_space::Label>>::convert(found.path));
    CHECK(found.verdict == Verdict::kRight);
    CHECK(found.final_states > 0);
  }
}

TEST_CASE("each kind of lock is right for two threads that take it four times") {
  for (const LockPrimitive primitive : kPrimitives) {
    INFO("primitive " << static_cast<int>(primitive));
    CHECK(explored(primitive, 2, 4).verdict == Verdict::kRight);
  }
}

TEST_CASE("a thread that sleeps without a second look at the lock is not woken") {
  CHECK(explored(LockPrimitive::kCondition, 2, 1, Mutation::kSleepsWithoutSecondLook).verdict ==
        Verdict::kStuck);
}

TEST_CASE("a thread that wakes and stays in the list of those that wait takes another's wake-up") {
  CHECK(explored(LockPrimitive::kCondition, 3, 2, Mutation::kKeepsItsBit).verdict ==
        Verdict::kStuck);
}

TEST_CASE("a swap that does not compare lets two threads in") {
  for (const LockPrimitive primitive : {LockPrimitive::kCompareAndSwap, LockPrimitive::kTicket}) {
    const auto found = explored(primitive, 2, 1, Mutation::kSwapsBlindly);
    CHECK(found.verdict == Verdict::kViolated);
    CHECK(found.violation == kTwoInside);
  }
}

TEST_CASE("a thread of a list lock says that it waits before it is in the list") {
  CHECK(explored(LockPrimitive::kMcs, 2, 1, Mutation::kWaitsAfterLink).verdict == Verdict::kStuck);
}

TEST_CASE("a thread that gives a list lock waits for one that is about to join the list") {
  CHECK(explored(LockPrimitive::kMcs, 2, 1, Mutation::kGivesWithoutLink).verdict ==
        Verdict::kStuck);
}
