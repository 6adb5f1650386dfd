#include "ring_setup.h"

#include <algorithm>
#include <set>

namespace nplab::ring_model {
namespace {

constexpr unsigned kMostRingsInRegisters = 4;  // as in queue_protocol.h

std::string text_of(const Side& side) {
  std::string text;
  for (const unsigned engine : side.engines)
    text += (text.empty() ? "" : ",") + std::to_string(engine);
  return text + (side.rings > 1 ? " of many rings" : "");
}

}  // namespace

bool Side::is_alone(unsigned thread) const {
  return std::count(engines.begin(), engines.end(), engines[thread]) == 1;
}

Side side_on(std::vector<unsigned> engines, unsigned rings) {
  Side side{.engines = std::move(engines), .rings = rings};
  const std::set<unsigned> different(side.engines.begin(), side.engines.end());
  if (side.engines.size() > 1)
    side.exclusion = different.size() == 1 ? Exclusion::kEngine : Exclusion::kMemoryLock;
  side.shares_engine = different.size() < side.engines.size();
  side.count = CountPlace::kMemory;
  if (side.exclusion == Exclusion::kNone && rings <= kMostRingsInRegisters)
    side.count = CountPlace::kThread;
  else if (side.exclusion == Exclusion::kEngine && rings == 1)
    side.count = CountPlace::kEngine;
  return side;
}

bool RingSetup::lap(std::uint32_t count) const {
  const auto log2_entries = static_cast<unsigned>(std::countr_zero(entries));
  const std::uint32_t from = has(Mutation::kLapBitOfCount) ? count : index(count);
  return (from >> log2_entries & 1) != 0;
}

bool RingSetup::freed_is_locked() const {
  if (release == Release::kEndOfPacket)
    return releasers.count == CountPlace::kMemory;
  return consumers.exclusion == Exclusion::kMemoryLock;
}

std::uint32_t RingSetup::unlocked(std::uint32_t freed) const {
  return freed_is_locked() && !has(Mutation::kLockBitNotMasked) ? freed & ~1U : freed;
}

bool RingSetup::producers_take_turns() const {
  if (has(Mutation::kProducersWithoutTurn))
    return false;
  return producers.shares_engine && (is_in_memory(producers) || !has_lap_bit());
}

bool RingSetup::consumers_claim() const {
  return has_lap_bit() && consumers.exclusion == Exclusion::kEngine &&
         consumers.count == CountPlace::kEngine && wait == Wait::kPoll &&
         (consumers.threads() <= entries || has(Mutation::kMoreClaimsThanEntries));
}

bool RingSetup::consumers_take_turns() const {
  return consumers.shares_engine && !consumers_claim() && !has(Mutation::kConsumersWithoutTurn);
}

bool RingSetup::keeps_freed() const {
  return has_lap_bit() && (!is_in_memory(producers) || (locks(producers) && producers.rings == 1));
}

bool RingSetup::gives_notice() const {
  return has_lap_bit() && release == Release::kDequeue && !is_in_memory(consumers);
}

std::string RingSetup::text() const {
  const char* const shapes[] = {"lap bit", "entry flag", "counters"};
  std::string text = shapes[static_cast<int>(shape)];
  text += ", " + std::to_string(entries) + " entries of " + std::to_string(bursts) + " bursts";
  text += ", producers on " + text_of(producers) + " put " + std::to_string(items);
  text += ", consumers on " + text_of(consumers);
  if (release == Release::kEndOfPacket)
    text += ", released on " + text_of(releasers);
  if (consumers_claim())
    text += ", claims";
  if (gives_notice())
    text += ", batch " + std::to_string(batch);
  if (quantum > 1)
    text += ", quantum " + std::to_string(quantum);
  if (wait == Wait::kSignal)
    text += ", signal";
  if (lock == QueueLock::kThread)
    text += ", lock of threads";
  if (primitive == LockPrimitive::kLockCam)
    text += ", lock CAM";
  if (order == MemoryOrder::kAny)
    text += ", any order";
  return text + ", from " + std::to_string(first_count);
}

}  // namespace nplab::ring_model
