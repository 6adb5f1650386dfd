// Bar charts of a study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/studies/study_results.h"

namespace nplab::experiments {

struct BarFigure {
  std::optional<double> value;     // nothing where the point is not run
  std::optional<double> relative;  // how many times that of the chart's base
};

struct BarRow {
  std::string name;
  BarFigure ours;
  std::optional<BarFigure> published;
};

// The bars of a chart, in its order.
std::vector<BarRow> chart_rows(const Study& study, const StudyChart& chart,
                               const StudyResults& results);

// As text: below each bar of ours the published one, if there is one.
std::string render_chart(const Study& study, const StudyChart& chart, const StudyResults& results);

}  // namespace nplab::experiments
