#include "reports/analysis/published_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "reports/analysis/derive.h"
#include "reports/analysis/record_tables.h"
#include "reports/tables/text_layout.h"

namespace nplab::reports {
namespace {

constexpr double kFarRatio = 0.15;  // a figure further than this from the published one is marked

std::optional<PublishedFigure> published_overall(const PublishedRun& run, const std::string& row) {
  if (row == "sent_per_received") {
    const auto sent = static_cast<Count>(run.overall.at("packets_sent"));
    return PublishedFigure{percentage(sent, static_cast<Count>(run.overall.at("packets_received"))),
                           true};
  }
  const auto found = run.overall.find(row);
  if (found == run.overall.end())
    return std::nullopt;
  return PublishedFigure{found->second};
}

std::optional<PublishedFigure> published_engine(const PublishedRun& run, const std::string& row,
                                                const std::string& column) {
  const auto id = std::strtoull(row.c_str(), nullptr, 10);
  if (id >= run.engines.size())
    return std::nullopt;
  const PublishedEngine& engine = run.engines[id];
  if (column == "executing")
    return PublishedFigure{engine.executing_pct};
  if (column == "aborted")
    return PublishedFigure{engine.aborted_pct};
  if (column == "idle")
    return PublishedFigure{engine.idle_pct};
  if (column == "mips")
    return PublishedFigure{engine.mips};
  if (column != "stalled")
    return std::nullopt;
  return PublishedFigure{100 - engine.executing_pct - engine.aborted_pct - engine.idle_pct, true};
}

double as_number(const Cell& cell) {
  if (const auto* whole = std::get_if<Count>(&cell.value))
    return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell.value))
    return *real;
  return 0;
}

// Engine columns that the publication prints or implies.
bool is_published_column(const std::string& table, const std::string& column) {
  return table == "overall" || column == "executing" || column == "aborted" ||
         column == "stalled" || column == "idle" || column == "mips";
}

ComparedFigure compared_figure(const Table& table, const Row& row, std::size_t index,
                               const PublishedRun* published) {
  const std::string& column = table.columns[index].id;
  const bool is_overall = table.id == "overall";
  ComparedFigure figure;
  figure.id = is_overall ? row.id : row.id + "." + column;
  figure.label = figure_label(table, row, index);
  figure.ours = row.cells[index];
  figure.unit = figure_unit(figure.label, figure.ours);
  if (published == nullptr)
    return figure;
  figure.published = is_overall ? published_overall(*published, row.id)
                                : published_engine(*published, row.id, column);
  if (!figure.published)
    return figure;
  const double ours = as_number(figure.ours);
  figure.difference = ours - figure.published->value;
  // A stalled share left over from three truncated percentages has no digits to spare for a ratio.
  if (column != "stalled")
    figure.ratio = ours / figure.published->value;
  return figure;
}

}  // namespace

const char* const kPublishedNote =
    "Figures in parentheses are not printed but follow from printed ones: stalled is 100 % less "
    "executing, aborted and idle. The publication truncates percentages to one decimal; we round "
    "ours to one, and take ratios (ours / published) before rounding.";

bool ComparedFigure::is_far() const {
  return ratio && std::abs(*ratio - 1) > kFarRatio;
}

std::vector<ComparedTable> compare_with_published(const RunRecord& record,
                                                  const PublishedRun* published) {
  std::vector<ComparedTable> compared;
  for (const Table& table : tables_of(record)) {
    if (table.id != "overall" && table.id != "engines")
      continue;
    ComparedTable& group = compared.emplace_back(ComparedTable{table.title, {}});
    for (const Row& row : table.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (is_published_column(table.id, table.columns[i].id))
          group.figures.push_back(compared_figure(table, row, i, published));
      }
    }
  }
  return compared;
}

std::string published_text(const ComparedFigure& figure) {
  if (!figure.published)
    return "-";
  const double value = figure.published->value;
  return figure.published->derived ? fmt::format("({:.{}f})", value, figure.ours.decimals)
                                   : fmt::format("{}", value);
}

std::string far_figures(const std::vector<ComparedTable>& tables) {
  int compared = 0;
  int far = 0;
  for (const ComparedTable& table : tables) {
    for (const ComparedFigure& figure : table.figures) {
      if (figure.ratio)
        ++compared;
      if (figure.is_far())
        ++far;
    }
  }
  return fmt::format("{} of {} figures differ by more than 15 % from the published ones.", far,
                     compared);
}

}  // namespace nplab::reports
