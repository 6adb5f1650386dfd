// Requests are served in the order of their arrival: nothing is done for a request before the one
// before it has been served. Reads and writes wait in one queue, whose oldest request alone asks.
#pragma once

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class InOrder {
 public:
  static constexpr std::string_view kName = "in_order";
  static constexpr bool kInOrder = true;

  explicit InOrder(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    return static_cast<unsigned>(std::countr_zero(requests.asking()));
  }
  void served(const Requests auto&, unsigned) {}
  void hash(StateHash&) const {}
};

}  // namespace nplab::simulator
