#include "reports/text/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/comparable_tables.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/invariants.h"
#include "reports/analysis/record_tables.h"
#include "reports/analysis/steady_state.h"
#include "reports/record/run_names.h"
#include "reports/tables/table.h"
#include "reports/tables/text_layout.h"
#include "reports/text/run_summary.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kLabelWidth = 28;
constexpr std::size_t kUnitWidth = 10;
constexpr std::size_t kFigureWidth = 11;
constexpr std::size_t kPercentWidth = 8;
constexpr int kGreatestPercent = 9999;  // what its column holds
constexpr std::size_t kTextWidth = 16;
constexpr std::size_t kRunsPerBlock = 3;

std::string options_line(const RunRecord& record) {
  const Options& options = record.options;
  std::string line = fmt::format("packets {}, seed {}", options.packets, record.seed);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      line += fmt::format(", {} {}", name, value);
  };
  add("arrival", options.arrival);
  add("ports", options.ports_in);
  add("l4-key", options.l4_key);
  if (options.drain)
    line += ", drained";
  for (const std::string& override_ : options.set)
    add("set", override_);
  add("mode", record.mode);
  return line;
}

std::string throughput_sentence(const Throughput& throughput) {
  const std::string by = fmt::format("({} trials, resolution {:g} % of line rate)",
                                     throughput.trials.size(), throughput.resolution_pct);
  if (throughput.offered_mbps == 0)
    return fmt::format("no rate was found that loses at most {:g} % {}",
                       throughput.allowed_loss_pct, by);
  return fmt::format(
      "{:.1f} Mb/s over all ports is the highest offered rate that loses at most "
      "{:g} % {}; this run has it",
      throughput.offered_mbps, throughput.allowed_loss_pct, by);
}

// In percent of the cycles of all engines that run a program.
double calibration_share(const RunRecord& record) {
  Count cycles = 0, all = 0;
  for (const Engine& engine : record.engines) {
    if (engine.words == 0)
      continue;
    cycles += engine.calibration_cycles.value_or(0);
    all += record.cycles.core;
  }
  return percentage(cycles, all);
}

std::string head(const RunRecord& record, const std::string& name, std::size_t width) {
  std::string text = heading("Run " + name);
  const Inputs& inputs = record.inputs;
  text += wrapped("  mapping   ", inputs.mapping.name, width);
  text += wrapped("  chip      ", inputs.chip.name, width);
  text += wrapped("  rules     ", inputs.rules.name, width);
  text += wrapped("  traffic   ", inputs.traffic.name, width);
  if (inputs.updates)
    text += wrapped("  updates   ", inputs.updates->name, width);
  for (const std::string& choice : record.workload)
    text += wrapped("            ", choice, width);
  text += wrapped("  options   ", options_line(record), width);
  const double calibration = calibration_share(record);
  if (calibration > 0) {
    text += wrapped("  tuning    ",
                    fmt::format("calibration work is {:.1f} % of the cycles of the engines in use: "
                                "it stands for code that was not printed; --no-calibration runs "
                                "without it",
                                calibration),
                    width);
  }
  if (const std::string steady = steady_sentence(record); !steady.empty())
    text += wrapped("  warm-up   ", steady, width);
  if (record.throughput)
    text += wrapped("  rate      ", throughput_sentence(*record.throughput), width);
  return text;
}

std::string verification(const RunRecord& record, const std::string& name, std::size_t width) {
  const std::vector<std::string> broken = check_invariants(record);
  const std::string counts = fmt::format("{} packets classified, {} misclassified",
                                         record.packets.classified, record.packets.misclassified);
  std::string text;
  if (broken.empty() && record.failure) {
    text += wrapped(
        "",
        fmt::format("Verification of {}: {}; no check failed before the run ended.", name, counts),
        width);
  } else if (broken.empty() && record.packets.classified == 0) {
    text += wrapped("",
                    fmt::format("Verification of {}: nothing was classified, so no verdict was "
                                "checked; every other check held.",
                                name),
                    width);
  } else if (broken.empty()) {
    text +=
        wrapped("", fmt::format("Verification of {}: {}; every check held.", name, counts), width);
  } else {
    text += wrapped(
        "",
        fmt::format("Verification of {} FAILED: {}; {} violated:", name, counts,
                    broken.size() == 1 ? "1 check" : fmt::format("{} checks", broken.size())),
        width);
  }
  for (const std::string& sentence : broken)
    text += wrapped("  - ", sentence, width);
  if (!record.failure)
    return text;
  const Failure& failure = *record.failure;
  text += wrapped("", fmt::format("Run {} FAILED ({}): {}", name, failure.kind, failure.message),
                  width);
  for (const std::string& detail : failure.details)
    text += wrapped("  - ", detail, width);
  return text;
}

std::string render_list(const Table& table) {
  std::size_t label_width = 0;
  std::size_t figure_width = 0;
  for (const Row& row : table.rows) {
    label_width = std::max(label_width, row.label.size());
    figure_width = std::max(figure_width, to_string(row.cells[0]).size());
  }
  std::vector<std::string> lines;
  for (const Row& row : table.rows) {
    lines.push_back(fmt::format("  {:<{}}  {:>{}} {}", row.label, label_width,
                                to_string(row.cells[0]), figure_width, row.cells[0].unit));
  }
  return join_lines(lines);
}

bool is_text(const Cell& cell) {
  return std::holds_alternative<std::string>(cell.value);
}

// A role may be a sentence; the table has room for a few words.
std::string shown(const Cell& cell) {
  return is_text(cell) ? clipped(to_string(cell), kTextWidth) : to_string(cell);
}

std::string padded(const std::string& text, const Cell& like, std::size_t width) {
  return is_text(like) ? fmt::format("  {:<{}}", text, width)
                       : fmt::format("  {:>{}}", text, width);
}

std::string render_matrix(const Table& table) {
  std::size_t label_width = 0;
  for (const Row& row : table.rows)
    label_width = std::max(label_width, row.label.size());
  std::vector<std::string> lines(table.rows.size() + 1);
  lines[0] = fmt::format("  {:<{}}", "", label_width);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    lines[i + 1] = fmt::format("  {:<{}}", table.rows[i].label, label_width);
  }
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const Cell& first = table.rows[0].cells[column];
    std::string title = table.columns[column].label;
    if (first.unit == "%" || first.unit == "Mb/s" || first.unit == "cycles")
      title += " " + first.unit;
    std::size_t width = title.size();
    for (const Row& row : table.rows)
      width = std::max(width, shown(row.cells[column]).size());
    lines[0] += padded(title, first, width);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Cell& cell = table.rows[i].cells[column];
      lines[i + 1] += padded(shown(cell), cell, width);
    }
  }
  return join_lines(lines);
}

// The figures of one table, over all compared runs.
struct ComparedRow {
  std::string row;
  std::string column;
  std::string label;
  std::string unit;
};

// Every figure of any run, in the order of the tables; one that the first run lacks follows the
// figure before it.
std::vector<ComparedRow> compared_rows(const std::vector<std::vector<Table>>& runs,
                                       std::size_t table) {
  std::vector<ComparedRow> rows;
  for (const auto& tables : runs) {
    const Table& t = tables[table];
    auto next = rows.begin();
    for (const Row& row : t.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string& column = t.columns[i].id;
        auto known = std::find_if(rows.begin(), rows.end(), [&](const ComparedRow& seen) {
          return seen.row == row.id && seen.column == column;
        });
        const std::string label = figure_label(t, row, i);
        if (known == rows.end())
          known = rows.insert(next, {row.id, column, label, figure_unit(label, row.cells[i])});
        next = known + 1;
      }
    }
  }
  return rows;
}

// The difference of two figures and the same in percent of the first; dashes where that has no
// meaning.
std::string differences(const Cell* first, const Cell* other) {
  if (first && is_text(*first))
    return std::string(2 + kFigureWidth + kPercentWidth, ' ');
  std::string absolute = "-";
  std::string relative = "-";
  double from = 0;
  double to = 0;
  if (first && other && std::holds_alternative<Count>(first->value) &&
      std::holds_alternative<Count>(other->value)) {
    const Count a = std::get<Count>(first->value);
    const Count b = std::get<Count>(other->value);
    absolute = b >= a ? fmt::format("+{}", b - a) : fmt::format("-{}", a - b);
    from = static_cast<double>(a);
    to = static_cast<double>(b);
  } else if (first && other && std::holds_alternative<double>(first->value) &&
             std::holds_alternative<double>(other->value)) {
    from = std::get<double>(first->value);
    to = std::get<double>(other->value);
    absolute = fmt::format("{:+.{}f}", to - from, first->decimals);
  }
  if (from != 0) {
    const double percent = 100 * (to - from) / from;
    relative = percent < kGreatestPercent ? fmt::format("{:+.1f}%", percent)
                                          : fmt::format(">{}%", kGreatestPercent);
  }
  return fmt::format(" {:>{}} {:>{}}", absolute, kFigureWidth, relative, kPercentWidth);
}

class Comparison {
 public:
  explicit Comparison(const std::vector<RunRecord>& records) : names_(run_names(records)) {
    for (const RunRecord& record : records)
      runs_.push_back(comparable_tables_of(record));
  }

  // The first run and those from `begin` up to `end`.
  std::string block(std::size_t begin, std::size_t end) const {
    std::vector<std::string> lines{title_line(begin, end)};
    for (std::size_t table = 0; table < runs_[0].size(); ++table) {
      const std::string& id = runs_[0][table].id;
      if (id == "ports" || id == "queues")
        continue;
      std::vector<ComparedRow> rows = compared_rows(runs_, table);
      std::erase_if(rows,
                    [&](const ComparedRow& row) { return !is_in_block(table, row, begin, end); });
      if (rows.empty())
        continue;
      lines.push_back(runs_[0][table].title);
      for (const ComparedRow& row : rows)
        lines.push_back(figure_line(table, row, begin, end));
    }
    return join_lines(lines);
  }

  std::string summary() const { return render_summary(names_, runs_); }

 private:
  // Other runs may have rows that none of this block has, such as another algorithm's tables.
  bool is_in_block(std::size_t table, const ComparedRow& row, std::size_t begin,
                   std::size_t end) const {
    const auto has = [&](const std::vector<Table>& run) {
      return run[table].find(row.row, row.column) != nullptr;
    };
    return has(runs_[0]) || std::any_of(runs_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        runs_.begin() + static_cast<std::ptrdiff_t>(end), has);
  }

  std::string title_line(std::size_t begin, std::size_t end) const {
    std::string line = fmt::format("{:{}}  {:>{}}", "", kLabelWidth + 1 + kUnitWidth,
                                   clipped(names_[0], kFigureWidth), kFigureWidth);
    for (std::size_t run = begin; run < end; ++run) {
      line += fmt::format("  {:>{}} {:>{}} {:>{}}", clipped(names_[run], kFigureWidth),
                          kFigureWidth, "difference", kFigureWidth, "%", kPercentWidth);
    }
    return line;
  }

  std::string figure_line(std::size_t table, const ComparedRow& row, std::size_t begin,
                          std::size_t end) const {
    const Cell* first = runs_[0][table].find(row.row, row.column);
    std::string line = fmt::format("  {:<{}} {:<{}}", clipped(row.label, kLabelWidth - 2),
                                   kLabelWidth - 2, row.unit, kUnitWidth);
    line += shown_or_dash(first);
    for (std::size_t run = begin; run < end; ++run) {
      const Cell* other = runs_[run][table].find(row.row, row.column);
      line += shown_or_dash(other) + differences(first, other);
    }
    return line;
  }

  static std::string shown_or_dash(const Cell* cell) {
    const std::string text = cell ? clipped(to_string(*cell), kFigureWidth) : "-";
    return fmt::format("  {:>{}}", text, kFigureWidth);
  }

  std::vector<std::string> names_;
  std::vector<std::vector<Table>> runs_;
};

}  // namespace

std::string render_run(const RunRecord& record) {
  const std::string name = mapping_name(record);
  std::string text = head(record, name, kRunWidth);
  for (const Table& table : tables_of(record)) {
    if (table.rows.empty())
      continue;
    text += "\n" + table.title + "\n";
    text += table.columns.size() == 1 ? render_list(table) : render_matrix(table);
  }
  return text + "\n" + verification(record, name, kRunWidth);
}

std::string render_compare(const std::vector<RunRecord>& records) {
  if (records.empty())
    return "";
  std::string text;
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run)
    text += head(records[run], names[run], kCompareWidth) + "\n";
  const Comparison comparison(records);
  std::size_t begin = 1;
  do {
    const std::size_t end = std::min(records.size(), begin + kRunsPerBlock - 1);
    text += comparison.block(begin, end) + "\n";
    begin = end;
  } while (begin < records.size());
  if (records.size() > kRunsPerBlock)
    text += comparison.summary() + "\n";  // fewer stand side by side
  for (std::size_t run = 0; run < records.size(); ++run)
    text += verification(records[run], names[run], kCompareWidth);
  return text;
}

}  // namespace nplab::reports
