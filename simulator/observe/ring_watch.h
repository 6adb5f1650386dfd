// Counts what goes through rings in memory by the counters that software keeps there: it pays
// nothing for it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program_image.h"
#include "simulator/memory/memory_storage.h"

namespace nplab::simulator {

// A ring whose entries the programs mark with annotations.
struct MarkedRing {
  std::uint32_t queue = 0;  // number of its queue, which the annotations name
  std::uint32_t base = 0;   // byte address
  std::uint32_t bytes = 0;
  bool frees_when_taken = true;
};

// The byte addresses of a ring's running counts, longwords that only go up: entries put in, taken
// out and given back. Where an entry is free as soon as it is taken, the last two are one.
struct WatchedRing {
  isa::MemorySpace space{};
  std::uint32_t put = 0;
  std::uint32_t taken = 0;
  std::uint32_t freed = 0;
  std::optional<MarkedRing> marked{};  // then the memory holds no counts
};

struct RingCounters {
  std::uint32_t put = 0;
  std::uint32_t taken = 0;
  std::uint32_t peak = 0;  // the most entries that were put in and not given back
  [[nodiscard]] std::uint32_t entries() const { return put - taken; }
};

// Entries that each ring holds: put in and not taken out.
std::vector<std::uint32_t> entries_of(const std::vector<RingCounters>& rings);

// The rings of one memory. Observes the storage from its making on.
class RingWatch final : public WriteObserver {
 public:
  // Of `rings` those in `space`, at their numbers in `counters`; the storage is not written once
  // this is gone.
  RingWatch(const std::vector<WatchedRing>& rings, isa::MemorySpace space, MemoryStorage& storage,
            std::vector<RingCounters>& counters);

  void written(std::uint32_t address, std::uint32_t longword) override;

 private:
  enum class Part : std::uint8_t { kPut, kTaken, kFreed, kTakenAndFreed };
  struct Counter {
    std::uint32_t address;
    std::uint32_t ring;
    Part part;
  };
  void add(std::uint32_t address, std::uint32_t ring, Part part) {
    places_.push_back({address, ring, part});
  }

  std::vector<Counter> places_;       // by address
  std::vector<std::uint32_t> freed_;  // by ring
  std::vector<RingCounters>& counters_;
};

}  // namespace nplab::simulator
