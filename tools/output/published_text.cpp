#include "tools/output/published_text.h"

#include <iostream>

#include "experiments/calibration/shipped_predictions.h"
#include "reports/text/text_report.h"

namespace nplab::tools {

std::string published_text(const std::vector<reports::RunRecord>& records) {
  Diagnostics diagnostics;
  const auto ranges = experiments::shipped_predictions(diagnostics);
  std::cerr << diagnostics.to_string();
  return reports::render_published(records, ranges ? &*ranges : nullptr);
}

}  // namespace nplab::tools
