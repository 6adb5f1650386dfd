#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "simulator/fbi/latency_histogram.h"

namespace nplab::simulator {
namespace {

TEST_CASE("without samples every figure is 0") {
  const LatencyHistogram histogram;
  CHECK(histogram.samples() == 0);
  CHECK(histogram.min() == 0);
  CHECK(histogram.percentile(50) == 0);
  CHECK(histogram.max() == 0);
}

TEST_CASE("percentiles are those of the sorted samples, by nearest rank, for short and long latencies") {
  const auto [samples, highest] = GENERATE(std::pair{1u, 10u}, std::pair{2u, 10u}, std::pair{99u, 500u},
      std::pair{100u, 1000u},
                                           std::pair{10'001u, 200'000u}, std::pair{3u, 2'000'000u});
  std::mt19937 random(samples);
  LatencyHistogram histogram;
  std::vector<Cycles> all;
  for (unsigned i = 0; i < samples; ++i) {
    all.push_back(random() % highest);
    histogram.add(all.back());
  }
  std::sort(all.begin(), all.end());
  CHECK(histogram.samples() == samples);
  CHECK(histogram.min() == all.front());
  CHECK(histogram.max() == all.back());
  for (const unsigned percent : {1u, 50u, 90u, 99u}) {
    const std::size_t rank = (all.size() * percent + 99) / 100;
    CHECK(histogram.percentile(percent) == all[rank - 1]);
  }
}

}  // namespace
}  // namespace nplab::simulator
