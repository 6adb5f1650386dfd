// First ready, first come, first served (Rixner and others, ISCA 2000): of the requests whose next
// command a DRAM allows, those whose row is open go first, and of these the oldest; then the oldest
// of the others. Requests are numbered by age.
#pragma once

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class FrFcfs {
 public:
  static constexpr std::string_view kName = "fr_fcfs";

  explicit FrFcfs(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    const std::uint64_t hits = requests.asking() & requests.moves_data();
    return static_cast<unsigned>(std::countr_zero(hits != 0 ? hits : requests.asking()));
  }
  void served(const Requests auto&, unsigned) {}
  void hash(StateHash&) const {}
};

}  // namespace nplab::simulator
