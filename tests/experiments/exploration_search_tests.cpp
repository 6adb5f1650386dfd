// The search: what it finds, that it repeats itself, and what it keeps.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include "experiments/exploration/correction.h"
#include "experiments/exploration/journal.h"
#include "experiments/exploration/search.h"
#include "experiments/exploration/space_file.h"
#include "experiments/exploration/terrain.h"
#include "support/temporary_folder.h"
#include "tests/paths.h"
#include "workloads/base/random.h"

using namespace nplab;
using namespace nplab::experiments;

namespace {

Space made_space() {
  Diagnostics diagnostics;
  auto manifest =
      mappings::read_manifest(source_path("mappings/bit-vector/manifest.yaml"), diagnostics);
  REQUIRE(manifest);
  const mappings::ChipFacts chip{"six",
                                 6,
                                 4,
                                 1024,
                                 {{isa::MemorySpace::kSram, 8U << 20},
                                  {isa::MemorySpace::kSdram, 256U << 20},
                                  {isa::MemorySpace::kScratch, 4U << 10}},
                                 8};
  SpaceDescription description = default_space(*manifest, chip);
  description.between.entries = {64};
  description.between.memory = {mappings::QueueMemory::kSram};
  description.classified.entries = {64};
  for (auto& [parameter, values] : description.parameters)
    values.resize(1);
  for (auto& [table, memories] : description.tables)
    memories.resize(1);
  auto space = Space::make({.manifest = *manifest,
                            .chip = chip,
                            .chip_name = "six",
                            .workload_name = "published",
                            .dimensions = 3,
                            .ports = 4,
                            .description = description},
                           diagnostics);
  REQUIRE(space);
  return std::move(*space);
}

// A chip whose rates follow from the choices, with some that fail.
Outcome simulated(const Space& space, const Job& job) {
  const Structure& structure = space.structure(job.point);
  if (structure.threads.front() == 1)
    return {std::nullopt, "refused: one thread"};
  MappingFigures figures;
  double slowest = 1e9;
  for (std::size_t stage = 0; stage < structure.threads.size(); ++stage)
    slowest = std::min(slowest, 1e5 * structure.threads_of(stage));
  figures.packets_per_s = slowest / (1 + 0.1 * job.point[1]);
  figures.engines = structure.all_engines();
  figures.latency_p50_cycles = 1000.0 * static_cast<double>(structure.threads.size()) +
                               static_cast<double>(job.packets) * 0.001;
  figures.latency_p99_cycles = 2 * figures.latency_p50_cycles + 10.0 * job.point[3];
  return {figures, ""};
}

SearchResult search_made(const Space& space, std::uint64_t seed, std::size_t runs = 60,
                         const PointPredictor& predictor = {}) {
  const Judge judge({Objective::kRate, Objective::kLatency, Objective::kEngines}, std::nullopt);
  SearchPlan plan;
  plan.packets = 4000;
  plan.short_packets = 1000;
  plan.most_runs = runs;
  plan.seed = seed;
  return search(
      space, judge, predictor,
      [&](const std::vector<Job>& jobs) {
        std::vector<Outcome> outcomes;
        for (const Job& job : jobs)
          outcomes.push_back(simulated(space, job));
        return outcomes;
      },
      plan);
}

std::vector<Point> front_of(const SearchResult& result) {
  std::vector<Point> points;
  for (const std::size_t i : result.front)
    points.push_back(result.simulated[i].point);
  return points;
}

MappingFigures random_figures(workloads::Random& random) {
  MappingFigures figures;
  figures.packets_per_s = static_cast<double>(random.below(20));
  figures.latency_p99_cycles = static_cast<double>(random.below(20));
  figures.engines = static_cast<unsigned>(random.below(6));
  return figures;
}

}  // namespace

TEST_CASE("the front holds what nothing dominates, and covers everything else", "[exploration]") {
  workloads::Random random(11);
  const Judge judge({Objective::kRate, Objective::kLatency, Objective::kEngines}, 18.0);
  for (int round = 0; round < 50; ++round) {
    std::vector<MappingFigures> figures;
    for (int i = 0; i < 40; ++i)
      figures.push_back(random_figures(random));
    const auto front = judge.front(figures);
    REQUIRE_FALSE(front.empty());
    for (const std::size_t member : front) {
      for (const MappingFigures& other : figures)
        CHECK_FALSE(judge.dominates(other, figures[member]));
    }
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const bool is_covered = std::any_of(front.begin(), front.end(), [&](std::size_t member) {
        return member == i || judge.dominates(figures[member], figures[i]) ||
               (!judge.is_better(figures[member], figures[i]) &&
                !judge.is_better(figures[i], figures[member]));
      });
      CHECK(is_covered);
    }
    const auto best = judge.best(figures, figures.size());
    REQUIRE(best.size() == figures.size());
    CHECK(best.front() == front.front());
    for (std::size_t i = 0; i < best.size(); ++i) {
      for (std::size_t later = i + 1; later < best.size(); ++later)
        CHECK_FALSE(judge.dominates(figures[best[later]], figures[best[i]]));
    }
  }
}

TEST_CASE("rates that the ports limit are equal", "[exploration]") {
  const Judge judge({Objective::kRate, Objective::kEngines}, 1000.0);
  MappingFigures many, few;
  many.packets_per_s = 1000;
  many.engines = 6;
  few.packets_per_s = 996;
  few.engines = 3;
  CHECK(judge.is_better(few, many));
  few.packets_per_s = 994;
  CHECK(judge.is_better(many, few));
}

TEST_CASE("a search with the same seed has the same front, and runs what it may", "[exploration]") {
  const Space space = made_space();
  const SearchResult first = search_made(space, 1), second = search_made(space, 1);
  CHECK(first.runs == 60);
  CHECK_FALSE(first.front.empty());
  CHECK(front_of(first) == front_of(second));
  CHECK(first.short_runs > 20);
  CHECK(first.simulated.size() + first.failed.size() + first.short_runs >= first.runs);
  std::set<Point> points;
  for (const SimulatedPoint& one : first.simulated)
    CHECK(points.insert(one.point).second);
}

TEST_CASE("a search comes near the best of all points in a tenth of the runs", "[exploration]") {
  const Space space = made_space();
  double best = 0;
  std::size_t legal = 0;
  space.for_each([&](const Point& point) {
    const Outcome outcome = simulated(space, {point, 4000});
    if (space.is_legal(point) && outcome.figures) {
      best = std::max(best, outcome.figures->packets_per_s);
      ++legal;
    }
    return true;
  });
  REQUIRE(legal > 500);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SearchResult result = search_made(space, seed, 100);
    REQUIRE_FALSE(result.front.empty());
    CHECK(result.simulated[result.front.front()].figures.packets_per_s >= 0.98 * best);
  }
}

TEST_CASE("with predictions in the right proportion a search finds the best in one round",
          "[exploration]") {
  const Space space = made_space();
  const PointPredictor predictor = [&](const Point& point) {
    auto figures = simulated(space, {point, 4000}).figures;
    if (figures)
      figures->packets_per_s *= 0.8;  // as far from the truth everywhere
    return figures;
  };
  const SearchResult result = search_made(space, 1, 12, predictor);
  CHECK(result.predicted > 200);
  REQUIRE_FALSE(result.front.empty());
  CHECK(result.simulated[result.front.front()].figures.packets_per_s == 1.6e6);  // 16 threads
}

TEST_CASE("factors of choices are found from what was simulated", "[exploration]") {
  std::vector<Observation> observations;
  workloads::Random random(5);
  const auto features = [](std::uint64_t a, std::uint64_t b) {
    return std::vector<std::string>{"a" + std::to_string(a), "b" + std::to_string(b)};
  };
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t a = random.below(3), b = random.below(4);
    const double factor =
        0.8 * std::pow(1.5, static_cast<double>(a)) * std::pow(0.9, static_cast<double>(b));
    observations.push_back({features(a, b), 100, 100 * factor});
  }
  const Correction correction(observations);
  CHECK(correction.corrected(50, features(2, 1)) == Approx(50 * 0.8 * 2.25 * 0.9).epsilon(0.02));
  CHECK(Correction().corrected(50, features(2, 1)) == 50);
}

TEST_CASE("a journal gives back its outcomes, and is refused by another search", "[exploration]") {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::create("nplab-test", diagnostics);
  REQUIRE(folder);
  const std::string file = (folder->path() / "journal.jsonl").string();
  MappingFigures figures;
  figures.packets_per_s = 123456.78901234567;
  figures.latency_p99_cycles = 7;
  figures.engines = 4;
  figures.bound = {"SRAM bus", 98.7, 12.5};
  {
    const auto journal = Journal::open(file, "this", diagnostics);
    REQUIRE(journal);
    journal->append({{1, 2}, 500}, {figures, ""});
    journal->append({{1, 3}, 500}, {std::nullopt, "refused: no room"});
    std::ofstream(file, std::ios::app) << "{\"point\": [1, 4], \"pack";  // a run that was killed
  }
  const auto journal = Journal::open(file, "this", diagnostics);
  REQUIRE(journal);
  CHECK(journal->resumed() == 2);
  REQUIRE(journal->find({{1, 2}, 500}) != nullptr);
  CHECK(journal->find({{1, 2}, 500})->figures->packets_per_s == figures.packets_per_s);
  CHECK(journal->find({{1, 2}, 500})->figures->bound.gain_if_removed_pct == 12.5);
  CHECK(journal->find({{1, 3}, 500})->failure == "refused: no room");
  CHECK(journal->find({{1, 2}, 1000}) == nullptr);
  journal->append({{1, 5}, 500}, {figures, ""});
  CHECK(Journal::open(file, "this", diagnostics)->resumed() == 3);
  CHECK_FALSE(Journal::open(file, "other", diagnostics));
  CHECK_THAT(diagnostics.to_string(), Catch::Contains("another search"));
}

TEST_CASE("a budget is a number and a unit of time", "[exploration]") {
  CHECK(parse_duration("10min") == 600.0);
  CHECK(parse_duration("90s") == 90.0);
  CHECK(parse_duration("1h") == 3600.0);
  CHECK(parse_duration("1.5m") == 90.0);
  for (const char* wrong :
       {"", "10", "min", "-1s", "10 min", "0s", "1d", "1..5s", "99999999999s"}) {
    INFO(wrong);
    CHECK_FALSE(parse_duration(wrong));
  }
}
