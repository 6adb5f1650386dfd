#include "experiments/studies/study_charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/studies/study_words.h"

namespace nplab::experiments {
namespace {

constexpr double kLongestBar = 50;  // characters

// Published figures are those of the study's first metric.
std::optional<double> published_at(const Study& study, const StudyChart& chart,
                                   const std::string& series, const StudyPoint& point) {
  const auto found = std::find_if(study.series.begin(), study.series.end(),
                                  [&](const auto& one) { return one.name == series; });
  if (chart.metric != study.figures.front().metric || found == study.series.end())
    return std::nullopt;
  const auto at = found->published.find(point);
  return at == found->published.end() ? std::nullopt : std::optional(at->second);
}

double longest(const std::vector<BarRow>& rows) {
  double most = 1;
  for (const BarRow& row : rows) {
    most = std::max(most, row.ours.relative.value_or(0));
    most = std::max(most, row.published.value_or(BarFigure{}).relative.value_or(0));
  }
  return most;
}

std::string line_of(const std::string& name, std::size_t width, const BarFigure& figure,
                    double most, char mark) {
  const auto length =
      static_cast<std::size_t>(figure.relative.value_or(0) / most * kLongestBar + 0.5);
  std::string line = fmt::format("  {:<{}} {:>11} {:>7} {}", name, width, figure_text(figure.value),
                                 figure_text(figure.relative), std::string(length, mark));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::vector<BarRow> chart_rows(const Study& study, const StudyChart& chart,
                               const StudyResults& results) {
  const auto base = results.value(chart.metric, chart.base_series, chart.base_at);
  const auto printed_base = published_at(study, chart, chart.base_series, chart.base_at);
  std::vector<BarRow> rows;
  for (const StudyBar& bar : chart.bars) {
    const auto value = results.value(chart.metric, bar.series, bar.at);
    const auto printed = published_at(study, chart, bar.series, bar.at);
    rows.push_back({bar.name, {value, ratio_of(value, base)}, std::nullopt});
    if (printed)
      rows.back().published = {printed, ratio_of(printed, printed_base)};
  }
  return rows;
}

std::string render_chart(const Study& study, const StudyChart& chart, const StudyResults& results) {
  const std::vector<BarRow> rows = chart_rows(study, chart, results);
  constexpr std::string_view kPublished = "  published";
  std::size_t width = kPublished.size();
  for (const BarRow& row : rows)
    width = std::max(width, row.name.size());
  const double most = longest(rows);
  std::string text = fmt::format("{}\n", chart.title);
  for (const BarRow& row : rows) {
    text += line_of(row.name, width, row.ours, most, '#');
    if (row.published)
      text += line_of(std::string(kPublished), width, *row.published, most, '=');
  }
  return text;
}

}  // namespace nplab::experiments
