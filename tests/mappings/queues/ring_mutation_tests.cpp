// Each thing that a protocol does is needed: without it the exploration finds a run that goes
// wrong, with it none.
#include <catch2/catch.hpp>

#include "ring_checks.h"

namespace nplab::ring_model {
namespace {

RingSetup flags(RingSetup setup) {
  return with_shape(std::move(setup), RingShape::kEntryFlag);
}
RingSetup counters(RingSetup setup) {
  return with_shape(std::move(setup), RingShape::kCounters);
}

void check_needed(const RingSetup& setup, Mutation mutation, Property property) {
  check_right(setup);
  check_violates(with(setup, mutation), property);
}
void check_needed_to_end(const RingSetup& setup, Mutation mutation) {
  check_right(setup);
  check_gets_stuck(with(setup, mutation));
}

}  // namespace

TEST_CASE("consumers of one engine without a turn take an entry twice") {
  check_needed(with_signal(with_items(ring(2, {0}, {0, 0}), 3)), Mutation::kConsumersWithoutTurn,
               Property::kTakenTwice);
  check_needed(flags(with_items(ring(2, {0}, {0, 0}), 3)), Mutation::kConsumersWithoutTurn,
               Property::kTakenTwice);
}

TEST_CASE("claimed entries that are given back out of order are overwritten before they are read") {
  check_needed(with_items(ring(2, {0}, {0, 0}), 4), Mutation::kGivenBackOutOfOrder,
               Property::kOverwritten);
}

// The claim to an entry of the next lap expects the lap bit that the entry has at the start.
TEST_CASE("when claims outnumber entries, an entry is taken that was never written") {
  check_needed(with_items(ring(1, {0}, {0, 0, 0}), 3), Mutation::kMoreClaimsThanEntries,
               Property::kNothingThere);
}

TEST_CASE("producers of one engine without a turn overwrite an entry where a put is not atomic") {
  check_needed(flags(ring(2, {0, 0}, {0})), Mutation::kProducersWithoutTurn,
               Property::kOverwritten);
  check_needed(with_rings(ring(2, {0, 0}, {0}), 2), Mutation::kProducersWithoutTurn,
               Property::kOverwritten);
}

TEST_CASE("threads of several engines without a lock take an entry twice or overwrite it") {
  for (const RingShape shape : {RingShape::kLapBit, RingShape::kEntryFlag, RingShape::kCounters}) {
    check_needed(with_shape(ring(2, {0}, {0, 1}), shape), Mutation::kConsumersWithoutLock,
                 Property::kTakenTwice);
    check_needed(with_shape(ring(2, {0, 1}, {0}), shape), Mutation::kProducersWithoutLock,
                 Property::kOverwritten);
  }
}

// Two releases then count as one. With counters, a ring of which more than all entries seem to be
// in use does not count as full.
TEST_CASE("releases of several engines without a lock lose an entry's room") {
  const RingSetup setup = with_items(ring(2, {0}, {0}), 6);
  check_needed_to_end(with_release_on(setup, {0, 1}), Mutation::kReleasersWithoutLock);
  check_needed(with_release_on(counters(setup), {0, 1}), Mutation::kReleasersWithoutLock,
               Property::kOverwritten);
}

TEST_CASE("consumers that ignore the lap bit take an entry of the last lap") {
  check_needed(with_items(ring(2, {0}, {0}), 3), Mutation::kLapBitIgnored, Property::kTakenTwice);
  check_needed(flags(with_quantum(with_items(ring(2, {0}, {0, 0}), 4), 2)),
               Mutation::kFlagWithoutLap, Property::kTakenTwice);
}

TEST_CASE("a lap bit that is taken from the wrong bit of the count does not tell laps apart") {
  check_needed(with_items(ring(2, {0}, {0}), 3), Mutation::kLapBitOfCount, Property::kTakenTwice);
  check_needed(with_items(ring(4, {0}, {0}), 5), Mutation::kLapBitOfCount, Property::kTakenTwice);
}

TEST_CASE("an entry that is given back before it is read is overwritten") {
  for (const Engines& consumers : {Engines{0}, Engines{0, 0}, Engines{0, 1}}) {
    check_needed(with_bursts(with_items(ring(2, {0}, consumers), 3), 2), Mutation::kFreedBeforeRead,
                 Property::kOverwritten);
  }
}

// A thread's older reading of FREED arrives after a newer one was used: more than all entries then
// seem to be in use. Without threads that share the count nothing goes backwards.
TEST_CASE("a ring with more entries in use than it has counts as full") {
  check_needed(with_items(ring(2, {0, 0}, {0}), 4), Mutation::kRoomByEquality,
               Property::kOverwritten);
  check_right(with(with_items(ring(2, {0}, {0, 0}), 6), Mutation::kRoomByEquality));
}

TEST_CASE("an entry whose first burst is written first is taken incomplete") {
  check_needed(with_bursts(ring(2, {0}, {0}), 2), Mutation::kFirstBurstFirst,
               Property::kIncomplete);
}

TEST_CASE("a tail that is given back without having been advanced is used twice") {
  check_needed(ring(2, {0, 1}, {0}), Mutation::kTailNotAdvanced, Property::kOverwritten);
}

// With as many entries as threads of one engine memory's order hides it: the second write of a
// thread comes after the first of the other.
TEST_CASE("a producer that lets the next one look before its entry is written is overtaken") {
  check_needed(flags(ring(1, {0, 0}, {0})), Mutation::kAdvancedBeforeWritten,
               Property::kOverwritten);
  check_needed(flags(ring(2, {0, 1}, {0})), Mutation::kAdvancedBeforeWritten,
               Property::kOverwritten);
  check_right(with(flags(with_items(ring(2, {0, 0}, {0}), 4)), Mutation::kAdvancedBeforeWritten));
}

// A consumer holds the lock before it has read the entry. A releaser does so when its packet has
// ended: what the lock bit then makes free too early was read long ago.
TEST_CASE("a full ring seems to have room if the lock bit of the freed count is not masked") {
  const RingSetup setup = with_items(ring(2, {0}, {0, 1}), 3);
  check_needed(setup, Mutation::kLockBitNotMasked, Property::kOverwritten);
  check_needed(with_rings(setup, 5), Mutation::kLockBitNotMasked, Property::kOverwritten);
  const RingSetup released = with_release_on(with_items(ring(2, {0}, {0}), 6), {0, 1});
  check_right(with(released, Mutation::kLockBitNotMasked));
}

TEST_CASE("a consumer that sleeps after a packet without looking is not woken for the next") {
  check_needed_to_end(with_signal(ring(2, {0}, {0})), Mutation::kSleepsWithoutLooking);
  check_needed_to_end(with_signal(with_items(ring(2, {0}, {0, 0}), 4)),
                      Mutation::kSleepsWithoutLooking);
}

TEST_CASE("a signal before the entry is written wakes a consumer too early") {
  check_needed_to_end(with_signal(ring(2, {0}, {0})), Mutation::kSignalsBeforeWritten);
  check_needed_to_end(with_signal(ring(2, {0}, {0, 0})), Mutation::kSignalsBeforeWritten);
}

// What consumers take at once but read one by one needs a flag in each entry.
TEST_CASE("a count of freed entries frees those of a quantum before they are read") {
  const RingSetup setup = with_items(ring(2, {0}, {0}), 4);
  check_right(flags(with_quantum(setup, 2)));
  check_violates(with(with_quantum(setup, 2), Mutation::kQuantumByCount), Property::kOverwritten);
}

TEST_CASE("a consumer that tells what it has freed only after more than a lap blocks the ring") {
  check_right(with_batch(with_items(ring(2, {0}, {0}), 6), 2));
  check_gets_stuck(with_batch(with_items(ring(2, {0}, {0}), 6), 4));
  check_gets_stuck(with_batch(with_items(ring(1, {0}, {0}), 4), 2));
}

TEST_CASE("a tail in memory that moves before the entry is written shows an unwritten entry") {
  check_needed(counters(ring(2, {0}, {0})), Mutation::kUnlockedBeforeWritten,
               Property::kNothingThere);
}

}  // namespace nplab::ring_model
