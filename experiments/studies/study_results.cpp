#include "experiments/studies/study_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/run/prepared_run.h"
#include "experiments/studies/study_metrics.h"
#include "experiments/studies/study_points.h"
#include "experiments/studies/study_words.h"

namespace nplab::experiments {
namespace {

bool is_within(const StudyClaim& claim, double value) {
  return (!claim.at_least || value >= *claim.at_least) &&
         (!claim.at_most || value <= *claim.at_most) && (!claim.below || value < *claim.below);
}

// It has no figures.
bool is_refused_input(const StudyRun& run) {
  return run.record.failure && run.record.failure->kind == kRefusedInput;
}

std::vector<std::string> metrics_of(const Study& study) {
  std::vector<std::string> metrics;
  const auto add = [&](const std::string& metric) {
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end())
      metrics.push_back(metric);
  };
  for (const StudyFigure& figure : study.figures)
    add(figure.metric);
  for (const StudyClaim& claim : study.claims)
    add(claim.metric);
  for (const StudyChart& chart : study.charts)
    add(chart.metric);
  return metrics;
}

}  // namespace

std::uint64_t seed_of(const StudyRepetition& repeat, const StudyRun& run) {
  return repeat.seed + run.repetition;
}

std::string run_name(const Study& study, const StudyRun& run) {
  return fmt::format("{} {}{}", study.series[run.series].name, at_point(study, run.point),
                     study.repeat ? fmt::format(" with seed {}", seed_of(*study.repeat, run)) : "");
}

std::optional<MeanAndInterval> summary_of(const Study& study,
                                          const std::vector<std::optional<double>>& values) {
  std::vector<double> known;
  for (const auto& value : values) {
    if (value)
      known.push_back(*value);
  }
  if (known.empty())
    return std::nullopt;
  const StudyRepetition standard;
  return mean_and_interval(known, study.repeat.value_or(standard).confidence_pct);
}

const std::optional<StudyReference>& base_of(const Study& study, const StudySeries& series) {
  return series.relative ? series.relative : study.relative;
}

StudyResults::StudyResults(const Study& study, std::vector<StudyRun> runs)
    : study_(study),
      runs_(std::move(runs)),
      metrics_(metrics_of(study)),
      has_accepted_(study.series.size()) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const StudyRun& run = runs_[i];
    figures_.push_back(is_refused_input(run) ? std::vector<std::optional<double>>(metrics_.size())
                                             : study_metrics(metrics_, run.record));
    first_runs_.emplace(std::pair(study.series[run.series].name, run.point), i);
    if (!is_refused_input(run))
      has_accepted_[run.series] = true;
  }
}

std::optional<std::size_t> StudyResults::first_run(const std::string& series,
                                                   const StudyPoint& point) const {
  const auto found = first_runs_.find({series, point});
  return found == first_runs_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::optional<double>> StudyResults::values(const std::string& metric,
                                                        const std::string& series,
                                                        const StudyPoint& point) const {
  std::vector<std::optional<double>> values(study_.repetitions());
  const auto first = first_run(series, point);
  const auto place = static_cast<std::size_t>(std::find(metrics_.begin(), metrics_.end(), metric) -
                                              metrics_.begin());
  if (!first || place == metrics_.size())
    return values;
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = figures_[*first + k][place];
  return values;
}

std::vector<std::optional<double>> StudyResults::ratios(const std::string& metric,
                                                        const std::string& series,
                                                        const StudyPoint& point,
                                                        const StudyReference& base) const {
  auto values = this->values(metric, series, point);
  const auto bases = this->values(metric, base.series.empty() ? series : base.series,
                                  referred_point(study_, base, point));
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = ratio_of(values[k], bases[k]);
  return values;
}

std::optional<double> StudyResults::value(const std::string& metric, const std::string& series,
                                          const StudyPoint& point) const {
  const auto summary = summary_of(study_, values(metric, series, point));
  return summary ? std::optional(summary->mean) : std::nullopt;
}

std::optional<double> StudyResults::claimed(const StudyClaim& claim,
                                            const StudyPoint& point) const {
  const auto figures = [&](const std::string& series, const StudyPoint& at,
                           const std::optional<StudyReference>& over) {
    return over ? ratios(claim.metric, series, at, *over) : values(claim.metric, series, at);
  };
  auto claimed = figures(claim.series, point, claim.over);
  if (claim.than) {
    const auto others = figures(claim.than->of.series,
                                referred_point(study_, claim.than->of, point), claim.than->over);
    for (std::size_t k = 0; k < claimed.size(); ++k)
      claimed[k] = ratio_of(claimed[k], others[k]);
  }
  const auto summary = summary_of(study_, claimed);
  return summary ? std::optional(summary->mean) : std::nullopt;
}

std::vector<JudgedClaim> StudyResults::claims() const {
  std::vector<JudgedClaim> judged;
  for (const StudyClaim& claim : study_.claims) {
    JudgedClaim one{&claim, JudgedClaim::Outcome::kNotLookedAt, {}};
    std::size_t held = 0;
    for (const StudyPoint& point : claim.at) {
      const auto ratio = claimed(claim, point);
      if (!ratio)
        continue;
      one.values.emplace_back(point, *ratio);
      held += is_within(claim, *ratio) ? 1 : 0;
    }
    if (!one.values.empty()) {
      const bool holds = claim.some ? held > 0 : held == one.values.size();
      one.outcome = holds ? JudgedClaim::Outcome::kHeld : JudgedClaim::Outcome::kFailed;
    }
    judged.push_back(std::move(one));
  }
  return judged;
}

std::vector<const StudyRun*> StudyResults::failures() const {
  std::vector<const StudyRun*> failed;
  for (const StudyRun& run : runs_) {
    if (run.record.failure && !is_refusal(run))
      failed.push_back(&run);
  }
  return failed;
}

std::vector<const StudyRun*> StudyResults::refusals() const {
  std::vector<const StudyRun*> refused;
  for (const StudyRun& run : runs_) {
    if (is_refusal(run))
      refused.push_back(&run);
  }
  return refused;
}

bool StudyResults::is_refused(const std::string& series, const StudyPoint& point) const {
  const auto first = first_run(series, point);
  return first && is_refusal(runs_[*first]);
}

// A series of which every run is refused has something wrong.
bool StudyResults::is_refusal(const StudyRun& run) const {
  return study_.may_refuse && is_refused_input(run) && has_accepted_[run.series];
}

}  // namespace nplab::experiments
