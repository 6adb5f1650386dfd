#include "experiments/studies/study_listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/studies/study_points.h"
#include "experiments/studies/study_words.h"

namespace nplab::experiments {
namespace {

using Row = std::vector<std::string>;

// Each column as wide as what it holds, numbers at its right.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<int> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], static_cast<int>(fmt::formatted_size("{}", row[i])));
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += "\n";
  }
  return text;
}

std::string mean_text(const Study& study, const std::vector<std::optional<double>>& values) {
  const auto summary = summary_of(study, values);
  if (!summary)
    return "-";
  std::string text = figure_text(summary->mean);
  if (summary->half_width)
    text += " +- " + figure_text(summary->half_width);
  if (summary->count < values.size())
    text += fmt::format(" ({} of {})", summary->count, values.size());
  return text;
}

std::string head_of(const Study& study) {
  std::string text = study.design.empty() ? "" : fmt::format("  {}\n", study.design);
  if (study.repeat)
    text += fmt::format(
        "  {} runs per point, seeds {} to {}: mean +- half of the {:g} % confidence interval "
        "(Student's t)\n",
        study.repeat->runs, study.repeat->seed, study.repeat->seed + study.repeat->runs - 1,
        study.repeat->confidence_pct);
  return text;
}

Row titles_of(const Study& study, const StudySeries& series) {
  Row titles = study.names;
  for (const StudyFigure& figure : study.figures) {
    titles.push_back(figure.title);
    if (figure.has_relative && base_of(study, series))
      titles.emplace_back("relative");
  }
  return titles;
}

Row row_of(const Study& study, const StudyResults& results, const StudySeries& series,
           const StudyPoint& point) {
  Row row = values_at(study, point);
  const auto& base = base_of(study, series);
  for (const StudyFigure& figure : study.figures) {
    row.push_back(results.is_refused(series.name, point)
                      ? "refused"
                      : mean_text(study, results.values(figure.metric, series.name, point)));
    if (figure.has_relative && base)
      row.push_back(mean_text(study, results.ratios(figure.metric, series.name, point, *base)));
  }
  return row;
}

// A field that holds a separator, a quote or a line break stands in quotes.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const Row& row) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i)
    line += (i == 0 ? "" : ",") + csv_field(row[i]);
  return line + "\r\n";
}

Row csv_titles(const Study& study) {
  Row titles{"series", "mapping"};
  titles.insert(titles.end(), study.names.begin(), study.names.end());
  for (const StudyFigure& figure : study.figures) {
    titles.push_back(figure.metric);
    if (study.repeat)
      for (const char* part : {".runs", ".deviation", ".low", ".high"})
        titles.push_back(figure.metric + part);
  }
  return titles;
}

// Full precision: another program rounds it.
std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

void add_figure(const Study& study, const std::vector<std::optional<double>>& values, Row& row) {
  const auto summary = summary_of(study, values);
  row.push_back(summary ? csv_number(summary->mean) : "");
  if (!study.repeat)
    return;
  row.push_back(std::to_string(summary ? summary->count : 0));
  if (!summary || !summary->half_width) {
    row.insert(row.end(), 3, "");
    return;
  }
  row.push_back(csv_number(summary->deviation));
  row.push_back(csv_number(summary->mean - *summary->half_width));
  row.push_back(csv_number(summary->mean + *summary->half_width));
}

}  // namespace

std::string render_listing(const Study& study, const StudyResults& results) {
  std::string text = head_of(study);
  for (const StudySeries& series : study.series) {
    std::vector<Row> rows{titles_of(study, series)};
    for (const StudyPoint& point : series.points)
      rows.push_back(row_of(study, results, series, point));
    text += "\n" + series.name + "\n" + aligned(rows);
  }
  return text;
}

std::string study_csv(const Study& study, const StudyResults& results) {
  std::string text = csv_line(csv_titles(study));
  for (const StudySeries& series : study.series) {
    for (const StudyPoint& point : series.points) {
      Row row{series.name, series.mapping};
      const Combination values = values_at(study, point);
      row.insert(row.end(), values.begin(), values.end());
      for (const StudyFigure& figure : study.figures)
        add_figure(study, results.values(figure.metric, series.name, point), row);
      text += csv_line(row);
    }
  }
  return text;
}

}  // namespace nplab::experiments
