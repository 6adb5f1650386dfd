#include "experiments/match_engine/match_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "experiments/prepare/unit_tables.h"
#include "mappings/tables/match_tables.h"
#include "simulator/match_engine/match_engine.h"

namespace nplab::experiments {
namespace {

namespace match = simulator::match;
using isa::match::TableImage;
using simulator::Cycle;
using simulator::Cycles;

constexpr std::size_t kMostEntries = 8'000'000;

// False, and diagnostics that say what waits for what, when the unit hangs.
bool run_to_end(match::MatchEngine& engine, const MatchDesk& desk, const MatchRunOptions& options,
                MatchSeries& series, Diagnostics& diagnostics) {
  constexpr Cycles kStride = 1'024;
  while (!desk.is_over() || !engine.is_idle()) {
    engine.run(engine.now() + kStride);
    series.look(engine, desk.answers());
    options.progress(desk.share_taken());
    if (engine.without_progress() < match::kMostWithoutProgress)
      continue;
    std::vector<std::string> waiting;
    engine.describe_waiting(waiting);
    waiting.insert(waiting.begin(),
                   fmt::format("no session went on for {} cycles", engine.without_progress()));
    for (const std::string& line : waiting)
      diagnostics.error(without_lines("match engine"), line);
    return false;
  }
  return true;
}

double ratio(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

double percent(std::uint64_t part, std::uint64_t of) {
  return 100 * ratio(part, of);
}

void report_answers(const match::MatchDescription& unit, MatchRunResult& result) {
  const MatchAnswers& answers = result.answers;
  result.cycles = answers.last.number();
  result.references_per_packet = ratio(answers.references, answers.packets);
  result.latency_cycles = ratio(answers.latency, answers.packets);
  result.megapackets_per_s =
      ratio(answers.packets, result.cycles) * static_cast<double>(unit.clock_hz) / 1e6;
}

void report_parts(const match::MatchEngine& engine, const match::MatchDescription& unit,
                  MatchRunResult& result) {
  const auto& cache = engine.cache().counters();
  const auto& loads = engine.loads().counters();
  const auto dram = engine.memory().dram().counters();
  result.miss_percent = percent(cache.misses, cache.misses + cache.hits);
  result.merged_percent = percent(loads.merged, cache.misses);
  result.cancelled_reads = loads.cancelled + loads.dropped;
  result.dram_reads = dram.reads;
  result.dram_writes = dram.writes;
  result.dram_row_hit_percent = percent(dram.row_hits, dram.reads + dram.writes);
  const auto clocks =
      static_cast<std::uint64_t>(engine.memory().ratio().first_clock(Cycle(result.cycles)));
  result.dram_percent_of_peak = percent(dram.data_clocks, clocks * unit.dram.organization.channels);
}

}  // namespace

match::MatchDescription published_match_unit() {
  return match::description_of({});
}

std::optional<MatchRunResult> run_match_engine(const workloads::Workload& workload,
                                               const MatchRunOptions& options,
                                               Diagnostics& diagnostics) {
  auto tables =
      mappings::match_tables_of(workload.rules, kMostEntries, options.same_key, diagnostics);
  if (!tables)
    return std::nullopt;
  const std::uint64_t slots = std::uint64_t{1} << options.slot_bits;
  const bool chains = options.unit.collisions == isa::match::Collisions::kChain;
  TableImage image({slots, chains ? slots : 0}, options.unit.collisions);
  if (!load_tables(tables->entries, workload.rules, image, diagnostics))
    return std::nullopt;
  MatchRunResult result;
  result.rule_set = std::filesystem::path(workload.rules.name()).filename().string();
  result.rules = workload.rules.size();
  result.entries = tables->entries.size();
  result.tuples = tables->program.tuples.size();
  result.hidden_entries = tables->hidden.size();
  result.chained_entries = image.overflow_used();

  MatchDesk desk(workload, *tables, options.traffic);
  match::MatchEngine engine(options.unit, tables->program, std::move(image), &desk.packets(),
                            desk.updates(), desk);
  engine.memory().observe(options.commands);
  engine.observe(options.cycles);
  MatchSeries series;
  if (!run_to_end(engine, desk, options, series, diagnostics))
    return std::nullopt;
  result.answers = desk.answers();
  result.inexact_rules = desk.ledger().inexact_rules(engine);
  result.series = series.take();
  report_answers(options.unit, result);
  report_parts(engine, options.unit, result);
  return result;
}

}  // namespace nplab::experiments
