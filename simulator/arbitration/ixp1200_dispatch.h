// The IXP1200's choice among the ready contexts of an engine: the next in rotation after the one
// that yielded [P].
#pragma once

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class Ixp1200Dispatch {
 public:
  static constexpr std::string_view kName = "ixp1200";

  explicit Ixp1200Dispatch(unsigned) {}

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    return next_in_rotation(requests.asking(), requests.yielded());
  }
  void served(const Requests auto&, unsigned) {}
  void hash(StateHash&) const {}
};

}  // namespace nplab::simulator
