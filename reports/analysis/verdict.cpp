#include "reports/analysis/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/analysis/bounds.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/stations.h"
#include "reports/record/run_names.h"

namespace nplab::reports {
namespace {

constexpr double kSameRate = 0.5;      // percent
constexpr double kWorthSaying = 0.05;  // percent: less is printed as 0.0
constexpr double kMicro = 1e6;
constexpr std::size_t kCausesTold = 2;

double packets_per_s(const RunRecord& record) {
  return record.simulated_seconds == 0
             ? 0
             : static_cast<double>(record.packets.sent) / record.simulated_seconds;
}

double microseconds(Count cycles, const RunRecord& record) {
  return kMicro * seconds(cycles, record.clocks.core_hz);
}

// "busy for 98.1 % of the time, of it 16.3 % polling"
std::string how_busy(const ResourceUse& use) {
  if (use.resource.starts_with("ports"))
    return fmt::format("{:.1f} % of the line rate", use.busy_pct);
  std::string text = fmt::format("busy for {:.1f} % of the time", use.busy_pct);
  if (use.busy_pct > 0 && use.polling_pct >= kWorthSaying)
    text += fmt::format(", of it {:.1f} % polling", 100 * use.polling_pct / use.busy_pct);
  return text;
}

std::string rate_sentence(const RunRecord& record) {
  return fmt::format(
      "Rate: {:.1f} Mb/s sent of {:.1f} Mb/s received; {:.0f} packets/s sent, {:.1f} % of those "
      "received.",
      record.rates_mbps.transmit, record.rates_mbps.receive, packets_per_s(record),
      percentage(record.packets.sent, record.packets.received));
}

std::string latency_sentence(const RunRecord& record) {
  const PacketLatencyRecord& latency = record.latency_cycles;
  return fmt::format(
      "Latency: {} cycles ({:.1f} us) in the median, {} ({:.1f} us) for 99 % of the packets.",
      latency.p50, microseconds(latency.p50, record), latency.p99,
      microseconds(latency.p99, record));
}

std::string gain_text(double gain) {
  return gain < kSameRate ? "no more packets/s" : fmt::format("{:.0f} % more packets/s", gain);
}

std::vector<std::string> sentences_of(const RunRecord& record, const Bounds& bounds) {
  std::vector<std::string> sentences{rate_sentence(record), latency_sentence(record)};
  sentences.push_back(
      fmt::format("Bound: {}: {}.", bounds.first.use.label, how_busy(bounds.first.use)));
  sentences.push_back(
      bounds.next ? fmt::format("Next: {}: {}.", bounds.next->use.label, how_busy(bounds.next->use))
                  : std::string("Next: nothing that this record shows."));
  sentences.push_back(fmt::format(
      "Without the bound: {}, estimated from this record{}.", gain_text(bounds.first.gain_pct),
      bounds.next ? fmt::format("; without both, {}", gain_text(bounds.next->gain_pct)) : ""));
  return sentences;
}

BoundRecord bound_record(const Bound& bound) {
  return {bound.use.resource, bound.use.busy_pct, bound.use.useful_pct, bound.gain_pct};
}

std::size_t engines_used(const RunRecord& record) {
  return static_cast<std::size_t>(
      std::count_if(record.engines.begin(), record.engines.end(),
                    [](const Engine& engine) { return engine.words > 0; }));
}

// Whether a is the better of two runs.
bool better(const RunRecord& a, const RunRecord& b, double best_rate) {
  const double margin = best_rate * (1 - kSameRate / 100);
  const bool a_fast = a.rates_mbps.transmit >= margin, b_fast = b.rates_mbps.transmit >= margin;
  if (a_fast != b_fast)
    return a_fast;
  if (!a_fast)
    return a.rates_mbps.transmit > b.rates_mbps.transmit;
  if (engines_used(a) != engines_used(b))
    return engines_used(a) < engines_used(b);
  return a.latency_cycles.p99 < b.latency_cycles.p99;
}

class ComparedRuns {
 public:
  explicit ComparedRuns(const std::vector<RunRecord>& records)
      : records_(records), names_(run_names(records)) {
    double rate = 0;
    for (const RunRecord& record : records)
      rate = std::max(rate, record.rates_mbps.transmit);
    for (std::size_t i = 1; i < records.size(); ++i)
      if (better(records[i], records[best_], rate))
        best_ = i;
  }

  std::optional<VerdictRecord> verdict() {
    if (best().rates_mbps.transmit == 0)
      return std::nullopt;
    VerdictRecord verdict;
    verdict.best = names_[best_];
    if (const auto bounds = bounds_of(best()))
      verdict.bound = bound_record(bounds->first);
    verdict.sentences.push_back(winner());
    for (std::size_t i = 0; i < records_.size(); ++i)
      if (const auto bounds = bounds_of(records_[i]))
        verdict.sentences.push_back(bound_sentence(i, *bounds));
    for (std::size_t i = 0; i < records_.size(); ++i)
      if (i != best_)
        add_costs(i, verdict.sentences);
    return verdict;
  }

 private:
  [[nodiscard]] const RunRecord& best() const { return records_[best_]; }

  [[nodiscard]] std::string winner() const {
    std::vector<std::string> faster, equal;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (i == best_)
        continue;
      const double other = records_[i].rates_mbps.transmit;
      const double more = other == 0 ? 0 : 100 * (best().rates_mbps.transmit / other - 1);
      if (other == 0)
        faster.push_back(fmt::format("{} sends nothing", names_[i]));
      else if (more > kSameRate)
        faster.push_back(fmt::format("{:.1f} % more than {}", more, names_[i]));
      else
        equal.push_back(fmt::format("{} ({} engines, 99 % within {} cycles)", names_[i],
                                    engines_used(records_[i]), records_[i].latency_cycles.p99));
    }
    std::string text = fmt::format("{} is best: it transmits {:.1f} Mb/s", names_[best_],
                                   best().rates_mbps.transmit);
    if (!faster.empty())
      text += fmt::format(", {}", fmt::join(faster, ", "));
    if (!equal.empty())
      text += fmt::format(
          "; as fast, but on more engines or slower for the last percent than its {} "
          "engines and {} cycles: {}",
          engines_used(best()), best().latency_cycles.p99, fmt::join(equal, ", "));
    return text + ".";
  }

  // What bounds a run, and where it loses packets.
  [[nodiscard]] std::string bound_sentence(std::size_t i, const Bounds& bounds) const {
    const Packets& packets = records_[i].packets;
    std::vector<std::string> losses;
    const auto say = [&](Count count, const char* where) {
      if (percentage(count, packets.offered) >= kWorthSaying)
        losses.push_back(fmt::format("{:.1f} %{} {}", percentage(count, packets.offered),
                                     losses.empty() ? " of the offered packets" : "", where));
    };
    say(packets.missed_by_media, "at its ports");
    say(packets.dropped_queue_full, "at full queues");
    std::string text =
        fmt::format("{}: bounded by {} ({}); without it, {}", names_[i], bounds.first.use.label,
                    how_busy(bounds.first.use), gain_text(bounds.first.gain_pct));
    if (!losses.empty())
      text += fmt::format(". It loses {}", fmt::join(losses, " and "));
    return text + ".";
  }

  // What a packet costs in another run beyond what it costs in the best one: memories and engines.
  void add_costs(std::size_t i, std::vector<std::string>& sentences) const {
    struct Cost {
      double more;  // of the best run's
      std::string text;
    };
    std::vector<Cost> costs;
    const auto add = [&](double other, double of_best, const std::string& what) {
      if (of_best > 0 && std::abs(other / of_best - 1) >= 0.1 && std::abs(other - of_best) >= 1)
        costs.push_back(
            {std::abs(std::log(other / of_best)),
             fmt::format("{:.1f} {} ({}: {:.1f})", other, what, names_[best_], of_best)});
    };
    const auto longwords = [&](const RunRecord& r, std::size_t m) {
      return per_packet(static_cast<double>(memory_named(r.memory, m).longwords), r);
    };
    add(longwords(records_[i], 0), longwords(best(), 0), "SRAM longwords");
    add(longwords(records_[i], 1) / 2, longwords(best(), 1) / 2, "SDRAM quadwords");
    add(classifying_cycles(records_[i]), classifying_cycles(best()),
        "useful cycles of the engines that classify");
    std::stable_sort(costs.begin(), costs.end(),
                     [](const Cost& a, const Cost& b) { return a.more > b.more; });
    if (costs.size() > kCausesTold)
      costs.resize(kCausesTold);
    std::vector<std::string> texts;
    for (const Cost& cost : costs)
      texts.push_back(cost.text);
    if (!texts.empty())
      sentences.push_back(
          fmt::format("A packet takes {} in {}.", fmt::join(texts, " and "), names_[i]));
  }

  static double per_packet(double amount, const RunRecord& record) {
    const double packets = static_cast<double>(record.packets.sent);
    return packets == 0 ? 0 : amount / packets;
  }

  static double classifying_cycles(const RunRecord& record) {
    double cycles = 0;
    for (const Engine& engine : record.engines)
      if (engine.role != "receive" && engine.role != "transmit" && engine.work_cycles)
        cycles += static_cast<double>(engine.work_cycles->useful);
    return per_packet(cycles, record);
  }

  const std::vector<RunRecord>& records_;
  std::vector<std::string> names_;
  std::size_t best_ = 0;
};

// Mean over the engines that neither only receive nor only transmit.
Cell classifying(const RunRecord& record, const std::function<double(const Engine&)>& figure) {
  double sum = 0, engines = 0;
  for (const Engine& engine : record.engines) {
    if (engine.words == 0 || engine.role == "receive" || engine.role == "transmit")
      continue;
    sum += figure(engine);
    ++engines;
  }
  return engines == 0 ? Cell{{}, "%", 1} : Cell{sum / engines, "%", 1};
}

std::string bottleneck(const RunRecord& record) {
  const auto bounds = bounds_of(record);
  return bounds ? bounds->first.use.resource : "-";
}

struct VerdictRow {
  const char* id;
  const char* label;
  std::function<Cell(const RunRecord&)> cell;
};

std::vector<VerdictRow> verdict_rows() {
  using Share = std::optional<double> Engine::*;
  const auto share = [](Share member) {
    return [member](const RunRecord& r) {
      return classifying(r, [member](const Engine& e) { return (e.*member).value_or(0); });
    };
  };
  const auto state = [](double Engine::* member) {
    return [member](const RunRecord& r) {
      return classifying(r, [member](const Engine& e) { return e.*member; });
    };
  };
  return {
      {"receive_rate", "received",
       [](const RunRecord& r) { return Cell{r.rates_mbps.receive, "Mb/s", 1}; }},
      {"transmit_rate", "transmitted",
       [](const RunRecord& r) { return Cell{r.rates_mbps.transmit, "Mb/s", 1}; }},
      {"sent_share", "transmitted / received",
       [](const RunRecord& r) {
         return Cell{percentage(r.packets.sent, r.packets.received), "%", 1};
       }},
      {"latency_p50", "latency, median",
       [](const RunRecord& r) { return Cell{r.latency_cycles.p50, "cycles", 0}; }},
      {"latency_p99", "latency, 99th percentile",
       [](const RunRecord& r) { return Cell{r.latency_cycles.p99, "cycles", 0}; }},
      {"engines_used", "engines used",
       [](const RunRecord& r) { return Cell{Count{engines_used(r)}, "", 0}; }},
      {"useful", "engines that classify: useful", share(&Engine::useful_pct)},
      {"polling", "... polling", share(&Engine::polling_pct)},
      {"aborted", "... aborted", state(&Engine::aborted_pct)},
      {"stalled", "... stalled", state(&Engine::stalled_pct)},
      {"idle", "... idle", state(&Engine::idle_pct)},
      {"sram", "SRAM bus, of it polling",
       [](const RunRecord& r) {
         return Cell{fmt::format("{:.1f} / {:.1f}", r.memory.sram.active_pct,
                                 r.memory.sram.polling_pct.value_or(0)),
                     "%", 1};
       }},
      {"sdram", "SDRAM bus",
       [](const RunRecord& r) { return Cell{r.memory.sdram.active_pct, "%", 1}; }},
      {"tables", "tables",
       [](const RunRecord& r) {
         Count bytes = 0;
         for (const TableUse& table : r.tables)
           bytes += table.bytes;
         return Cell{bytes, "bytes", 0};
       }},
      {"bottleneck", "bottleneck", [](const RunRecord& r) { return Cell{bottleneck(r), "", 0}; }},
  };
}

}  // namespace

std::optional<VerdictRecord> verdict_of(const RunRecord& record) {
  const auto bounds = bounds_of(record);
  if (!bounds)
    return std::nullopt;
  return VerdictRecord{mapping_name(record), bound_record(bounds->first),
                       sentences_of(record, *bounds)};
}

std::optional<VerdictRecord> verdict_of(const std::vector<RunRecord>& records) {
  if (records.size() < 2)
    return records.empty() ? std::nullopt : verdict_of(records.front());
  return ComparedRuns(records).verdict();
}

Table verdict_table(const std::vector<RunRecord>& records) {
  Table table{"verdict", "Verdict", {}, {}};
  for (const std::string& name : run_names(records))
    table.columns.push_back({name, name});
  for (const VerdictRow& row : verdict_rows()) {
    Row cells{row.id, row.label, {}};
    for (const RunRecord& record : records)
      cells.cells.push_back(row.cell(record));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace nplab::reports
