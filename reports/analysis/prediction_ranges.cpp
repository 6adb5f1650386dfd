#include "reports/analysis/prediction_ranges.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace nplab::reports {
namespace {

constexpr const char* kSchema = "nplab.calibration/1";

// `0.idle` is `engine0.idle_pct`.
std::string calibration_name(const std::string& figure) {
  const auto dot = figure.find('.');
  if (dot == std::string::npos)
    return figure;
  const std::string column = figure.substr(dot + 1);
  return fmt::format("engine{}.{}{}", figure.substr(0, dot), column,
                     column == "mips" ? "" : "_pct");
}

PredictionRanges read(const nlohmann::json& json) {
  PredictionRanges ranges;
  ranges.version = json.at("tool").at("version");
  ranges.commit = json.at("tool").at("commit");
  ranges.seed = json.at("seed");
  ranges.kept = json.at("kept");
  ranges.runs = json.at("runs").at("shortened").get<std::uint64_t>() +
                json.at("runs").at("full").get<std::uint64_t>();
  for (const auto& [mapping, figures] : json.at("predictions").items()) {
    for (const auto& [figure, range] : figures.items()) {
      ranges.by_mapping[mapping][figure] = {range.at("p5"), range.at("p50"), range.at("p95"),
                                            range.at("predicted")};
    }
  }
  return ranges;
}

}  // namespace

const PredictionRange* PredictionRanges::find(const std::string& mapping,
                                              const std::string& figure) const {
  const auto figures = by_mapping.find(mapping);
  if (figures == by_mapping.end())
    return nullptr;
  const auto range = figures->second.find(calibration_name(figure));
  return range == figures->second.end() ? nullptr : &range->second;
}

std::optional<PredictionRanges> read_prediction_ranges(const std::string& text,
                                                       const std::string& file,
                                                       Diagnostics& diagnostics) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") == kSchema)
      return read(json);
    diagnostics.error({file, 0, 0}, fmt::format("expected the schema {}", kSchema));
  } catch (const nlohmann::json::exception& problem) {
    diagnostics.error({file, 0, 0},
                      fmt::format("not a result of nplab study calibration: {}", problem.what()));
  }
  return std::nullopt;
}

}  // namespace nplab::reports
