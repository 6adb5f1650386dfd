// Requesters are served in rotation, whatever they ask for and however long they have waited.
#pragma once

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class RoundRobin {
 public:
  static constexpr std::string_view kName = "round_robin";

  explicit RoundRobin(unsigned requesters) : last_(requesters - 1) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    return next_in_rotation(requests.asking(), last_);
  }
  void served(const Requests auto&, unsigned requester) { last_ = requester; }
  void hash(StateHash& hash) const { hash.add(last_); }

 private:
  unsigned last_;  // served; at first the last one, so that the rotation begins with number 0
};

}  // namespace nplab::simulator
