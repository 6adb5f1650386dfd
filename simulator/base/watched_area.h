// Ranges of memory whose references are counted one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/program_image.h"

namespace nplab::simulator {

// In bytes. Areas of a memory do not overlap.
struct WatchedArea {
  isa::MemorySpace space{};
  std::uint32_t base = 0;
  std::uint64_t bytes = 0;
};

// The areas of one memory, with what was counted for each; a reference belongs where it begins.
class AreaCounters {
 public:
  AreaCounters() = default;
  // Of `areas` those in `space`.
  AreaCounters(const std::vector<WatchedArea>& areas, isa::MemorySpace space) {
    for (std::uint32_t i = 0; i < areas.size(); ++i) {
      if (areas[i].space == space)
        counters_.push_back({areas[i].base, areas[i].base + areas[i].bytes, i, 0});
    }
    std::sort(counters_.begin(), counters_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
  }

  void count(std::uint32_t address) {
    const auto counter =
        std::partition_point(counters_.begin(), counters_.end(),
                             [address](const Counter& area) { return area.end <= address; });
    if (counter != counters_.end() && address >= counter->begin)
      ++counter->references;
  }

  // Puts the counts where the areas stood in the list that they were made from.
  void collect(std::vector<std::uint64_t>& references) const {
    for (const Counter& counter : counters_)
      references.at(counter.number) = counter.references;
  }

 private:
  struct Counter {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t number;
    std::uint64_t references;
  };
  std::vector<Counter> counters_;
};

}  // namespace nplab::simulator
