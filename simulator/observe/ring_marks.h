// Counts what goes through rings by the annotations of the programs that use them, wherever these
// keep their counts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isa/program_image.h"
#include "simulator/observe/ring_watch.h"

namespace nplab::simulator {

class RingMarks {
 public:
  // Of `rings` those that are marked, at their numbers in `counters`, which outlives this.
  RingMarks(const std::vector<WatchedRing>& rings, std::vector<RingCounters>& counters);

  // An annotation of an entry: `place`, any byte address in its ring, and the number of its queue.
  // One that names no ring is not counted.
  void mark(isa::Annotation::Kind kind, std::uint32_t place, std::uint32_t queue);

 private:
  struct Ring {
    std::size_t number = 0;  // among the counters
    MarkedRing where;
    std::uint32_t held = 0;  // entries put in and not free again
  };
  [[nodiscard]] Ring* find(std::uint32_t place, std::uint32_t queue);

  std::map<std::uint32_t, std::vector<Ring>> rings_;  // by queue
  std::vector<RingCounters>& counters_;
};

}  // namespace nplab::simulator
