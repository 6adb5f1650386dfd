// The page of a match engine's run.
#include <fmt/format.h>

#include "experiments/match_engine/match_report.h"
#include "reports/analysis/stage_graph.h"
#include "reports/html/elements.h"
#include "reports/html/figures.h"
#include "reports/html/page_shell.h"
#include "simulator/dram/clock_ratio.h"
#include "simulator/match_engine/design_graph.h"

namespace nplab::experiments {
namespace {

namespace match = simulator::match;
using reports::Cell;
using reports::Table;
using reports::html::Figure;

// A row of the page's tables.
class List {
 public:
  List(std::string id, std::string title)
      : table_{std::move(id), std::move(title), {{"value", "value"}}, {}} {}
  void count(const char* id, const char* label, std::uint64_t value, const char* unit) {
    table_.rows.push_back({id, label, {Cell{value, unit, 0}}});
  }
  void real(const char* id, const char* label, double value, const char* unit, int decimals) {
    table_.rows.push_back({id, label, {Cell{value, unit, decimals}}});
  }
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  Table table_;
};

Table unit_table(const match::MatchDescription& unit) {
  List list("match_unit", "Unit");
  list.real("clock", "clock", static_cast<double>(unit.clock_hz) / 1e6, "MHz", 0);
  list.count("sessions", "sessions", unit.sessions, "");
  list.count("cache_lines", "lines of the cache", unit.cache.lines, "lines");
  list.count("load_queue", "load queue", unit.load_queue, "places");
  list.count("store_queue", "store queue", unit.store_queue, "places");
  list.count("channels", "channels of DDR4", unit.dram.organization.channels, "");
  list.count("window", "window of a controller", unit.dram.controller.window, "requests");
  return list.table();
}

Table answers_table(const MatchRunResult& result, const MatchRunOptions& options) {
  const MatchAnswers& answers = result.answers;
  List list("match_answers", "Answers");
  list.real("rate", "rate", result.megapackets_per_s, "M packets/s", 1);
  list.count("packets", "packets", answers.packets, "packets");
  list.count("matched", "... that matched", answers.matched, "packets");
  list.count("misclassified", "misclassified", answers.misclassified, "packets");
  list.count("inexact", "rules with inexact counters", result.inexact_rules, "rules");
  list.real("latency", "latency, mean", result.latency_cycles, "cycles", 0);
  list.real("references", "lines per packet", result.references_per_packet, "lines", 2);
  if (options.traffic.update_percent == 0)
    return list.table();
  list.count("inserts", "inserts", answers.inserts, "updates");
  list.count("deletes", "deletes", answers.deletes, "updates");
  list.count("counter_reads", "reads of counters", answers.counter_reads, "reads");
  list.count("wrong_updates", "wrong updates", answers.wrong_updates, "updates");
  list.count("contested", "packets with several answers", answers.contested, "packets");
  return list.table();
}

Table parts_table(const MatchRunResult& result) {
  List list("match_parts", "Rules, cache and memory");
  list.count("rules", "rules", result.rules, "rules");
  list.count("entries", "entries", result.entries, "entries");
  list.count("tuples", "tuples", result.tuples, "tuples");
  list.real("misses", "cache misses", result.miss_percent, "%", 1);
  list.real("merged", "... that joined a read", result.merged_percent, "%", 1);
  list.count("cancelled", "reads cancelled by a write", result.cancelled_reads, "reads");
  list.count("reads", "reads of DRAM", result.dram_reads, "bursts");
  list.count("writes", "writes to DRAM", result.dram_writes, "bursts");
  list.real("peak", "DRAM, of its peak", result.dram_percent_of_peak, "%", 1);
  list.real("row_hits", "row hits", result.dram_row_hit_percent, "%", 1);
  return list.table();
}

// Charts over time, from what each sample has more than the one before.
class TimeCharts {
 public:
  TimeCharts(const MatchRunResult& result, const match::MatchDescription& unit)
      : samples_(result.series), unit_(unit) {}

  [[nodiscard]] Figure rate() const {
    Figure figure = lines("match_rate", "Rate over time", "M/s");
    figure.note = "Million packets per second.";
    const double megahertz = static_cast<double>(unit_.clock_hz) / 1e6;
    add(figure, "packets", "packets", &MatchSample::packets, megahertz);
    return figure;
  }
  [[nodiscard]] Figure use() const {
    Figure figure = lines("match_use", "Parts over time", "%");
    figure.note =
        "Places of sessions and queues that are held, and the memory's peak that is used.";
    add(figure, "sessions", "sessions", &MatchSample::session_cycles, 100.0 / unit_.sessions);
    add(figure, "loads", "load queue", &MatchSample::load_cycles, 100.0 / unit_.load_queue);
    add(figure, "stores", "store queue", &MatchSample::store_cycles, 100.0 / unit_.store_queue);
    const simulator::dram::ClockRatio ratio(unit_.dram_fifteenths, unit_.clock_hz);
    const double clocks =
        static_cast<double>(ratio.numerator()) / static_cast<double>(ratio.denominator());
    add(figure, "dram", "DRAM bus", &MatchSample::data_clocks,
        100.0 / clocks / unit_.dram.organization.channels);
    return figure;
  }
  [[nodiscard]] Figure misses() const {
    Figure figure = lines("match_misses", "Cache misses over time", "%");
    figure.table.columns.push_back({"misses", "misses"});
    MatchSample before;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const auto misses = static_cast<double>(samples_[i].misses - before.misses);
      const auto hits = static_cast<double>(samples_[i].hits - before.hits);
      const double percent = misses + hits == 0 ? 0 : 100 * misses / (misses + hits);
      figure.table.rows[i].cells.push_back(Cell{percent, "%", 1});
      before = samples_[i];
    }
    return figure;
  }

 private:
  [[nodiscard]] Figure lines(const char* id, const char* title, const char* unit) const {
    Figure figure{Figure::Kind::kLines, unit, "", "cycle of the unit", {id, title, {}, {}}};
    for (const MatchSample& sample : samples_)
      figure.table.rows.push_back({std::to_string(sample.cycle), std::to_string(sample.cycle), {}});
    return figure;
  }
  // What was added per cycle, times `scale`.
  void add(Figure& figure, const char* id, const char* label, std::uint64_t MatchSample::* count,
           double scale) const {
    figure.table.columns.push_back({id, label});
    MatchSample before;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const auto more = static_cast<double>(samples_[i].*count - before.*count);
      const auto cycles = static_cast<double>(samples_[i].cycle - before.cycle);
      figure.table.rows[i].cells.push_back(
          Cell{cycles == 0 ? 0 : scale * more / cycles, figure.unit, 1});
      before = samples_[i];
    }
  }

  const std::vector<MatchSample>& samples_;
  const match::MatchDescription& unit_;
};

// As wide as four stages of a run's drawing at least, so that its texts can be read; narrow pages
// scroll it.
std::string modules_figure(const match::MatchDescription& unit) {
  return "<figure class=\"graph\" style=\"--stages:4\"><div class=\"scroll\" tabindex=\"0\" "
         "role=\"region\" aria-label=\"Modules and ports\">" +
         reports::drawn_svg(match::design_graph(unit)) + "</div></figure>";
}

}  // namespace

std::string match_run_page(const MatchRunResult& result, const MatchRunOptions& options) {
  using reports::html::escaped;
  reports::html::Elements elements;
  const std::string title = "nplab match: " + result.rule_set;
  const std::string check =
      result.is_right() ? "every verdict and counter is right" : "a check failed";
  std::string body = fmt::format(
      "<header><h1>{}</h1>\n<p class=\"verdict {}\">{:.1f} million packets per second; {}.</p>"
      "</header>\n<main>\n<section id=\"results\"><h2>Results</h2>\n<div class=\"tables\">",
      escaped(title), result.is_right() ? "sound" : "broken", result.megapackets_per_s, check);
  for (const Table& table :
       {answers_table(result, options), parts_table(result), unit_table(options.unit)})
    body += elements.table(table, table.title);
  body += "</div></section>\n<section><h2>Over time</h2>\n<div class=\"figures\">";
  const TimeCharts charts(result, options.unit);
  for (const Figure& figure : {charts.rate(), charts.use(), charts.misses()})
    body += reports::html::figure_html(figure, "", "", elements);
  body += "</div></section>\n<section><h2>Modules</h2>\n" + modules_figure(options.unit) +
          "</section>\n";
  return reports::html::page(title, body + "</main>\n" + elements.explanations(),
                             reports::html::Scripts::kCharts);
}

}  // namespace nplab::experiments
