#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/calibration/calibration_report.h"
#include "experiments/calibration/conclusions.h"
#include "experiments/prepare/program_identity.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Four decimals: more than the percentages of a run have meaning, and short.
double rounded(double value) {
  constexpr double kParts = 10000;
  return std::round(value * kParts) / kParts;
}

Json setting_json(const Calibration& calibration, const Setting& setting) {
  Json json = Json::object();
  for (std::size_t i = 0; i < setting.size(); ++i)
    json[calibration.parameters[i].name] = calibration.parameters[i].levels[setting[i]];
  return json;
}

Json scored_json(const Calibration& calibration, const ScoredSetting& one) {
  return {{"met", one.score.met},
          {"points", one.score.points},
          {"distance", rounded(one.score.distance)},
          {"setting", setting_json(calibration, one.setting)}};
}

Json parameters_json(const Calibration& calibration, const Conclusions& conclusions) {
  Json list = Json::array();
  for (std::size_t i = 0; i < calibration.parameters.size(); ++i) {
    const OpenParameter& parameter = calibration.parameters[i];
    const RemainingRange& range = conclusions.ranges[i];
    list.push_back({{"name", parameter.name},
                    {"keys", parameter.keys},
                    {"unit", parameter.unit},
                    {"reason", parameter.reason},
                    {"chosen", parameter.is_chosen},
                    {"low", parameter.low()},
                    {"high", parameter.high()},
                    {"remaining", {range.low, range.high}},
                    {"share_pct", rounded(range.share_pct)},
                    {"identified", range.is_identified}});
  }
  return list;
}

Json targets_json(const CalibrationResults& results) {
  Json list = Json::array();
  for (std::size_t i = 0; i < results.targets.size(); ++i) {
    const Target& target = results.targets[i];
    Json one{{"mapping", target.mapping},
             {"figure", target.figure},
             {"printed", rounded(target.printed)},
             {"within", rounded(target.within)},
             {"weight", target.weight},
             {"met_by_sampled", results.met_by[i]}};
    if (!results.kept.empty()) {
      std::size_t met = 0;
      std::vector<double> ours;
      for (const ScoredSetting& kept : results.kept) {
        met += kept.score.deviations[i].is_met() ? 1 : 0;
        ours.push_back(kept.score.deviations[i].ours);
      }
      const Percentiles range = percentiles_of(ours);
      one["met_by_kept"] = met;
      one["kept_p5_p50_p95"] = {rounded(range.p5), rounded(range.p50), rounded(range.p95)};
      one["best"] = rounded(results.kept.front().score.deviations[i].ours);
      one["bias_of_short_runs"] = {{"mean_limits", rounded(results.mean_bias[i])},
                                   {"largest_limits", rounded(results.largest_bias[i])}};
    }
    if (results.shipped) {
      one["shipped"] = rounded(results.shipped->score.deviations[i].ours);
      one["met_by_shipped"] = results.shipped->score.deviations[i].is_met();
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json predictions_json(const Conclusions& conclusions) {
  Json json = Json::object();
  for (const auto& [mapping, figures] : conclusions.predictions) {
    json[mapping] = Json::object();
    for (const auto& [figure, predicted] : figures) {
      json[mapping][figure] = {{"p5", rounded(predicted.range.p5)},
                               {"p50", rounded(predicted.range.p50)},
                               {"p95", rounded(predicted.range.p95)},
                               {"predicted", predicted.is_predicted}};
      if (predicted.shipped)
        json[mapping][figure]["shipped"] = rounded(*predicted.shipped);
    }
  }
  return json;
}

Json correlations_json(const Calibration& calibration, const Conclusions& conclusions) {
  Json list = Json::array();
  for (const Correlation& one : conclusions.correlations) {
    list.push_back(
        {{"parameters",
          {calibration.parameters[one.first].name, calibration.parameters[one.second].name}},
         {"spearman", rounded(one.coefficient)}});
  }
  return list;
}

Json runs_json(const CalibrationResults& results) {
  Json rounds = Json::array();
  for (const CalibrationRound& round : results.rounds)
    rounds.push_back({{"settings", round.settings},
                      {"kept", round.kept},
                      {"best_met", round.best.met},
                      {"best_points", round.best.points}});
  return {{"shortened", results.short_runs},
          {"full", results.full_runs},
          {"rounds", rounds},
          {"settings_refused", results.failed.refused},
          {"settings_failed", results.failed.failed},
          {"failures", results.failed.examples}};
}

}  // namespace

std::string calibration_json(const Calibration& calibration, const CalibrationResults& results,
                             std::uint64_t seed) {
  const Conclusions conclusions = conclusions_of(calibration, results);
  const ProgramIdentity& program = program_identity();
  const CalibrationRule& rule = calibration.rule;
  Json json{{"schema", "nplab.calibration/1"},
            {"study", calibration.name},
            {"tool", {{"version", program.version}, {"commit", program.commit}}},
            {"seed", seed},
            {"packets",
             {{"shortened", calibration.size.short_packets}, {"full", calibration.size.packets}}},
            {"runs", runs_json(results)},
            {"rule",
             {{"slack", rule.slack},
              {"slack_used", results.slack},
              {"least_kept", rule.least_kept},
              {"identified_below_pct", rule.identified_below},
              {"predicted_below_pct", rule.predicted_below}}},
            {"figures", results.targets.size()},
            {"run_at_full_length", results.run_at_full_length},
            {"kept", results.kept.size()},
            {"parameters", parameters_json(calibration, conclusions)},
            {"correlations", correlations_json(calibration, conclusions)},
            {"targets", targets_json(results)},
            {"predictions", predictions_json(conclusions)}};
  if (!results.kept.empty())
    json["best"] = scored_json(calibration, results.kept.front());
  if (!results.shippable.empty())
    json["best_shippable"] = scored_json(calibration, results.shippable.front());
  if (results.shipped)
    json["shipped"] = {{"met", results.shipped->score.met},
                       {"points", results.shipped->score.points},
                       {"distance", rounded(results.shipped->score.distance)}};
  return json.dump(1) + "\n";
}

}  // namespace nplab::experiments
