#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
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

TEST_CASE(
    "percentiles are those of the sorted samples, by nearest rank, for short and long latencies") {
  const auto [samples, highest] =
      GENERATE(std::pair{1u, 10u}, std::pair{2u, 10u}, std::pair{99u, 500u}, std::pair{100u, 1000u},
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
  CHECK(histogram.total() == std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
  CHECK(histogram.min() == all.front());
  CHECK(histogram.max() == all.back());
  for (const unsigned percent : {1u, 50u, 90u, 99u}) {
    const std::size_t rank = (all.size() * percent + 99) / 100;
    CHECK(histogram.percentile(percent) == all[rank - 1]);
  }
}

TEST_CASE(
    "buckets are exact below 16 cycles, then an eighth of a power of two wide, and leave out what "
    "is empty") {
  LatencyHistogram histogram;
  for (const Cycles latency :
       {3u, 15u, 16u, 17u, 18u, 1023u, 1024u, 1151u, 1152u, 100'000u, 100'000u})
    histogram.add(latency);
  using Bucket = LatencyHistogram::Bucket;
  CHECK(histogram.buckets() == std::vector<Bucket>{{3, 3, 1},
                                                   {15, 15, 1},
                                                   {16, 17, 2},
                                                   {18, 19, 1},
                                                   {960, 1023, 1},
                                                   {1024, 1151, 2},
                                                   {1152, 1279, 1},
                                                   {98'304, 106'495, 2}});
  CHECK(LatencyHistogram().buckets().empty());
}

}  // namespace
}  // namespace nplab::simulator
