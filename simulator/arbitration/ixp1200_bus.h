// The IXP1200's choice among the engines whose commands can be granted: the one whose last grant
// was longest ago. (A rotation that moved with every grant would starve engines that wait for a
// full unit while another engine's references to a free one move it.)
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "simulator/arbitration/arbiter.h"

namespace nplab::simulator {

class Ixp1200Bus {
 public:
  static constexpr std::string_view kName = "ixp1200";

  explicit Ixp1200Bus(unsigned engines) : turns_(engines), last_turn_(engines) {
    std::iota(turns_.begin(), turns_.end(), 1);
  }

  [[nodiscard]] unsigned choose(const Requests auto& requests) const {
    std::uint64_t left = requests.asking();
    auto best = static_cast<unsigned>(std::countr_zero(left));
    for (left &= left - 1; left != 0; left &= left - 1) {
      const auto engine = static_cast<unsigned>(std::countr_zero(left));
      if (turns_[engine] < turns_[best])
        best = engine;
    }
    return best;
  }
  // An engine whose command begins a chain keeps the first turn.
  void served(const Requests auto& requests, unsigned engine) {
    turns_[engine] = requests.begins_chain(engine) ? --first_turn_ : ++last_turn_;
  }
  // The engines in the order of their turns.
  void hash(StateHash& hash) const {
    std::vector<unsigned> engines(turns_.size());
    std::iota(engines.begin(), engines.end(), 0);
    std::sort(engines.begin(), engines.end(),
              [this](unsigned x, unsigned y) { return turns_[x] < turns_[y]; });
    hash.add_all(engines);
  }

 private:
  std::vector<std::int64_t> turns_;  // by engine; the least is granted first
  std::int64_t first_turn_ = 0;      // no turn is less
  std::int64_t last_turn_;           // or greater
};

}  // namespace nplab::simulator
