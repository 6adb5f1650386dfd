// The requester that has waited longest is served; of those that have waited equally long, the one
// with the lowest number.
#pragma once

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class OldestFirst {
 public:
  static constexpr std::string_view kName = "oldest_first";

  explicit OldestFirst(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    std::uint64_t left = requests.asking();
    auto oldest = static_cast<unsigned>(std::countr_zero(left));
    for (left &= left - 1; left != 0; left &= left - 1) {
      const auto requester = static_cast<unsigned>(std::countr_zero(left));
      if (requests.since(requester) < requests.since(oldest))
        oldest = requester;
    }
    return oldest;
  }
  void served(const Requests auto&, unsigned) {}
  void hash(StateHash&) const {}
};

}  // namespace nplab::simulator
