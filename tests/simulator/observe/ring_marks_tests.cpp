// Rings counted by the annotations of the programs that use them.
#include <catch2/catch.hpp>

#include "simulator/observe/ring_marks.h"

namespace nplab::simulator {
namespace {

using Kind = isa::Annotation::Kind;

WatchedRing marked(std::uint32_t queue, std::uint32_t base, bool frees_when_taken) {
  WatchedRing ring;
  ring.marked = {queue, base, 64, frees_when_taken};
  return ring;
}

TEST_CASE("marks of entries count what was put and taken, and the most that a ring held") {
  std::vector<RingCounters> counters;
  RingMarks marks({marked(0, 0x100, true)}, counters);
  for (const Kind kind : {Kind::kQueueEntryPut, Kind::kQueueEntryPut, Kind::kQueueEntryTaken,
                          Kind::kQueueEntryPut, Kind::kQueueEntryTaken})
    marks.mark(kind, 0x110, 0);
  CHECK(counters[0].put == 3);
  CHECK(counters[0].taken == 2);
  CHECK(counters[0].peak == 2);
}

TEST_CASE("an entry that packets' ends free counts until it is marked as free") {
  std::vector<RingCounters> counters;
  RingMarks marks({marked(0, 0x100, false)}, counters);
  marks.mark(Kind::kQueueEntryPut, 0x110, 0);
  marks.mark(Kind::kQueueEntryTaken, 0x110, 0);
  marks.mark(Kind::kQueueEntryPut, 0x118, 0);
  CHECK(counters[0].peak == 2);
  marks.mark(Kind::kQueueEntryFreed, 0x104, 0);
  marks.mark(Kind::kQueueEntryPut, 0x120, 0);
  CHECK(counters[0].peak == 2);
}

TEST_CASE("rings of a queue are told apart by the place, queues by their number") {
  std::vector<RingCounters> counters;
  RingMarks marks({marked(0, 0x100, true), marked(0, 0x140, true), marked(1, 0x100, true),
                   WatchedRing{isa::MemorySpace::kSram, 0x204, 0x200, 0x200}},
                  counters);
  marks.mark(Kind::kQueueEntryPut, 0x13c, 0);
  marks.mark(Kind::kQueueEntryPut, 0x140, 0);
  marks.mark(Kind::kQueueEntryPut, 0x140, 0);
  marks.mark(Kind::kQueueEntryPut, 0x180, 0);  // in no ring of the queue
  marks.mark(Kind::kQueueEntryPut, 0, 1);      // the queue has one ring
  marks.mark(Kind::kQueueEntryPut, 0x200, 2);  // no such queue
  CHECK(counters[0].put == 1);
  CHECK(counters[1].put == 2);
  CHECK(counters[2].put == 1);
  CHECK(counters[3].put == 0);
}

}  // namespace
}  // namespace nplab::simulator
