#include "experiments/match_engine/match_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace nplab::experiments {
namespace {

namespace match = simulator::match;
using Json = nlohmann::ordered_json;

Json unit_json(const match::MatchDescription& unit) {
  return {{"clock_hz", unit.clock_hz},
          {"channels", unit.dram.organization.channels},
          {"window", unit.dram.controller.window},
          {"cache_lines", unit.cache.lines},
          {"load_queue", unit.load_queue},
          {"store_queue", unit.store_queue}};
}

Json updates_json(const MatchRunResult& result) {
  const MatchAnswers& answers = result.answers;
  return {{"inserts", answers.inserts},
          {"deletes", answers.deletes},
          {"counter_reads", answers.counter_reads},
          {"wrong", answers.wrong_updates},
          {"contested_packets", answers.contested}};
}

Json series_json(const MatchRunResult& result) {
  Json series = Json::array();
  for (const MatchSample& sample : result.series)
    series.push_back({{"cycle", sample.cycle},
                      {"packets", sample.packets},
                      {"hits", sample.hits},
                      {"misses", sample.misses},
                      {"session_cycles", sample.session_cycles},
                      {"load_cycles", sample.load_cycles},
                      {"store_cycles", sample.store_cycles},
                      {"data_clocks", sample.data_clocks}});
  return series;
}

}  // namespace

Json match_run_json(const MatchRunResult& result, const MatchRunOptions& options) {
  const MatchAnswers& answers = result.answers;
  Json json{{"schema", "nplab.match_run/1"},
            {"unit", unit_json(options.unit)},
            {"rule_set", result.rule_set},
            {"rules", result.rules},
            {"entries", result.entries},
            {"tuples", result.tuples},
            {"hidden_entries", result.hidden_entries},
            {"chained_entries", result.chained_entries},
            {"packets", answers.packets},
            {"matched", answers.matched},
            {"misclassified", answers.misclassified}};
  if (answers.first_misclassified)
    json["first_misclassified"] = *answers.first_misclassified;
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
  if (options.traffic.update_percent != 0)
    json["updates"] = updates_json(result);
  json["series"] = series_json(result);
  return json;
}

std::string match_run_text(const MatchRunResult& result, const MatchRunOptions& options) {
  const match::MatchDescription& unit = options.unit;
  const MatchAnswers& answers = result.answers;
  std::string text = fmt::format(
      "match engine at {} MHz, cache of {} lines, {} channels of DDR4\n"
      "rules       {} of {} in {} entries of {} tuples; {} entries chained\n",
      unit.clock_hz / 1'000'000, unit.cache.lines, unit.dram.organization.channels, result.rules,
      result.rule_set, result.entries, result.tuples, result.chained_entries);
  text += fmt::format(
      "packets     {}, {} matched, {} misclassified; counters of {} rules are not exact\n",
      answers.packets, answers.matched, answers.misclassified, result.inexact_rules);
  if (options.traffic.update_percent != 0)
    text += fmt::format(
        "updates     {} inserts, {} deletes, {} reads of counters, {} wrong; {} packets with "
        "several answers\n",
        answers.inserts, answers.deletes, answers.counter_reads, answers.wrong_updates,
        answers.contested);
  text += fmt::format(
      "rate        {:.1f} million packets/s; {:.2f} references and {:.0f} cycles per packet\n",
      result.megapackets_per_s, result.references_per_packet, result.latency_cycles);
  text += fmt::format(
      "cache       {:.1f} % misses, {:.1f} % of them joined a read under way; {} reads cancelled\n"
      "memory      {} reads, {} writes, {:.1f} % of peak, {:.1f} % row hits\n",
      result.miss_percent, result.merged_percent, result.cancelled_reads, result.dram_reads,
      result.dram_writes, result.dram_percent_of_peak, result.dram_row_hit_percent);
  return text;
}

}  // namespace nplab::experiments
