#include <catch2/catch.hpp>

#include "simulator/fbi/ix_clock.h"

namespace nplab::simulator {
namespace {

TEST_CASE("IX cycles begin in core cycles 0, 3, 5, 8, 10: every fifth one two apart, exactly") {
  const IxClock clock(2, 5);
  const std::uint64_t starts[] = {0, 3, 5, 8, 10, 13, 15};
  for (IxCycles k = 0; k < 7; ++k)
    CHECK(clock.start_of(k) == Cycle(starts[k]));
  CHECK(clock.start_of(2'000'000'000) == Cycle(5'000'000'000));
}

TEST_CASE("the first IX cycle from a core cycle on is the first that does not begin before it") {
  const auto [numerator, denominator] =
      GENERATE(std::pair{2u, 5u}, std::pair{1u, 1u}, std::pair{3u, 7u});
  const IxClock clock(numerator, denominator);
  for (std::uint64_t at = 0; at < 100; ++at) {
    const IxCycles k = clock.first_from(Cycle(at));
    CHECK(clock.start_of(k) >= Cycle(at));
    if (k > 0)
      CHECK(clock.start_of(k - 1) < Cycle(at));
  }
}

TEST_CASE("the published run's core cycles give its IX cycles") {
  CHECK(IxClock(2, 5).whole_cycles(10) == 4);
  CHECK(IxClock(2, 5).whole_cycles(11) == 4);
  CHECK(IxClock(2, 5).whole_cycles(13) == 5);
}

}  // namespace
}  // namespace nplab::simulator
