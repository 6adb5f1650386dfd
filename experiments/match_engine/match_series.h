// What a match engine has done over time: samples at equal distances, as many as a chart can show.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/match_engine/match_desk.h"
#include "simulator/match_engine/match_engine.h"

namespace nplab::experiments {

// Up to a cycle, from the start on.
struct MatchSample {
  std::uint64_t cycle = 0;
  std::uint64_t packets = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t session_cycles = 0;  // sums over all cycles of the places that were held
  std::uint64_t load_cycles = 0;
  std::uint64_t store_cycles = 0;
  std::uint64_t data_clocks = 0;  // of all channels
};

class MatchSeries {
 public:
  // At equal distances; what is more than a chart shows is thinned out.
  void look(const simulator::match::MatchEngine& engine, const MatchAnswers& answers);
  [[nodiscard]] std::vector<MatchSample> take() { return std::move(samples_); }

 private:
  std::vector<MatchSample> samples_;
  std::uint64_t every_ = 1;  // how many looks are a sample
  std::uint64_t looks_ = 0;
};

}  // namespace nplab::experiments
