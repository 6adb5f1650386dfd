// The IXP1200's choice among the queues of the SDRAM unit: priority, then the bank not used last,
// which is ready sooner, then everything else in its order, then the same bank [R].
#pragma once

#include <array>

#include "simulator/arbitration/arbiter.h"
#include "simulator/base/unit_queues.h"

namespace nplab::simulator {

class Ixp1200Sdram {
 public:
  static constexpr std::string_view kName = "ixp1200";

  explicit Ixp1200Sdram(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    const unsigned same = kBanks[requests.last_bank()], opposite = kBanks[1 - requests.last_bank()];
    for (const unsigned queue : {kPriority, opposite, kOrder})
      if ((requests.asking() >> queue & 1) != 0)
        return queue;
    return same;
  }
  void served(const Requests auto&, unsigned) {}
  void hash(StateHash&) const {}

 private:
  static constexpr unsigned kPriority = kSdramQueues.index_of("priority_queue");
  static constexpr unsigned kOrder = kSdramQueues.index_of("order_queue");
  static constexpr std::array kBanks{kSdramQueues.index_of("even_queue"),
                                     kSdramQueues.index_of("odd_queue")};
};

}  // namespace nplab::simulator
