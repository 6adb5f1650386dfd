#include "experiments/match_engine/match_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/prepare/unit_tables.h"
#include "mappings/tables/match_tables.h"
#include "simulator/match_engine/match_unit.h"

namespace nplab::experiments {
namespace {

namespace match = simulator::match;
using isa::match::TableImage;
using simulator::Cycle;
using simulator::Cycles;

constexpr std::size_t kMostEntries = 8'000'000;
constexpr unsigned kPublishedChannels = 2;
constexpr unsigned kCalibratedWindow = 3;  // 24 % of peak for random mixed traffic (docs/ddr4.md)

struct RuleState {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last_seen = 0;
  friend bool operator==(const RuleState&, const RuleState&) = default;
};

// Sends the workload's packets one after the other, and checks what comes back.
class PacketDesk final : public match::RequestSource, public match::ResultSink {
 public:
  PacketDesk(const workloads::Workload& workload, std::uint64_t packets)
      : workload_(workload),
        packing_(workload.rules.fields()),
        answers_(workloads::reference_answers(workload)),
        left_(packets),
        expected_(workload.rules.size()) {
    draw();
  }

  [[nodiscard]] Cycle next() const override { return left_ == 0 ? Cycle::never() : Cycle(); }
  [[nodiscard]] const match::Request& front() const override { return request_; }
  void pop() override {
    --left_;
    ++request_.number;
    draw();
  }

  void finished(const match::Result& result) override {
    const std::size_t index = result.number % workload_.traffic.size();
    const auto& answer = answers_[index];
    const bool matched = result.outcome == match::Outcome::kMatched;
    matched_ += matched ? 1 : 0;
    if (matched != answer.has_value() || (answer && result.entry.action != answer->value())) {
      ++misclassified_;
      first_ = std::min(first_.value_or(result.number), result.number);
    }
    if (answer) {
      RuleState& rule = expected_[answer->value()];
      ++rule.packets;
      rule.bytes += bytes_of(index);
      rule.last_seen = std::max(rule.last_seen, result.begun.number());
    }
    ++finished_;
    references_ += result.references;
    latency_ += result.ended - result.begun;
    last_ = std::max(last_, result.ended);
  }

  void report(MatchRunResult& result) const {
    const auto count = static_cast<double>(std::max<std::uint64_t>(finished_, 1));
    result.packets = finished_;
    result.matched = matched_;
    result.misclassified = misclassified_;
    result.first_misclassified = first_;
    result.cycles = last_.number();
    result.references_per_packet = static_cast<double>(references_) / count;
    result.latency_cycles = static_cast<double>(latency_) / count;
  }
  [[nodiscard]] const std::vector<RuleState>& expected() const { return expected_; }

 private:
  [[nodiscard]] std::uint32_t bytes_of(std::size_t index) const {
    return static_cast<std::uint32_t>(workload_.traffic.packet(index).frame.size());
  }
  // A packet without a key has a key that is all zeros and is not looked up: it matches no rule.
  void draw() {
    while (left_ != 0) {
      const std::size_t index = request_.number % workload_.traffic.size();
      const workloads::Packet& packet = workload_.traffic.packet(index);
      if (packet.key) {
        request_.rule.key = packing_.pack(*packet.key);
        request_.bytes = bytes_of(index);
        return;
      }
      --left_;
      ++request_.number;
    }
  }

  const workloads::Workload& workload_;
  mappings::MatchKeyPacking packing_;
  std::vector<std::optional<workloads::RuleIndex>> answers_;
  std::uint64_t left_;
  match::Request request_;
  std::vector<RuleState> expected_;
  std::uint64_t finished_ = 0, matched_ = 0, misclassified_ = 0, references_ = 0, latency_ = 0;
  std::optional<std::uint64_t> first_;
  Cycle last_;
};

std::uint64_t inexact_rules(const match::MatchEngine& engine,
                            const std::vector<RuleState>& expected) {
  std::vector<RuleState> found(expected.size());
  for (const isa::match::Slot slot : engine.slots()) {
    const isa::match::Entry entry = engine.rule(slot);
    if (entry.tuple == isa::match::kNoTuple)
      continue;
    RuleState& rule = found[entry.action];
    rule.packets += entry.packets;
    rule.bytes += entry.bytes;
    rule.last_seen = std::max(rule.last_seen, entry.last_seen);
  }
  std::uint64_t inexact = 0;
  for (std::size_t rule = 0; rule < expected.size(); ++rule)
    inexact += found[rule] == expected[rule] ? 0 : 1;
  return inexact;
}

// False, and diagnostics that say what waits for what, when the unit hangs.
bool run_to_end(match::MatchEngine& engine, const PacketDesk& desk, Diagnostics& diagnostics) {
  constexpr Cycles kStride = 1'024;
  constexpr Cycles kMostWithoutProgress = 1'000'000;
  while (desk.next() != Cycle::never() || !engine.is_idle()) {
    engine.run(engine.now() + kStride);
    if (engine.without_progress() < kMostWithoutProgress)
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

double percent(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(of);
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
  result.megapackets_per_s = static_cast<double>(result.packets) /
                             static_cast<double>(std::max<std::uint64_t>(result.cycles, 1)) *
                             static_cast<double>(unit.clock_hz) / 1e6;
}

}  // namespace

match::MatchDescription published_match_unit() {
  return match::published_unit(kPublishedChannels, kCalibratedWindow);
}

std::optional<MatchRunResult> run_match_engine(const workloads::Workload& workload,
                                               const MatchRunOptions& options,
                                               Diagnostics& diagnostics) {
  auto tables = mappings::match_tables_of(workload.rules, kMostEntries, diagnostics);
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
  result.hidden_entries = tables->hidden;
  result.chained_entries = image.overflow_used();

  PacketDesk desk(workload, options.packets);
  match::MatchEngine engine(options.unit, tables->program, std::move(image), &desk, nullptr, desk);
  engine.memory().observe(options.observer);
  if (!run_to_end(engine, desk, diagnostics))
    return std::nullopt;
  desk.report(result);
  result.inexact_rules = inexact_rules(engine, desk.expected());
  report_parts(engine, options.unit, result);
  return result;
}

nlohmann::ordered_json match_run_json(const MatchRunResult& result,
                                      const MatchRunOptions& options) {
  const match::MatchDescription& unit = options.unit;
  nlohmann::ordered_json json{{"schema", "nplab.match_run/1"},
                              {"unit",
                               {{"clock_hz", unit.clock_hz},
                                {"channels", unit.dram.organization.channels},
                                {"window", unit.dram.controller.window},
                                {"cache_lines", unit.cache.lines},
                                {"load_queue", unit.load_queue},
                                {"store_queue", unit.store_queue}}},
                              {"rule_set", result.rule_set},
                              {"rules", result.rules},
                              {"entries", result.entries},
                              {"tuples", result.tuples},
                              {"hidden_entries", result.hidden_entries},
                              {"chained_entries", result.chained_entries},
                              {"packets", result.packets},
                              {"matched", result.matched},
                              {"misclassified", result.misclassified}};
  if (result.first_misclassified)
    json["first_misclassified"] = *result.first_misclassified;
  json.update({{"inexact_rules", result.inexact_rules},
               {"cycles", result.cycles},
               {"megapackets_per_s", result.megapackets_per_s},
               {"references_per_packet", result.references_per_packet},
               {"latency_cycles", result.latency_cycles},
               {"miss_pct", result.miss_percent},
               {"merged_pct_of_misses", result.merged_percent},
               {"cancelled_reads", result.cancelled_reads},
               {"dram_pct_of_peak", result.dram_percent_of_peak},
               {"dram_row_hit_pct", result.dram_row_hit_percent},
               {"dram_reads", result.dram_reads},
               {"dram_writes", result.dram_writes}});
  return json;
}

std::string match_run_text(const MatchRunResult& result, const MatchRunOptions& options) {
  const match::MatchDescription& unit = options.unit;
  std::string text = fmt::format(
      "match engine at {} MHz, cache of {} lines, {} channels of DDR4\n"
      "rules       {} of {} in {} entries of {} tuples; {} entries chained\n",
      unit.clock_hz / 1'000'000, unit.cache.lines, unit.dram.organization.channels, result.rules,
      result.rule_set, result.entries, result.tuples, result.chained_entries);
  text += fmt::format(
      "packets     {}, {} matched, {} misclassified; counters of {} rules are not exact\n"
      "rate        {:.1f} million packets/s; {:.2f} references and {:.0f} cycles per packet\n",
      result.packets, result.matched, result.misclassified, result.inexact_rules,
      result.megapackets_per_s, result.references_per_packet, result.latency_cycles);
  text += fmt::format(
      "cache       {:.1f} % misses, {:.1f} % of them joined a read under way; {} reads cancelled\n"
      "memory      {} reads, {} writes, {:.1f} % of peak, {:.1f} % row hits\n",
      result.miss_percent, result.merged_percent, result.cancelled_reads, result.dram_reads,
      result.dram_writes, result.dram_percent_of_peak, result.dram_row_hit_percent);
  return text;
}

}  // namespace nplab::experiments
