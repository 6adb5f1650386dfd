// Setups by their parts, and what tests expect of an exploration.
#pragma once

#include <vector>

#include "ring_model.h"

namespace nplab::ring_model {

using Engines = std::vector<unsigned>;  // of each thread of a side

// Two counts before they wrap around.
inline constexpr std::uint32_t kNearWrapAround = 0xFFFFFFFC;

inline RingSetup ring(std::uint32_t entries, const Engines& producers, const Engines& consumers) {
  RingSetup setup;
  setup.entries = entries;
  setup.producers = side_on(producers);
  setup.consumers = side_on(consumers);
  setup.first_count = kNearWrapAround;
  return setup;
}
RingSetup with_items(RingSetup setup, unsigned items);  // that each producer puts
RingSetup with_shape(RingSetup setup, RingShape shape);
RingSetup with_bursts(RingSetup setup, unsigned bursts);
RingSetup with_rings(RingSetup setup, unsigned rings);  // of each thread
RingSetup with_batch(RingSetup setup, std::uint32_t batch);
RingSetup with_quantum(RingSetup setup, std::uint32_t quantum);
RingSetup with_release_on(RingSetup setup, const Engines& releasers);
RingSetup with_lock_cam(RingSetup setup);
RingSetup with_signal(RingSetup setup);
RingSetup with_order(RingSetup setup, MemoryOrder order);
RingSetup with(RingSetup setup, Mutation mutation);

// Each is one assertion of the running test, which prints the shortest counterexample if it fails.
void check_right(const RingSetup& setup);
void check_violates(const RingSetup& setup, Property property);
void check_gets_stuck(const RingSetup& setup);

}  // namespace nplab::ring_model
