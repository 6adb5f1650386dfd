#include "reports/text/compared_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/comparable_tables.h"
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
constexpr std::size_t kRunsPerBlock = 3;

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

std::string compared_figures(const std::vector<RunRecord>& records) {
  const Comparison comparison(records);
  std::string text;
  std::size_t begin = 1;
  do {
    const std::size_t end = std::min(records.size(), begin + kRunsPerBlock - 1);
    text += comparison.block(begin, end) + "\n";
    begin = end;
  } while (begin < records.size());
  if (records.size() > kRunsPerBlock)
    text += comparison.summary() + "\n";  // fewer stand side by side
  return text;
}

}  // namespace nplab::reports
