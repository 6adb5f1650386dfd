// The comparison on one screen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "reports/analysis/steady_state.h"
#include "reports/analysis/verdict.h"
#include "reports/record/run_names.h"
#include "reports/tables/table.h"
#include "reports/tables/text_layout.h"
#include "reports/text/run_texts.h"
#include "reports/text/text_report.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kLabel = 30;
constexpr std::size_t kUnit = 6;
constexpr std::size_t kLeastColumn = 9;
constexpr std::size_t kGap = 2;

// A share of an engine's cycles, in percent.
struct EngineShare {
  const char* title;
  std::function<double(const Engine&)> of;
};

const std::vector<EngineShare>& engine_shares() {
  static const std::vector<EngineShare> shares = {
      {"exec", [](const Engine& e) { return e.executing_pct; }},
      {"use", [](const Engine& e) { return e.useful_pct.value_or(0); }},
      {"poll", [](const Engine& e) { return e.polling_pct.value_or(0); }},
      {"abrt", [](const Engine& e) { return e.aborted_pct; }},
      {"stal", [](const Engine& e) { return e.stalled_pct; }},
      {"idle", [](const Engine& e) { return e.idle_pct; }}};
  return shares;
}

// As many runs as fit beside a label, one at least.
std::size_t runs_that_fit(std::size_t label, std::size_t column) {
  return std::max<std::size_t>(1, (kCompareWidth - label) / (column + kGap));
}

std::string verdict_block(const Table& table, std::size_t begin, std::size_t end) {
  std::vector<std::string> lines(table.rows.size() + 1);
  lines[0] = fmt::format("{:{}}", "", kLabel + kUnit);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& unit = table.rows[i].cells[0].unit;
    lines[i + 1] = fmt::format("{:<{}}{:<{}}", table.rows[i].label, kLabel, unit, kUnit);
  }
  for (std::size_t run = begin; run < end; ++run) {
    std::size_t width = std::max(kLeastColumn, table.columns[run].label.size());
    for (const Row& row : table.rows)
      width = std::max(width, to_string(row.cells[run]).size());
    lines[0] += fmt::format("{:>{}}", table.columns[run].label, width + kGap);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      lines[i + 1] += fmt::format("{:>{}}", to_string(table.rows[i].cells[run]), width + kGap);
  }
  return join_lines(lines);
}

std::string rates_table(const std::vector<RunRecord>& records,
                        const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names)
    width = std::max(width, name.size());
  std::vector<std::string> lines{
      fmt::format("{:<{}}  {:>10}  {:>11}  {:>10}  {:>11}  {:>9}  {:>10}  {:>12}", "Rates, Mb/s",
                  std::max(width, std::size_t{11}), "received", "transmitted", "SDRAM", "SRAM",
                  "scratch", "packets in", "packets sent")};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RunRecord& r = records[i];
    lines.push_back(
        fmt::format("{:<{}}  {:>10.1f}  {:>11.1f}  {:>10.1f}  {:>11.1f}  {:>9.1f}  {:>10}  {:>12}",
                    names[i], std::max(width, std::size_t{11}), r.rates_mbps.receive,
                    r.rates_mbps.transmit, r.memory.sdram.mbps, r.memory.sram.mbps,
                    r.memory.scratch.mbps, r.packets.received, r.packets.sent));
  }
  return join_lines(lines);
}

const Engine* engine_of(const RunRecord& record, Count id) {
  for (const Engine& engine : record.engines)
    if (engine.id == id && engine.words > 0)
      return &engine;
  return nullptr;
}

// Its number, and its role where all runs give it the same.
std::string engine_label(const std::vector<RunRecord>& records, Count id) {
  std::set<std::string> roles;
  for (const RunRecord& record : records)
    if (const Engine* engine = engine_of(record, id))
      roles.insert(engine->role);
  return fmt::format("engine {}{}", id, roles.size() == 1 ? ", " + *roles.begin() : "");
}

std::vector<Count> engines_in_use(const std::vector<RunRecord>& records) {
  std::set<Count> ids;
  for (const RunRecord& record : records)
    for (const Engine& engine : record.engines)
      if (engine.words > 0)
        ids.insert(engine.id);
  return {ids.begin(), ids.end()};
}

constexpr std::size_t kShareWidth = 5;  // 100.0
constexpr std::size_t kGroupGap = 3;

std::string engines_block(const std::vector<RunRecord>& records,
                          const std::vector<std::string>& names, std::size_t label,
                          std::size_t begin, std::size_t end) {
  const std::size_t group = engine_shares().size() * kShareWidth;
  std::vector<std::string> lines{fmt::format("{:{}}", "", label),
                                 fmt::format("{:{}}", "Engines, %", label)};
  for (std::size_t run = begin; run < end; ++run) {
    lines[0] += fmt::format("{:>{}}", names[run], group + kGroupGap);
    lines[1] += std::string(kGroupGap, ' ');
    for (const EngineShare& share : engine_shares())
      lines[1] += fmt::format("{:>{}}", share.title, kShareWidth);
  }
  for (const Count id : engines_in_use(records)) {
    std::string line = fmt::format("{:<{}}", engine_label(records, id), label);
    for (std::size_t run = begin; run < end; ++run) {
      const Engine* engine = engine_of(records[run], id);
      line += std::string(kGroupGap, ' ');
      for (const EngineShare& share : engine_shares())
        line += engine == nullptr ? fmt::format("{:>{}}", "-", kShareWidth)
                                  : fmt::format("{:>{}.1f}", share.of(*engine), kShareWidth);
    }
    lines.push_back(line);
  }
  return join_lines(lines);
}

// What all runs have in common is said once.
std::string shared_or_each(const char* title, const std::vector<std::string>& names,
                           const std::vector<std::string>& values) {
  const std::string first = fmt::format("{:<10}", title);
  if (std::all_of(values.begin(), values.end(),
                  [&](const std::string& value) { return value == values[0]; }))
    return values[0].empty() ? "" : wrapped(first, values[0], kCompareWidth);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].empty())
      text += wrapped(first, names[i] + ": " + values[i], kCompareWidth);
  return text;
}

std::string notes(const std::vector<RunRecord>& records, const std::vector<std::string>& names) {
  const auto each = [&](const std::function<std::string(const RunRecord&)>& value) {
    std::vector<std::string> values;
    for (const RunRecord& record : records)
      values.push_back(value(record));
    return values;
  };
  std::string text =
      shared_or_each("chip", names, each([](const RunRecord& r) { return r.inputs.chip.name; }));
  text +=
      shared_or_each("rules", names, each([](const RunRecord& r) { return r.inputs.rules.name; }));
  text += shared_or_each("traffic", names,
                         each([](const RunRecord& r) { return r.inputs.traffic.name; }));
  text += shared_or_each("options", names, each(options_line));
  text += shared_or_each("without", names, each(without_line));
  std::vector<std::string> tuned;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (const double share = calibration_share(records[i]); share > 0)
      tuned.push_back(fmt::format("{} {:.1f} %", names[i], share));
  if (!tuned.empty())
    text += wrapped("tuning    ",
                    fmt::format("calibration work, which stands for code that was not printed, is "
                                "{} of the cycles of the engines in use; --no-calibration runs "
                                "without it",
                                fmt::join(tuned, ", ")),
                    kCompareWidth);
  std::vector<std::string> unsteady;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (records[i].steady && !records[i].steady->reached)
      unsteady.push_back(names[i]);
  if (!unsteady.empty())
    text += wrapped("warm-up   ",
                    fmt::format("no steady state in {}: rates and latencies depend on the length "
                                "of the run",
                                fmt::join(unsteady, ", ")),
                    kCompareWidth);
  return text;
}

}  // namespace

std::string render_verdict(const std::vector<RunRecord>& records) {
  const Table table = verdict_table(records);
  std::string text = heading(fmt::format("Comparison of {}", fmt::join(run_names(records), ", ")));
  std::size_t column = kLeastColumn;
  for (const Column& run : table.columns)
    column = std::max(column, run.label.size());
  for (const Row& row : table.rows)
    for (const Cell& cell : row.cells)
      column = std::max(column, to_string(cell).size());
  const std::size_t fitting = runs_that_fit(kLabel + kUnit, column);
  for (std::size_t begin = 0; begin < records.size(); begin += fitting)
    text += verdict_block(table, begin, std::min(records.size(), begin + fitting)) + "\n";
  if (const auto verdict = verdict_of(records))
    text += sentences_text(verdict->sentences, kCompareWidth) + "\n";
  return text;
}

std::string render_compare(const std::vector<RunRecord>& records) {
  if (records.empty())
    return "";
  const std::vector<std::string> names = run_names(records);
  std::string text = render_verdict(records) + rates_table(records, names) + "\n";
  std::size_t label = kLeastColumn;
  for (const Count id : engines_in_use(records))
    label = std::max(label, engine_label(records, id).size());
  const std::size_t fitting =
      runs_that_fit(label, engine_shares().size() * kShareWidth + kGroupGap - kGap);
  for (std::size_t begin = 0; begin < records.size(); begin += fitting)
    text += engines_block(records, names, label, begin, std::min(records.size(), begin + fitting)) +
            "\n";
  text += notes(records, names) + "\n";
  for (std::size_t run = 0; run < records.size(); ++run)
    text += verification(records[run], names[run], kCompareWidth);
  return text + "Every other figure: --all; the measurements of 2003: --published.\n";
}

}  // namespace nplab::reports
