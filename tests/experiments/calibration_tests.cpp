// Sampling, scoring and conclusions of the calibration, on models whose answers are known.
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "experiments/calibration/analysis.h"
#include "experiments/calibration/parameter_space.h"
#include "experiments/calibration/sampling.h"
#include "experiments/calibration/scoring.h"
#include "experiments/calibration/steady_extension.h"

using namespace nplab::experiments;
namespace reports = nplab::reports;

namespace {

OpenParameter parameter(const std::string& name, std::int64_t low, std::int64_t high) {
  OpenParameter made;
  made.name = name;
  made.keys = {"tuning." + name};
  for (std::int64_t value = low; value <= high; ++value)
    made.levels.push_back(value);
  return made;
}

std::vector<OpenParameter> two_parameters() {
  return {parameter("work", 0, 99), parameter("poll", 0, 9)};
}

std::vector<Target> targets_at(const std::vector<double>& printed, double within) {
  std::vector<Target> targets;
  for (const double value : printed)
    targets.push_back({"ls", "receive_rate", value, within});
  return targets;
}

// A run whose memory is active and whose engine is busy half of the time until `filled` and always
// afterwards, in intervals of 100 cycles; a packet is received in every 10th cycle.
reports::RunRecord filling_run(std::size_t intervals, std::size_t filled) {
  reports::RunRecord record;
  record.clocks = {1000000, 400000};
  record.cycles = {100 * intervals, 40 * intervals};
  record.samples.interval_cycles = 100;
  reports::StateActivity executing{"executing", {}};
  reports::MemoryActivity sram{"sram", {}, {}};
  for (std::size_t i = 0; i < intervals; ++i) {
    const std::uint64_t busy = i < filled ? 50 : 100;
    executing.cycles.values.push_back(busy);
    sram.active_cycles.values.push_back(busy);
    record.samples.received.push_back(10 * (i + 1));
    record.samples.sent.push_back(5 * (i + 1));
  }
  const std::uint64_t total = 50 * filled + 100 * (intervals - filled);
  reports::Engine engine;
  engine.cycles = {total, 0, 0, 100 * intervals - total};
  engine.instructions = total;
  record.engines = {engine};
  record.memory.sram.active_cycles = total;
  record.packets.received = 10 * intervals;
  record.packets.sent = 5 * intervals;
  record.activity = reports::Activity{100, {{0, 0, {executing}}}, {sram}, {}, 0, {}};
  return record;
}

}  // namespace

TEST_CASE("a Latin hypercube draws each part of every range once", "[calibration]") {
  const auto sample = latin_hypercube(two_parameters(), 100, 7);
  REQUIRE(sample.size() == 100);
  std::set<std::size_t> work;
  std::vector<int> poll(10);
  for (const Setting& setting : sample) {
    work.insert(setting[0]);
    ++poll[setting[1]];
  }
  CHECK(work.size() == 100);
  CHECK(poll == std::vector<int>(10, 10));
}

TEST_CASE("samples follow from their seed", "[calibration]") {
  const auto parameters = two_parameters();
  const auto sample = latin_hypercube(parameters, 50, 7);
  CHECK(sample == latin_hypercube(parameters, 50, 7));
  CHECK(sample != latin_hypercube(parameters, 50, 8));
  const auto near = settings_near(parameters, sample, sample, 20, {}, 3);
  CHECK(near == settings_near(parameters, sample, sample, 20, {}, 3));
  CHECK(near != settings_near(parameters, sample, sample, 20, {}, 4));
}

TEST_CASE("settings near others are new, within the ranges, and reach both ends of each range",
          "[calibration]") {
  const auto parameters = two_parameters();
  const std::vector<Setting> parents{{50, 5}};
  const auto near = settings_near(parameters, parents, parents, 300, {}, 1);
  REQUIRE(near.size() > 200);
  std::set<Setting> distinct(near.begin(), near.end());
  CHECK(distinct.size() == near.size());
  CHECK_FALSE(distinct.contains(parents.front()));
  std::size_t lowest = 99, highest = 0;
  for (const Setting& setting : near) {
    REQUIRE(setting[0] < 100);
    REQUIRE(setting[1] < 10);
    lowest = std::min(lowest, setting[0]);
    highest = std::max(highest, setting[0]);
  }
  CHECK(lowest < 5);
  CHECK(highest > 94);
}

TEST_CASE("a space that is exhausted gives the settings that it has", "[calibration]") {
  const std::vector<OpenParameter> parameters{parameter("yields", 0, 1)};
  CHECK(settings_near(parameters, {{0}}, {{0}}, 10, {}, 1) == std::vector<Setting>{{1}});
}

TEST_CASE("a setting is what --set takes, for the mapping's queues and without the chip's keys",
          "[calibration]") {
  OpenParameter poll = parameter("poll", 0, 9);
  poll.keys = {"queues.*.poll_cycles"};
  OpenParameter rings = parameter("rings", 16, 18);
  rings.mappings = {"bv2"};
  OpenParameter fifo = parameter("fifo", 2, 4);
  fifo.keys = {"chip.engine.command_fifo_entries"};
  const std::vector<OpenParameter> parameters{poll, rings, fifo};
  using Words = std::vector<std::string>;
  CHECK(overrides_of(parameters, {3, 1, 2}, "ls", {"a", "b"}, ChipValues::kOfSetting) ==
        Words{"queues.a.poll_cycles=3", "queues.b.poll_cycles=3",
              "chip.engine.command_fifo_entries=4"});
  CHECK(overrides_of(parameters, {3, 1, 2}, "bv2", {}, ChipValues::kOfChipFile) ==
        Words{"tuning.rings=17"});
}

TEST_CASE("a figure is met up to its limit, and not beyond", "[calibration]") {
  const auto targets = targets_at({100, 50}, 5);
  const Score at_limit = score_of(targets, {105, 45});
  CHECK(at_limit.met == 2);
  CHECK(at_limit.distance == Approx(1));
  const Score beyond = score_of(targets, {105.01, 50});
  CHECK(beyond.met == 1);
  CHECK(beyond.deviations[0].limits_away == Approx(1.002));
  CHECK(at_limit.is_better_than(beyond));
  CHECK(score_of(targets, {1000, 50}).distance == Approx(kFarthest / 2));
  auto weighted = targets;
  weighted[0].weight = 3;
  CHECK(score_of(weighted, {100, 0}).points == 3);
  CHECK(score_of(weighted, {100, 0}).met == 1);
  CHECK(score_of(weighted, {100, 0}).is_better_than(score_of(weighted, {0, 50})));
  CHECK(score_of(weighted, {1000, 50}).distance == Approx(kFarthest * 3 / 4));
}

TEST_CASE("targets are the printed figures of both mappings, engines of a role as their mean",
          "[calibration]") {
  const auto& bv1 = *reports::find_published("bv1");
  const std::vector<Limit> limits{{{"receive_rate"}, 10, true}, {{"cls.executing_pct"}, 5, false}};
  const auto targets = targets_of("bv1", bv1, limits);
  REQUIRE(targets.size() == 2);
  CHECK(targets[0].printed == 335.36);
  CHECK(targets[0].within == Approx(33.536));
  CHECK(targets[1].printed == Approx(66.25));  // 66.3, 66.2, 66.3, 66.2
  CHECK(targets[1].within == 5);
  const Figures figures{{"receive_rate", 1},           {"engine0.executing_pct", 99},
                        {"engine1.executing_pct", 10}, {"engine2.executing_pct", 20},
                        {"engine3.executing_pct", 30}, {"engine4.executing_pct", 40}};
  CHECK(target_value(targets[1], figures, bv1) == 25);
}

TEST_CASE("figures of a run have the names of the printed table and of the engines",
          "[calibration]") {
  reports::RunRecord record;
  record.rates_mbps = {300, 200};
  record.memory.sram.active_pct = 12.5;
  reports::Engine engine;
  engine.idle_pct = 7;
  record.engines = {engine};
  const Figures figures = figures_of(record);
  CHECK(figures.at("receive_rate") == 300);
  CHECK(figures.at("transmit_rate") == 200);
  CHECK(figures.at("sram_active") == 12.5);
  CHECK(figures.at("engine0.idle_pct") == 7);
  for (const auto& [metric, value] : reports::find_published("ls")->overall) {
    INFO(metric << " is printed as " << value);
    CHECK(figures.contains(metric));
  }
}

TEST_CASE("the slack grows until enough settings are kept, the best first", "[calibration]") {
  std::vector<Score> scores;
  for (const std::size_t met : {4, 9, 7, 10, 7, 2})
    scores.push_back({{}, met, met, 1});
  CHECK(kept_by_rule(scores, 1, 2).indices == std::vector<std::size_t>{3, 1});
  const KeptSettings more = kept_by_rule(scores, 1, 4);
  CHECK(more.indices == std::vector<std::size_t>{3, 1, 2, 4});
  CHECK(more.slack == 3);
  CHECK(kept_by_rule({}, 1, 4).indices.empty());
}

TEST_CASE("a parameter that a figure depends on is identified, and one that none depends on is not",
          "[calibration]") {
  const auto parameters = two_parameters();
  const auto targets = targets_at({60, 30}, 6);
  std::vector<Setting> settings = latin_hypercube(parameters, 400, 1);
  std::vector<Score> scores;
  for (const Setting& setting : settings) {
    const auto work = static_cast<double>(setting[0]);  // both figures depend on it alone
    scores.push_back(score_of(targets, {2 * work, 60 - work}));
  }
  std::vector<Setting> kept;
  for (const std::size_t index : kept_by_rule(scores, 0, 5).indices)
    kept.push_back(settings[index]);
  const auto ranges = remaining_ranges(parameters, kept, 25, 5);
  CHECK(ranges[0].low == 27);
  CHECK(ranges[0].high == 33);
  CHECK(ranges[0].is_identified);
  CHECK(ranges[1].share_pct > 75);
  CHECK_FALSE(ranges[1].is_identified);
}

TEST_CASE("nothing is identified by fewer settings than the rule asks for", "[calibration]") {
  const auto ranges = remaining_ranges(two_parameters(), {{30, 3}, {31, 3}}, 25, 3);
  CHECK(ranges[0].share_pct < 25);
  CHECK_FALSE(ranges[0].is_identified);
  CHECK_FALSE(remaining_ranges(two_parameters(), {}, 25, 0)[0].is_identified);
}

TEST_CASE("parameters that make up for one another are correlated, independent ones are not",
          "[calibration]") {
  const std::vector<OpenParameter> parameters{parameter("a", 0, 99), parameter("b", 0, 99),
                                              parameter("c", 0, 99)};
  std::vector<Setting> settings = latin_hypercube(parameters, 200, 5);
  for (Setting& setting : settings)
    setting[1] = 99 - setting[0];
  const auto found = correlations(parameters, settings, 0.4);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == 0);
  CHECK(found[0].second == 1);
  CHECK(found[0].coefficient == Approx(-1));
}

TEST_CASE("percentiles lie between the two nearest ranks", "[calibration]") {
  std::vector<double> values;
  for (int i = 100; i >= 0; --i)
    values.push_back(i);
  const Percentiles p = percentiles_of(values);
  CHECK(p.p5 == 5);
  CHECK(p.p50 == 50);
  CHECK(p.p95 == 95);
  CHECK_FALSE(p.is_within(179));
  CHECK(p.is_within(180));
  CHECK(Percentiles{0.0, 0.01, 0.1}.is_within(25));
  CHECK_FALSE(Percentiles{0.0, 0.01, 0.2}.is_within(25));
  CHECK(percentiles_of({3}).p95 == 3);
  CHECK(percentiles_of({1, 2}).p50 == 1.5);
}

TEST_CASE("a shortened run goes on at the rates of its last part", "[calibration]") {
  const reports::RunRecord longer = filling_run(400, 40);
  const auto extended = extended_to(filling_run(100, 40), longer.packets.received, 0.25);
  REQUIRE(extended);
  CHECK(extended->packets.received == longer.packets.received);
  CHECK(extended->packets.sent == longer.packets.sent);
  CHECK(extended->cycles.core == longer.cycles.core);
  CHECK(extended->cycles.ix_bus == longer.cycles.ix_bus);
  CHECK(extended->memory.sram.active_cycles == longer.memory.sram.active_cycles);
  CHECK(extended->engines[0].cycles.executing == longer.engines[0].cycles.executing);
  CHECK(extended->engines[0].cycles.idle == longer.engines[0].cycles.idle);
  CHECK(extended->engines[0].executing_pct == Approx(95));
  CHECK_FALSE(extended->activity);
}

TEST_CASE("a run is not continued from a last part that received nothing", "[calibration]") {
  reports::RunRecord record = filling_run(100, 40);
  for (std::size_t i = 60; i < 100; ++i)
    record.samples.received[i] = record.packets.received;
  CHECK_FALSE(extended_to(record, 2000, 0.25));
  record.activity.reset();
  CHECK_FALSE(extended_to(record, 2000, 0.25));
}
