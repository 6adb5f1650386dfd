#include "experiments/match_engine/match_series.h"

namespace nplab::experiments {
namespace {

constexpr std::size_t kMostSamples = 240;

}  // namespace

void MatchSeries::look(const simulator::match::MatchEngine& engine, const MatchAnswers& answers) {
  if (++looks_ % every_ != 0)
    return;
  const auto& cache = engine.cache().counters();
  samples_.push_back({engine.now().number(), answers.packets, cache.hits, cache.misses,
                      engine.input().counters().held_sessions,
                      engine.loads().counters().held_places, engine.stores().counters().held_places,
                      static_cast<std::uint64_t>(engine.memory().dram().counters().data_clocks)});
  if (samples_.size() <= kMostSamples)
    return;
  // Every second one stays, the last of them.
  std::vector<MatchSample> kept;
  for (std::size_t i = 1; i < samples_.size(); i += 2)
    kept.push_back(samples_[i]);
  samples_ = std::move(kept);
  every_ *= 2;
}

}  // namespace nplab::experiments
