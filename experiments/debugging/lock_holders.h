// Who holds a lock in memory: bits that test_and_set sets in a longword, or an address in the SRAM
// unit's lock CAM. Found by going back in time to where it was taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/debugging/time_travel.h"

namespace nplab::experiments {

struct LockHolder {
  LockPlace place;             // with the bits that are held; 0: by the lock CAM
  std::optional<Hit> taken{};  // how and when; none: before cycle 0
};

// All locks of the place that are held now. The run is where it was afterwards.
std::vector<LockHolder> lock_holders(TimeTravel& run, const LockPlace& place);

}  // namespace nplab::experiments
