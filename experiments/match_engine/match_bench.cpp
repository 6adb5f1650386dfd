#include "experiments/match_engine/match_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <span>

#include "experiments/match_engine/category_load.h"
#include "experiments/match_engine/match_run.h"
#include "simulator/dram/synthetic_load.h"
#include "simulator/match_engine/design_graph.h"
#include "simulator/match_engine/synthetic_load.h"
#include "support/near_miss.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;
using simulator::match::MatchDescription;
using simulator::match::MatchLoad;
using simulator::match::MatchLoadResult;
namespace match = simulator::match;
namespace dram = simulator::dram;

constexpr std::uint64_t kManyFlows = 1'000'000;
constexpr std::uint64_t kFewFlows = 1'000;
constexpr std::uint64_t kLeastWarmUp = 100'000;  // the cache is full of changed lines
constexpr unsigned kFifteenths = 20;             // of a GHz: 0.75 ns

// Bytes on the wire besides a frame's own: preamble, start and gap.
constexpr double kWireBytes = 20;
constexpr double kLineRate = 100e9;

class MatchBench {
 public:
  MatchBench(const MatchBenchOptions& options, const MatchProgress& progress,
             Diagnostics& diagnostics)
      : options_(options), progress_(progress), diagnostics_(diagnostics) {}

  Json run() {
    Json json{{"schema", "nplab.bench_match_engine/1"},
              {"unit",
               {{"clock_mhz", static_cast<double>(unit(1).clock_hz) / 1e6},
                {"cache_lines", unit(1).cache.lines},
                {"load_queue", unit(1).load_queue},
                {"store_queue", unit(1).store_queue},
                {"memory", "ddr4-2666"},
                {"window", options_.window}}},
              {"packets", options_.packets},
              {"pairs_per_channel_mega", megapairs()},
              {"line_100_gbps_megapackets_per_s", Json::object()}};
    for (const unsigned bytes : {64u, 100u, 250u})
      json["line_100_gbps_megapackets_per_s"][std::to_string(bytes)] =
          kLineRate / 8 / (bytes + kWireBytes) / 1e6;
    for (const std::string& figure : options_.figures)
      json["figures"][figure] = (this->*row_of(figure)->points)();
    return json;
  }

  // A figure is a row and its function.
  struct Row {
    const char* name;
    const char* sentence;
    Json (MatchBench::*points)();
  };
  static std::span<const Row> rows();
  // Null: there is no such figure.
  static const Row* row_of(const std::string& name) {
    const auto row = std::find_if(rows().begin(), rows().end(),
                                  [&name](const Row& one) { return one.name == name; });
    return row == rows().end() ? nullptr : &*row;
  }

 private:
  [[nodiscard]] MatchDescription unit(unsigned channels) const {
    return match::published_unit(channels, options_.window);
  }
  [[nodiscard]] MatchLoad load(std::uint64_t flows) const {
    MatchLoad load;
    load.flows = flows;
    load.packets = options_.packets;
    load.warm_up = std::max(options_.packets, kLeastWarmUp);
    load.seed = options_.seed;
    return load;
  }

  // Random pairs of a read and a write that a channel moves with the calibrated window: measured on
  // the memory alone, 64 in flight.
  double megapairs() {
    if (megapairs_ == 0) {
      dram::DramMemory memory(unit(1).dram);
      megapairs_ = dram::run_load(memory, {.warm_up = 5'000, .requests = 50'000}, kFifteenths)
                       .megarequests_per_s /
                   2;
    }
    return megapairs_;
  }

  Json point(const std::string& step, Json labels, const MatchDescription& description,
             const MatchLoad& load) {
    const MatchLoadResult result =
        match::run_load(description, load, [&](double done) { progress_(step, done); });
    for (const std::string& line : result.waiting)
      diagnostics_.error(without_lines("match engine, " + step), line);
    labels.update({{"megapackets_per_s", result.megapackets_per_s},
                   {"megarequests_per_s", result.megarequests_per_s},
                   {"miss_pct", result.miss_percent},
                   {"latency_cycles", result.latency_cycles},
                   {"dram_pct_of_peak", result.dram_percent_of_peak},
                   {"load_queue_places", result.load_queue_places},
                   {"store_queue_places", result.store_queue_places},
                   {"references_per_request", result.references_per_lookup},
                   {"bound_megarequests_per_s",
                    match::traffic_bound(description, result.references_per_lookup,
                                         static_cast<double>(result.reads + result.writes) /
                                             static_cast<double>(result.lookups + result.updates),
                                         megapairs())},
                   {"dram_reads", result.reads},
                   {"dram_writes", result.writes},
                   {"merged", result.merged},
                   {"cancelled", result.cancelled},
                   {"dropped", result.dropped},
                   {"refused_rules", result.refused_rules},
                   {"exact", result.is_exact}});
    return labels;
  }

  Json flows() {
    std::vector<std::uint64_t> counts = options_.flows;
    if (counts.empty())
      counts = {1'000,  2'000,  5'000,   10'000,  16'384,  20'000,
                32'768, 65'536, 100'000, 200'000, 500'000, kManyFlows};
    Json points = Json::array();
    for (const unsigned channels : options_.channels)
      for (const std::uint64_t count : counts) {
        const MatchDescription description = unit(channels);
        const auto& cache = description.cache;
        const double any = match::miss_share(count, cache.lines);
        const double sets = match::miss_share_of_sets(count, cache.lines, cache.ways);
        points.push_back(point(
            fmt::format("{} channels, {} flows", channels, count),
            {{"channels", channels},
             {"flows", count},
             {"analytic_megapackets_per_s", match::analytic_rate(description, any, megapairs())},
             {"analytic_sets_megapackets_per_s",
              match::analytic_rate(description, sets, megapairs())}},
            description, load(count)));
      }
    return points;
  }

  Json state() {
    Json points = Json::array();
    for (const bool on_chip : {false, true})
      for (const unsigned channels : {1u, 2u, 4u}) {
        MatchDescription description = unit(channels);
        description.state = on_chip ? match::StateIn::kChip : match::StateIn::kEntries;
        points.push_back(point(fmt::format("state, {} channels", channels),
                               {{"state", on_chip ? "chip" : "entries"}, {"channels", channels}},
                               description, load(kManyFlows)));
      }
    return points;
  }

  Json updates() {
    Json points = Json::array();
    for (const std::uint64_t count : {kFewFlows, kManyFlows})
      for (const unsigned percent : {0u, 10u, 20u, 30u, 40u, 50u}) {
        MatchLoad updated = load(count);
        updated.update_percent = percent;
        points.push_back(point(fmt::format("{} flows, {} % updates", count, percent),
                               {{"flows", count}, {"update_pct", percent}}, unit(2), updated));
      }
    return points;
  }

  Json tuples() {
    Json points = Json::array();
    for (const std::uint64_t count : {kFewFlows, kManyFlows})
      for (const unsigned number : {1u, 2u, 4u, 8u}) {
        MatchLoad searched = load(count);
        searched.tuples = number;
        points.push_back(point(fmt::format("{} flows, {} tuples", count, number),
                               {{"flows", count}, {"tuples", number}}, unit(2), searched));
      }
    return points;
  }

  Json zipf() {
    Json points = Json::array();
    for (const double exponent : {0.0, 0.5, 0.8, 1.0, 1.2}) {
      MatchLoad skewed = load(kManyFlows);
      skewed.zipf_exponent = exponent;
      points.push_back(
          point(fmt::format("Zipf {}", exponent), {{"exponent", exponent}}, unit(2), skewed));
    }
    return points;
  }

  Json cache() {
    Json points = Json::array();
    for (const std::uint64_t count : {std::uint64_t{100'000}, kManyFlows})
      for (const unsigned lines : {0u, 1'024u, 4'096u, 16'384u, 32'768u, 65'536u}) {
        MatchDescription description = unit(2);
        description.cache.lines = lines;
        const double sets = match::miss_share_of_sets(count, lines, description.cache.ways);
        points.push_back(point(fmt::format("{} flows, {} lines", count, lines),
                               {{"flows", count},
                                {"lines", lines},
                                {"analytic_sets_megapackets_per_s",
                                 match::analytic_rate(description, sets, megapairs())}},
                               description, load(count)));
      }
    return points;
  }

  Json queues() {
    Json points = Json::array();
    for (const unsigned places : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u})
      for (const bool loads : {true, false}) {
        MatchDescription description = unit(2);
        (loads ? description.load_queue : description.store_queue) = places;
        points.push_back(point(fmt::format("{} queue of {}", loads ? "load" : "store", places),
                               {{"queue", loads ? "load" : "store"}, {"places", places}},
                               description, load(kManyFlows)));
      }
    return points;
  }

  Json cancellation() {
    struct Case {
      std::uint64_t flows;
      unsigned lines;
    };
    Json points = Json::array();
    for (const Case& one : {Case{kManyFlows, 16'384}, Case{20'000, 16'384}, Case{kFewFlows, 64},
                            Case{100, 16}, Case{kFewFlows, 0}})
      for (const auto reads : {match::StaleReads::kCancelled, match::StaleReads::kRepeated}) {
        MatchDescription description = unit(2);
        description.cache.lines = one.lines;
        description.stale_reads = reads;
        points.push_back(point(fmt::format("{} flows, {} lines", one.flows, one.lines),
                               {{"flows", one.flows},
                                {"lines", one.lines},
                                {"stale_reads", choice_words(reads)[static_cast<unsigned>(reads)]}},
                               description, load(one.flows)));
      }
    return points;
  }

  Json categories() {
    Json points = Json::array();
    for (const RuleCategory& category : rule_categories())
      for (const unsigned channels : {2u, 4u}) {
        progress_(fmt::format("{}, {} rules, {} channels", category.name, category.rules, channels),
                  0);
        const MatchDescription description = unit(channels);
        const CategoryLoadResult result =
            run_category(category, description, options_.packets, options_.seed);
        points.push_back({{"category", category.name},
                          {"channels", channels},
                          {"entries", result.entries},
                          {"tables", category.tables},
                          {"flows", result.flows},
                          {"chained", result.chained},
                          {"megapackets_per_s", result.megapackets_per_s},
                          {"tables_per_packet", result.tables_per_packet},
                          {"references_per_packet", result.references_per_packet},
                          {"miss_pct", result.miss_percent},
                          {"bound_megapackets_per_s",
                           match::traffic_bound(description, result.references_per_packet,
                                                result.bursts_per_packet, megapairs())},
                          {"exact", result.is_exact}});
      }
    return points;
  }

  // Rules of random keys into tables of so many slots.
  Json collisions() {
    constexpr unsigned kTrials = 200;
    std::mt19937_64 random(options_.seed);
    const auto refused_of = [&](std::uint64_t rules, std::uint64_t slots) {
      isa::match::TableImage tables({slots, 0}, isa::match::Collisions::kRefuse);
      for (std::uint64_t i = 0; i < rules; ++i) {
        isa::match::Entry rule;
        for (unsigned word = 0; word < 4; ++word)
          rule.key[word] = static_cast<std::uint32_t>(random());
        rule.tuple = 1;
        tables.insert(rule);
      }
      return tables.refused();
    };
    Json points = Json::array();
    const auto slots_of_gigabyte = std::uint64_t{1} << 24;
    for (const std::uint64_t rules : {1'000u, 2'000u, 4'823u, 8'000u, 16'000u}) {
      progress_(fmt::format("{} rules in 2^24 slots", rules), 0);
      unsigned with_collision = 0;
      for (unsigned trial = 0; trial < kTrials; ++trial)
        with_collision += refused_of(rules, slots_of_gigabyte) != 0 ? 1 : 0;
      const auto k = static_cast<double>(rules);
      points.push_back({{"slots", slots_of_gigabyte},
                        {"rules", rules},
                        {"trials", kTrials},
                        {"any_collision_pct", 100.0 * with_collision / kTrials},
                        {"formula_pct",
                         -100 * std::expm1(-k * k / 2 / static_cast<double>(slots_of_gigabyte))}});
    }
    for (const std::uint64_t rules : {10'000u, 100'000u, 1'000'000u}) {
      const std::uint64_t slots = std::uint64_t{1} << 20;
      progress_(fmt::format("{} rules in 2^20 slots", rules), 0);
      const double load = static_cast<double>(rules) / static_cast<double>(slots);
      points.push_back({{"slots", slots},
                        {"rules", rules},
                        {"refused_pct", 100.0 * static_cast<double>(refused_of(rules, slots)) /
                                            static_cast<double>(rules)},
                        {"formula_pct", 100 * (1 + std::expm1(-load) / load)}});
    }
    return points;
  }

  // Processor time of a million rules and a million packets.
  Json scale() {
    const auto seconds_of = [this](const MatchLoad& one, MatchLoadResult& result) {
      const std::clock_t begin = std::clock();
      result = match::run_load(unit(2), one);
      return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    MatchLoad one = load(kManyFlows);
    one.warm_up = 0;
    one.packets = 1;
    MatchLoadResult result;
    progress_("1,000,000 rules", 0);
    const double load_seconds = seconds_of(one, result);
    one.packets = kManyFlows;
    progress_("1,000,000 rules, 1,000,000 packets", 0);
    const double run_seconds = seconds_of(one, result) - load_seconds;
    return Json::array({{{"rules", kManyFlows},
                         {"load_processor_s", load_seconds},
                         {"packets", kManyFlows},
                         {"run_processor_s", run_seconds},
                         {"cycles", result.cycles},
                         {"cycles_per_s", static_cast<double>(result.cycles) / run_seconds},
                         {"megapackets_per_s", result.megapackets_per_s},
                         {"exact", result.is_exact}}});
  }

  const MatchBenchOptions& options_;
  const MatchProgress& progress_;
  Diagnostics& diagnostics_;
  double megapairs_ = 0;
};

std::span<const MatchBench::Row> MatchBench::rows() {
  static const std::array kRows = {
      Row{"flows", "rate over the number of flows, with 1, 2 and 4 channels (published)",
          &MatchBench::flows},
      Row{"state", "counters on chip, and with their rules in DRAM", &MatchBench::state},
      Row{"updates", "0 to 50 % rule updates", &MatchBench::updates},
      Row{"tuples", "1 to 8 tuples per lookup", &MatchBench::tuples},
      Row{"zipf", "flows by Zipf's law", &MatchBench::zipf},
      Row{"cache", "0 to 65,536 lines", &MatchBench::cache},
      Row{"queues", "load and store queues of 1 to 128 places", &MatchBench::queues},
      Row{"cancellation", "reads of lines that are written: cancelled or repeated",
          &MatchBench::cancellation},
      Row{"categories", "the publication's four categories of rule sets", &MatchBench::categories},
      Row{"collisions", "rules whose place is taken, compared with the formulas",
          &MatchBench::collisions},
      Row{"scale", "processor time of a million rules and packets", &MatchBench::scale}};
  return kRows;
}

}  // namespace

std::vector<MatchFigure> match_figures() {
  std::vector<MatchFigure> figures;
  for (const MatchBench::Row& row : MatchBench::rows())
    figures.push_back({row.name, row.sentence});
  return figures;
}

Json bench_match_engine(const MatchBenchOptions& options, const MatchProgress& progress,
                        Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const MatchFigure& figure : match_figures())
    names.push_back(figure.name);
  for (const std::string& name : options.figures)
    if (MatchBench::row_of(name) == nullptr)
      diagnostics.error(without_lines(name), "unknown figure; " + suggestion(name, names));
  if (diagnostics.has_errors())
    return nullptr;
  return MatchBench(options, progress, diagnostics).run();
}

std::string match_engine_drawing() {
  return match::design_graph(published_match_unit());
}

}  // namespace nplab::experiments
