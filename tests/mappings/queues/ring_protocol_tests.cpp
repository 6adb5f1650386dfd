// The protocols of rings are right under every interleaving: nothing is lost, doubled or out of
// order, and the end can always be reached. Counts wrap around during every run.
#include <algorithm>
#include <catch2/catch.hpp>

#include "ring_checks.h"

namespace nplab::ring_model {
namespace {

const std::vector<Engines> kUpToTwoThreads{{0}, {0, 0}, {0, 1}};
const std::vector<Engines> kUpToThreeThreads{{0}, {0, 0}, {0, 1}, {0, 0, 1}, {0, 0, 0}, {0, 1, 2}};

// Every pair of sides.
template <class Visit>
void for_each_pair(const std::vector<Engines>& producers, const std::vector<Engines>& consumers,
                   Visit visit) {
  for (const Engines& putting : producers) {
    for (const Engines& taking : consumers)
      visit(putting, taking);
  }
}

// Enough to use all entries and some of them again, two from each producer at least.
unsigned fewest_items(std::uint32_t entries, const Engines& producers) {
  const auto threads = static_cast<unsigned>(producers.size());
  return std::max(2U, (entries + 2 + threads - 1) / threads);
}
// One more from each.
unsigned items_for(std::uint32_t entries, const Engines& producers) {
  return fewest_items(entries, producers) + 1;
}

}  // namespace

TEST_CASE("rings with a lap bit are right for up to two threads on each side") {
  for (const std::uint32_t entries : {1, 2, 4}) {
    for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
      check_right(with_items(ring(entries, putting, taking), items_for(entries, putting)));
    });
  }
}

TEST_CASE("rings with a lap bit are right for three threads on one side") {
  for (const std::uint32_t entries : {1, 2}) {
    for (const Engines& three : {Engines{0, 0, 1}, Engines{0, 0, 0}, Engines{0, 1, 2}}) {
      check_right(with_items(ring(entries, three, {0}), 2));
      check_right(with_items(ring(entries, {0}, three), entries + 2));
    }
  }
}

TEST_CASE("rings with a lap bit are right wherever a lap stands when counts wrap around") {
  for (const std::uint32_t entries : {1U, 2U, 4U}) {
    for (std::uint32_t before = 0; before <= 4 * entries; before += 2) {
      RingSetup setup = with_items(ring(entries, {0}, {0, 1}), 2 * entries + 1);
      setup.first_count = 0 - before;
      check_right(setup);
      setup.producers = side_on({0, 0});
      setup.consumers = side_on({0, 0});
      setup.items = entries == 1 ? 2 : entries / 2 + 1;
      check_right(setup);
    }
  }
}

TEST_CASE("consumers may say after every entry or every second one what they have freed") {
  for (const std::uint32_t entries : {2, 4}) {
    for_each_pair(kUpToTwoThreads, {{0}, {0, 0}}, [&](const auto& putting, const auto& taking) {
      const RingSetup setup = ring(entries, putting, taking);
      check_right(with_batch(with_items(setup, items_for(entries, putting)), 2));
    });
  }
  check_right(with_batch(with_items(ring(4, {0}, {0}), 7), 4));
}

TEST_CASE("counts in memory without a lock are right for threads of one engine with many rings") {
  for (const std::uint32_t entries : {1, 2}) {
    for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
      const RingSetup setup = with_items(ring(entries, putting, taking), 3);
      check_right(with_rings(setup, 5));
    });
  }
}

TEST_CASE("entries of two bursts are taken complete") {
  for (const RingShape shape : {RingShape::kLapBit, RingShape::kEntryFlag}) {
    for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
      const RingSetup setup = with_items(ring(2, putting, taking), items_for(2, putting));
      check_right(with_bursts(with_shape(setup, shape), 2));
    });
  }
}

TEST_CASE("the end of any packet may free an entry") {
  for (const Engines& releasing : kUpToTwoThreads) {
    for_each_pair({{0}, {0, 1}}, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
      const RingSetup setup = with_items(ring(2, putting, taking), putting.size() == 1 ? 4 : 2);
      check_right(with_release_on(setup, releasing));
    });
    check_right(with_release_on(with_items(ring(2, {0, 0}, {0}), 2), releasing));
  }
}

TEST_CASE("rings with an entry flag are right for consumers that take one to four entries") {
  for (const std::uint32_t quantum : {1, 2, 3, 4}) {
    for (const std::uint32_t entries : {1, 2, 4}) {
      if (quantum > entries)
        continue;
      for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
        const RingSetup setup =
            with_items(ring(entries, putting, taking), items_for(entries, putting));
        check_right(with_quantum(with_shape(setup, RingShape::kEntryFlag), quantum));
      });
    }
  }
}

TEST_CASE("a quantum of more entries than the ring has takes an entry twice") {
  const RingSetup setup = with_shape(with_items(ring(2, {0}, {0, 1}), 4), RingShape::kEntryFlag);
  check_violates(with_quantum(setup, 4), Property::kTakenTwice);
}

TEST_CASE("rings with counters in memory are right for up to two threads on each side") {
  for (const std::uint32_t quantum : {1, 2}) {
    for_each_pair({{0}, {0, 1}}, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
      const RingSetup setup = with_items(ring(2, putting, taking), putting.size() == 1 ? 4 : 2);
      check_right(with_quantum(with_shape(setup, RingShape::kCounters), quantum));
    });
    const RingSetup setup = with_items(ring(2, {0, 0}, {0}), 2);
    check_right(with_quantum(with_shape(setup, RingShape::kCounters), quantum));
  }
  for_each_pair({{0}, {0, 0}}, {{0}, {0, 0}}, [&](const auto& putting, const auto& taking) {
    RingSetup setup = with_shape(ring(2, putting, taking), RingShape::kCounters);
    setup.lock = QueueLock::kThread;
    check_right(setup);
  });
  const RingSetup setup = with_shape(with_items(ring(2, {0}, {0}), 4), RingShape::kCounters);
  for (const Engines& releasing : kUpToTwoThreads)
    check_right(with_release_on(setup, releasing));
}

TEST_CASE("threads that wait for a lock in the SRAM unit take entries as those that try again") {
  for (const RingShape shape : {RingShape::kLapBit, RingShape::kEntryFlag}) {
    for_each_pair({{0}, {0, 0}, {0, 1}, {0, 1, 2}}, {{0}, {0, 1}, {0, 0, 1}},
                  [&](const auto& putting, const auto& taking) {
                    const RingSetup setup =
                        with_items(ring(2, putting, taking), fewest_items(2, putting));
                    check_right(with_lock_cam(with_shape(setup, shape)));
                  });
  }
  for (const Engines& releasing : {Engines{0, 1}, Engines{0, 0, 1}}) {
    const RingSetup setup = with_items(ring(2, {0}, {0, 1}), 4);
    check_right(with_lock_cam(with_release_on(setup, releasing)));
  }
}

TEST_CASE("consumers that sleep until they are signalled miss no entry") {
  for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
    check_right(with_signal(with_items(ring(1, putting, taking), 2)));
    check_right(with_signal(with_items(ring(2, putting, taking), putting.size() == 1 ? 4 : 2)));
    check_right(with_rings(with_signal(ring(2, putting, taking)), 5));
  });
}

TEST_CASE("a consumer that sleeps amid its quantum may wait for a signal that wakes another") {
  const RingSetup setup = with_shape(with_items(ring(2, {0}, {0, 0}), 4), RingShape::kEntryFlag);
  check_right(with_signal(setup));
  check_right(with_quantum(setup, 2));
  check_gets_stuck(with_signal(with_quantum(setup, 2)));
}

// What the protocols ask of memory beyond performing the references of one thread in their order.
TEST_CASE("threads may overtake each other in memory unless those of one engine write FREED") {
  for_each_pair(kUpToTwoThreads, {{0}, {0, 1}}, [&](const auto& putting, const auto& taking) {
    const RingSetup setup = with_items(ring(2, putting, taking), items_for(2, putting));
    check_right(with_order(setup, MemoryOrder::kAny));
  });
  for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
    const RingSetup setup = with_items(ring(2, putting, taking), items_for(2, putting));
    check_right(with_order(with_shape(setup, RingShape::kEntryFlag), MemoryOrder::kAny));
  });
  for_each_pair({{0}, {0, 1}}, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
    const RingSetup setup = with_shape(ring(2, putting, taking), RingShape::kCounters);
    check_right(with_order(setup, MemoryOrder::kAny));
  });
  const RingSetup released = with_items(ring(2, {0}, {0, 0}), 5);
  check_right(with_order(with_release_on(released, {0, 1}), MemoryOrder::kAny));
}

// A late notice takes FREED back by as many entries as the ring has, and nobody writes it again.
TEST_CASE("threads of one engine that write FREED need memory to keep their order") {
  const RingSetup notices = with_items(ring(2, {0}, {0, 0}), 5);
  check_right(notices);
  check_gets_stuck(with_order(notices, MemoryOrder::kAny));
  const RingSetup releases = with_release_on(with_items(ring(2, {0}, {0}), 5), {0, 0});
  check_right(releases);
  check_gets_stuck(with_order(releases, MemoryOrder::kAny));
}

TEST_CASE("renumbering threads of a side changes no verdict") {
  for_each_pair(kUpToTwoThreads, kUpToTwoThreads, [&](const auto& putting, const auto& taking) {
    const RingSetup setup = with_items(ring(2, putting, taking), 2);
    const RingModel reduced(setup, Reduction::kSymmetry);
    const RingModel complete(setup, Reduction::kNone);
    const auto few = state_space::explore(reduced);
    const auto all = state_space::explore(complete);
    INFO(setup.text());
    CHECK(few.verdict == all.verdict);
    CHECK(few.states <= all.states);
    CHECK((few.states < all.states) == (putting.size() > 1 || taking.size() > 1));
  });
}

// The largest of these has 20 million states, about 4 GB.
TEST_CASE("rings with a lap bit are right for up to three threads on each side", "[full]") {
  for (const std::uint32_t entries : {1, 2, 4}) {
    for_each_pair(kUpToThreeThreads, kUpToThreeThreads,
                  [&](const auto& putting, const auto& taking) {
                    const unsigned items = fewest_items(entries, putting);
                    check_right(with_items(ring(entries, putting, taking), items));
                  });
    for_each_pair({{0, 0, 1}, {0, 0, 0}, {0, 1, 2}}, kUpToThreeThreads,
                  [&](const auto& putting, const auto& taking) {
                    check_right(with_items(ring(entries, putting, taking), 3));
                  });
  }
}

TEST_CASE("three threads may say after every second entry what they have freed", "[full]") {
  for (const std::uint32_t entries : {2, 4}) {
    for_each_pair(kUpToThreeThreads, {{0, 0}, {0, 0, 0}},
                  [&](const auto& putting, const auto& taking) {
                    const unsigned items = fewest_items(entries, putting);
                    check_right(with_batch(with_items(ring(entries, putting, taking), items), 2));
                  });
  }
}

TEST_CASE("rings whose entries packets free are right for up to three threads on each side",
          "[full]") {
  for (const std::uint32_t entries : {2, 4}) {
    for (const Engines& releasing : {Engines{0, 0}, Engines{0, 1}}) {
      for_each_pair(kUpToThreeThreads, kUpToThreeThreads,
                    [&](const auto& putting, const auto& taking) {
                      const unsigned items = putting.size() == 1 ? entries + 2 : 2;
                      const RingSetup setup = with_items(ring(entries, putting, taking), items);
                      check_right(with_release_on(setup, releasing));
                    });
    }
  }
}

TEST_CASE("rings with an entry flag are right for up to three threads on each side", "[full]") {
  for (const std::uint32_t quantum : {2, 4}) {
    for_each_pair(
        kUpToThreeThreads, kUpToThreeThreads, [&](const auto& putting, const auto& taking) {
          const RingSetup setup = with_items(ring(4, putting, taking), fewest_items(4, putting));
          check_right(with_quantum(with_shape(setup, RingShape::kEntryFlag), quantum));
        });
  }
}

TEST_CASE("rings with counters in memory are right for three threads on a side", "[full]") {
  for (const auto& [putting, taking] : {std::pair<Engines, Engines>{{0, 0}, {0, 0}},
                                        {{0, 1, 2}, {0, 1, 2}},
                                        {{0, 0, 1}, {0, 1}},
                                        {{0, 1}, {0, 0, 1}}}) {
    for (const std::uint32_t quantum : {1, 2}) {
      const RingSetup setup = with_items(ring(2, putting, taking), 2);
      check_right(with_quantum(with_shape(setup, RingShape::kCounters), quantum));
    }
  }
}

TEST_CASE("three producers wake up to two consumers that sleep", "[full]") {
  for_each_pair({{0, 0, 1}, {0, 0, 0}, {0, 1, 2}}, {{0}, {0, 0}},
                [&](const auto& putting, const auto& taking) {
                  check_right(with_signal(with_items(ring(2, putting, taking), 2)));
                });
}

}  // namespace nplab::ring_model
