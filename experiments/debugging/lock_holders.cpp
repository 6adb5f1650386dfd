#include "experiments/debugging/lock_holders.h"

#include <algorithm>

namespace nplab::experiments {
namespace {

// A lock word under contention is written all the time; its changes are few.
constexpr unsigned kMostChanges = 64;

bool always() {
  return true;
}

std::uint32_t longword(TimeTravel& run, const LockPlace& place) {
  const auto longwords = run.look(
      {{"look", "memory"}, {"space", place.space}, {"address", place.address}, {"longwords", 1}});
  return longwords.empty() ? 0 : longwords[0].get<std::uint32_t>();
}

StopPoints accesses(const LockPlace& place, MemoryAccess access) {
  StopPoints stops;
  stops.memory.push_back({place.space, place.address, 4, access, 0});
  return stops;
}

bool is_in_cam(TimeTravel& run, const LockPlace& place) {
  const auto locks = run.look({{"look", "locks"}});
  return place.space == isa::MemorySpace::kSram &&
         std::find(locks.begin(), locks.end(), place.address) != locks.end();
}

// Goes back over changes of the longword; each set some of the bits that are set now.
void add_holders_of_bits(TimeTravel& run, LockPlace place, std::vector<LockHolder>& holders) {
  place.bits &= longword(run, place);
  for (unsigned i = 0; i < kMostChanges && place.bits != 0; ++i) {
    const StopPoints changes = accesses(place, MemoryAccess::kChange);
    const auto stop = i == 0 ? run.find_latest(changes, always) : run.find_last(changes, always);
    if (stop.why != TimeTravel::Why::kHit)
      break;
    const std::uint64_t at = run.now();
    run.go_to(at - 1);
    const std::uint32_t set = place.bits & ~longword(run, place);
    run.go_to(at);
    if (set != 0)
      holders.push_back({{place.space, place.address, set}, stop.hits.back()});
    place.bits &= ~set;
  }
  if (place.bits != 0)
    holders.push_back({place, std::nullopt});
}

}  // namespace

std::vector<LockHolder> lock_holders(TimeTravel& run, const LockPlace& place) {
  const std::uint64_t now = run.now();
  std::vector<LockHolder> holders;
  if (is_in_cam(run, place)) {
    const auto stop = run.find_latest(accesses(place, MemoryAccess::kLock), always);
    const bool found = stop.why == TimeTravel::Why::kHit;
    holders.push_back(
        {{place.space, place.address, 0}, found ? std::optional(stop.hits.back()) : std::nullopt});
    run.go_to(now);
  }
  add_holders_of_bits(run, place, holders);
  run.go_to(now);
  return holders;
}

}  // namespace nplab::experiments
