#include "experiments/calibration/conclusions.h"

namespace nplab::experiments {
namespace {

// The figure of a mapping in every kept setting that has it.
std::vector<double> values_of(const CalibrationResults& results, const std::string& mapping,
                              const std::string& figure) {
  std::vector<double> values;
  for (const ScoredSetting& kept : results.kept) {
    const auto figures = kept.figures.find(mapping);
    if (figures == kept.figures.end())
      continue;
    const auto value = figures->second.find(figure);
    if (value != figures->second.end())
      values.push_back(value->second);
  }
  return values;
}

std::optional<double> shipped_value(const CalibrationResults& results, const std::string& mapping,
                                    const std::string& figure) {
  if (!results.shipped)
    return std::nullopt;
  const auto& figures = results.shipped->figures.at(mapping);
  const auto value = figures.find(figure);
  return value == figures.end() ? std::nullopt : std::optional(value->second);
}

}  // namespace

Conclusions conclusions_of(const Calibration& calibration, const CalibrationResults& results) {
  std::vector<Setting> settings;
  for (const ScoredSetting& kept : results.kept)
    settings.push_back(kept.setting);
  const CalibrationRule& rule = calibration.rule;
  Conclusions conclusions{
      remaining_ranges(calibration.parameters, settings, rule.identified_below, rule.least_kept),
      correlations(calibration.parameters, settings, kLeastCorrelation),
      {}};
  for (const std::string& mapping : calibration.predicted) {
    auto& predictions = conclusions.predictions[mapping];
    if (results.kept.empty())
      continue;
    for (const auto& [figure, ignored] : results.kept.front().figures.at(mapping)) {
      const Percentiles range = percentiles_of(values_of(results, mapping, figure));
      predictions[figure] = {
          range, shipped_value(results, mapping, figure),
          settings.size() >= rule.least_kept && range.is_within(rule.predicted_below)};
    }
  }
  return conclusions;
}

}  // namespace nplab::experiments
