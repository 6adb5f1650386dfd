// A run's figures beside the published ones, as data for texts and pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/published.h"
#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

struct PublishedFigure {
  double value = 0;
  bool derived = false;  // not printed by the publication, but implied by what it prints
};

struct ComparedFigure {
  std::string id;  // row, or row and column: `receive_rate`, `0.idle`
  std::string label;
  std::string unit;
  Cell ours;
  std::optional<PublishedFigure> published;
  std::optional<double> difference;  // ours - published
  std::optional<double>
      ratio;  // ours / published; none where the published digits do not suffice for one

  // The ratio is further from 1 than 15 %.
  [[nodiscard]] bool is_far() const;
};

struct ComparedTable {
  std::string title;
  std::vector<ComparedFigure> figures;
};

// The tables that the publication has, of a run. `published`: the publication's run, or null: ours
// alone.
std::vector<ComparedTable> compare_with_published(const RunRecord& record,
                                                  const PublishedRun* published);

// The published figure as it is printed; in parentheses when it is derived; `-` when there is none.
std::string published_text(const ComparedFigure& figure);

// How many figures are far from the published ones, of how many that have a ratio, as a sentence.
std::string far_figures(const std::vector<ComparedTable>& tables);

// What readers must know of both columns.
extern const char* const kPublishedNote;

}  // namespace nplab::reports
