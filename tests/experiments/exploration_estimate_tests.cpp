// What a search expects of points: predictions, the nearest profile, what was learnt from runs.
#include <catch2/catch.hpp>

#include "experiments/exploration/estimator.h"
#include "experiments/exploration/predictions.h"
#include "experiments/exploration/search.h"
#include "experiments/exploration/terrain.h"
#include "tests/paths.h"

using namespace nplab;
using namespace nplab::experiments;

namespace {

// One stage or two; two memories of a table and three values of a parameter: six tails.
Space tm_space() {
  ExplorationRequest request;
  request.algorithm = "tuple-merge";
  request.space = source_path("tests/experiments/terrains/tm.yaml");
  request.options.rules = "gen:acl,count=20";
  Diagnostics diagnostics;
  auto terrain = survey(request, diagnostics);
  REQUIRE(terrain);
  return std::move(terrain->space);
}

// By the last axes: more in memory 1, less with each further value.
MappingFigures made_figures(const Space& space, const Point& point) {
  const auto tail = Space::tail_of(point);
  double rate = 1000 * space.balance(point);
  for (const std::uint32_t choice : tail)
    rate *= 1 + 0.5 * choice;
  return {rate, 10, 20, space.structure(point).all_engines(), {}};
}

// The first point that differs from `point` in its tail alone, in exactly one choice.
Point other_tail(const Space& space, const Point& point) {
  for (const Point& other : space.neighbours(point)) {
    if (Space::tail_of(other) != Space::tail_of(point))
      return other;
  }
  FAIL("the space has one tail");
  return point;
}

}  // namespace

TEST_CASE("a point without a profile is estimated by the nearest one, and by its own later",
          "[exploration]") {
  const Space space = tm_space();
  const PointPredictor predictor = [&](const Point& point) {
    return std::optional(made_figures(space, point));
  };
  Predictions predictions(space, predictor);
  const Point first = space.start(0), other = other_tail(space, first);
  predictions.add_profile(first);
  predictions.predict({first, other}, 10);
  CHECK(predictions.predictions() == 1);  // both need the same
  CHECK_FALSE(predictions.predicted(other));
  CHECK(predictions.estimate(other).packets_per_s == predictions.estimate(first).packets_per_s);
  predictions.add_profile(other);
  predictions.predict({first, other}, 10);
  CHECK(predictions.profiles() == 2);
  CHECK(predictions.predictions() == 2);
  CHECK(predictions.estimate(other).packets_per_s == made_figures(space, other).packets_per_s);
}

TEST_CASE("choices whose runs failed are estimated lower, and tested ones are known",
          "[exploration]") {
  const Space space = tm_space();
  const PointPredictor none;
  Predictions predictions(space, none);
  Estimator estimator(space, predictions);
  const Point good = space.start(0), bad = other_tail(space, good);
  estimator.fit();
  CHECK(estimator.estimate(bad).packets_per_s == estimator.estimate(good).packets_per_s);
  CHECK_FALSE(estimator.is_tested(bad));
  estimator.learn(good, RunLength::kFull, {made_figures(space, good), ""});
  estimator.learn(bad, RunLength::kShort, {std::nullopt, "refused"});
  estimator.fit();
  CHECK(estimator.is_tested(bad));
  // Of the choice alone one run of one failed, of what both share one of two.
  CHECK(estimator.estimate(bad).packets_per_s ==
        Approx((1 - 1.0 / 2) / (1 - 1.0 / 3) * estimator.estimate(good).packets_per_s));
  CHECK(estimator.seen().size() == 1);
}

TEST_CASE("runs that profile count as runs, and are at most 15 % of them", "[exploration]") {
  const Space space = tm_space();
  const PointPredictor predictor = [&](const Point& point) {
    return std::optional(made_figures(space, point));
  };
  const Judge judge({Objective::kRate}, std::nullopt);
  for (const std::size_t runs : {4, 20, 60}) {
    SearchPlan plan;
    plan.packets = 4000;
    plan.short_packets = 1000;
    plan.most_runs = runs;
    std::size_t simulated = 0;
    const SearchResult result = search(
        space, judge, predictor,
        [&](const std::vector<Job>& jobs) {
          simulated += jobs.size();
          std::vector<Outcome> outcomes;
          for (const Job& job : jobs)
            outcomes.push_back({made_figures(space, job.point), ""});
          return outcomes;
        },
        plan);
    CHECK(result.runs == runs);
    CHECK(simulated + result.profiles == runs);
    CHECK(result.profiles == std::max<std::size_t>(1, std::min<std::size_t>(6, runs * 15 / 100)));
  }
}
