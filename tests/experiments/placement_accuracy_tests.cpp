// Predictions of placements that nobody wrote, compared with simulations.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/exploration/placement_accuracy.h"
#include "tests/paths.h"

using namespace nplab;
using namespace nplab::experiments;

namespace {

ComparedPlacements compared(const PlacementAccuracyOptions& options) {
  Diagnostics diagnostics;
  auto result = compare_placements(options, [](double) {}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE_FALSE(diagnostics.has_errors());
  return result;
}

PlacementAccuracyOptions some(std::vector<std::string> algorithms, std::size_t placements) {
  PlacementAccuracyOptions options;
  options.algorithms = std::move(algorithms);
  options.placements = placements;
  options.experiment.packets = 1500;
  return options;
}

}  // namespace

TEST_CASE("random placements are drawn with the seed, predicted and simulated", "[placements]") {
  auto options = some({"hicuts"}, 2);
  options.bounds = 1;
  const auto first = compared(options);
  REQUIRE(first.placements.size() == 2);
  CHECK(first.failures.empty());
  CHECK(first.placements[0].choices != first.placements[1].choices);
  for (const ComparedPlacement& placement : first.placements) {
    CHECK(placement.predicted > 0);
    CHECK(placement.simulated > 0);
  }
  CHECK_FALSE(first.placements[0].simulated_bound.empty());
  CHECK(first.placements[0].largest_gain_pct >= first.placements[0].gain_of_predicted_pct);
  CHECK(first.placements[1].simulated_bound.empty());
  const auto json = placements_json(first);
  CHECK(json.at("placements").size() == 2);
  CHECK(json.at("claims").size() == 4);
  CHECK(json.at("host").at("predictions_per_s") > 0);
}

TEST_CASE("which random placements are off by more than 10 % is known", "[placements][.full]") {
  std::ifstream file(source_path("tests/experiments/placement_misses.json"));
  const auto known = nlohmann::json::parse(file);
  for (const auto& [algorithm, misses] : known.items()) {
    std::set<std::string> expected, found;
    for (const auto& miss : misses)
      expected.insert(miss.at("choices"));
    for (const ComparedPlacement& placement : compared(some({algorithm}, 20)).placements) {
      if (std::abs(placement.error_pct()) > 10)
        found.insert(placement.choices);
    }
    INFO(algorithm);
    CHECK(found == expected);
  }
}
