// The exploration itself, on systems small enough to count by hand.
#include "state_space.h"

#include <catch2/catch.hpp>

namespace nplab::state_space {
namespace {

// Two threads that each count to 3, one step at a time.
struct TwoCounters {
  struct State {
    std::uint8_t counts[2];
  };
  Violation violation_at_two_and_one = 0;
  bool is_stuck_at_one_and_two = false;

  [[nodiscard]] State start() const { return {}; }
  [[nodiscard]] bool is_final(const State& state) const {
    return state.counts[0] == 3 && state.counts[1] == 3;
  }
  template <class Visit>
  void for_each_step(const State& state, Visit visit) const {
    if (is_stuck_at_one_and_two && state.counts[0] == 1 && state.counts[1] == 2)
      return;
    for (unsigned thread = 0; thread < 2; ++thread) {
      if (state.counts[thread] == 3)
        continue;
      State next = state;
      ++next.counts[thread];
      const bool is_violation = next.counts[0] == 2 && next.counts[1] == 1;
      visit(next, static_cast<Label>(thread), is_violation ? violation_at_two_and_one : 0);
    }
  }
};

}  // namespace

TEST_CASE("an exploration meets every state that two threads can reach once") {
  const Exploration found = explore(TwoCounters{});
  CHECK(found.verdict == Verdict::kRight);
  CHECK(found.states == 16);
  CHECK(found.steps == 24);
  CHECK(found.final_states == 1);
  CHECK(found.path.empty());
}

TEST_CASE("an exploration returns a shortest path to a violated property") {
  const Exploration found = explore(TwoCounters{.violation_at_two_and_one = 7});
  CHECK(found.verdict == Verdict::kViolated);
  CHECK(found.violation == 7);
  CHECK(found.path == std::vector<Label>{0, 0, 1});
}

TEST_CASE("an exploration finds the state from which the end cannot be reached") {
  const Exploration found = explore(TwoCounters{.is_stuck_at_one_and_two = true});
  CHECK(found.verdict == Verdict::kStuck);
  CHECK(found.path == std::vector<Label>{0, 1, 1});
}

TEST_CASE("an exploration that meets more states than allowed shows nothing") {
  CHECK(explore(TwoCounters{}, 15).verdict == Verdict::kTooLarge);
}

}  // namespace nplab::state_space
