#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "reports/derive.h"
#include "reports/published.h"
#include "reports/tables.h"
#include "reports/text_layout.h"
#include "reports/text_report.h"

namespace nplab::reports {
namespace {

constexpr double kFarRatio = 0.15;  // a figure further than this from the published one is marked

struct PublishedFigure {
  double value = 0;
  bool derived = false;  // not printed by the publication, but implied by what it prints
};

std::optional<PublishedFigure> published_overall(const PublishedRun& run, const std::string& row) {
  if (row == "sent_per_received") {
    const auto sent = static_cast<Count>(run.overall.at("packets_sent"));
    return PublishedFigure{percentage(sent, static_cast<Count>(run.overall.at("packets_received"))), true};
  }
  const auto found = run.overall.find(row);
  if (found == run.overall.end()) return std::nullopt;
  return PublishedFigure{found->second};
}

std::optional<PublishedFigure> published_engine(const PublishedRun& run, const std::string& row,
                                                const std::string& column) {
  const auto id = std::strtoull(row.c_str(), nullptr, 10);
  if (id >= run.engines.size()) return std::nullopt;
  const PublishedEngine& engine = run.engines[id];
  if (column == "executing") return PublishedFigure{engine.executing_pct};
  if (column == "aborted") return PublishedFigure{engine.aborted_pct};
  if (column == "idle") return PublishedFigure{engine.idle_pct};
  if (column == "mips") return PublishedFigure{engine.mips};
  if (column != "stalled") return std::nullopt;
  return PublishedFigure{100 - engine.executing_pct - engine.aborted_pct - engine.idle_pct, true};
}

std::optional<PublishedFigure> published_figure(const PublishedRun* run, const std::string& table,
                                                const std::string& row, const std::string& column) {
  if (!run) return std::nullopt;
  return table == "overall" ? published_overall(*run, row) : published_engine(*run, row, column);
}

double as_number(const Cell& cell) {
  if (const auto* whole = std::get_if<Count>(&cell.value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell.value)) return *real;
  return 0;
}

// Engine columns that the publication prints or implies.
bool is_published_column(const std::string& table, const std::string& column) {
  return table == "overall" || column == "executing" || column == "aborted" || column == "stalled" ||
         column == "idle" || column == "mips";
}

class PublishedTable {
 public:
  PublishedTable(const RunRecord& record, const PublishedRun* published) : record_(record), published_(published) {}

  std::string render() {
    for (const Table& table : tables_of(record_)) {
      if (table.id != "overall" && table.id != "engines") continue;
      lines_.push_back(table.title);
      for (const Row& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
          if (is_published_column(table.id, table.columns[i].id)) add(table, row, i);
        }
      }
    }
    return join_lines(lines_) + summary();
  }

 private:
  void add(const Table& table, const Row& row, std::size_t column) {
    const Cell& cell = row.cells[column];
    const std::string label = figure_label(table, row, column);
    const std::string start = fmt::format("  {:<22} {:<8}", label, figure_unit(label, cell));
    const auto figure = published_figure(published_, table.id, row.id, table.columns[column].id);
    if (!figure) {
      lines_.push_back(fmt::format("{} {:>11} {:>11}", start, "-", to_string(cell)));
      return;
    }
    const double ours = as_number(cell);
    const std::string printed =
        figure->derived ? fmt::format("({:.{}f})", figure->value, cell.decimals) : fmt::format("{}", figure->value);
    const std::string difference = fmt::format("{:+.{}f}", ours - figure->value, cell.decimals);
    std::string line = fmt::format("{} {:>11} {:>11} {:>11}", start, printed, to_string(cell), difference);
    // A stalled share left over from three truncated percentages has no digits to spare for a ratio.
    if (table.columns[column].id != "stalled") line += ratio(ours / figure->value);
    lines_.push_back(line);
  }

  std::string ratio(double value) {
    const bool far = std::abs(value - 1) > kFarRatio;
    ++compared_;
    if (far) ++far_;
    return fmt::format(" {:>10.3f}{}", value, far ? "  over 15 %" : "");
  }

  std::string summary() const {
    if (!published_) return "";
    return fmt::format("{} of {} figures are further than 15 % from the published ones.\n", far_, compared_);
  }

  const RunRecord& record_;
  const PublishedRun* published_;
  std::vector<std::string> lines_;
  int compared_ = 0;
  int far_ = 0;
};

}  // namespace

std::string render_published(const std::vector<RunRecord>& records) {
  std::string text = heading("Published IXP1200 measurements, 2003, beside these runs");
  text += wrapped("", "In parentheses: not printed, but implied by what is. Stalled is what executing, aborted and "
                      "idle leave of 100 %. The publication truncates percentages to one decimal; ours are rounded to "
                      "one, and ratios (ours / published) are taken before rounding.", kRunWidth);
  const std::vector<std::string> names = run_names(records);
  for (std::size_t run = 0; run < records.size(); ++run) {
    const PublishedRun* published = find_published(mapping_name(records[run]));
    text += fmt::format("\n{}: {}\n", names[run],
                        published ? "published as " + published->mapping
                                  : std::string("not in the publication's tables here; ours alone"));
    text += fmt::format("  {:<22} {:<8} {:>11} {:>11} {:>11} {:>10}\n", "", "", "published", "ours", "difference",
                        "ratio");
    text += PublishedTable(records[run], published).render();
  }
  return text;
}

}  // namespace nplab::reports
