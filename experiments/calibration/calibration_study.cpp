#include "experiments/calibration/calibration_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "experiments/calibration/sampling.h"

namespace nplab::experiments {
namespace {

constexpr std::size_t kMostExamples = 5;

class CalibrationRunner {
 public:
  CalibrationRunner(const Calibration& calibration, std::uint64_t seed,
                    const CalibrationProgress& progress, Diagnostics& diagnostics)
      : calibration_(calibration), seed_(seed), progress_(progress), diagnostics_(diagnostics) {
    for (const std::string& mapping : calibration.fitted) {
      const auto targets =
          targets_of(mapping, *reports::find_published(mapping), calibration.limits);
      results_.targets.insert(results_.targets.end(), targets.begin(), targets.end());
    }
  }

  std::optional<CalibrationResults> run() {
    const CalibrationSize& size = calibration_.size;
    if (!add_sample("sample", latin_hypercube(calibration_.parameters, size.sample, seed_)))
      return std::nullopt;
    for (std::size_t round = 1; round <= size.rounds && !sampled_.empty(); ++round) {
      if (!add_sample(fmt::format("round {}", round), refined(round)))
        return std::nullopt;
    }
    results_.met_by.assign(results_.targets.size(), 0);
    for (const ScoredSetting& one : sampled_) {
      for (std::size_t i = 0; i < results_.targets.size(); ++i)
        results_.met_by[i] += one.score.deviations[i].is_met() ? 1 : 0;
    }
    if (!run_kept() || !run_shippable() || !run_shipped())
      return std::nullopt;
    return std::move(results_);
  }

 private:
  [[nodiscard]] std::vector<std::string> all_mappings() const {
    std::vector<std::string> all = calibration_.fitted;
    all.insert(all.end(), calibration_.predicted.begin(), calibration_.predicted.end());
    return all;
  }

  std::optional<std::vector<SettingOutcome>> run_all(const std::string& step,
                                                     const std::vector<std::string>& mappings,
                                                     const std::vector<SettingRequest>& requests,
                                                     RunLength length) {
    (length == RunLength::kShort ? results_.short_runs : results_.full_runs) +=
        requests.size() * mappings.size();
    return run_settings(
        calibration_, mappings, requests, length, [&](double done) { progress_(step, done); },
        diagnostics_);
  }

  [[nodiscard]] Score score(const std::map<std::string, Figures>& figures) const {
    std::vector<double> values;
    for (const Target& target : results_.targets)
      values.push_back(target_value(target, figures.at(target.mapping),
                                    *reports::find_published(target.mapping)));
    return score_of(results_.targets, values);
  }

  void count_failure(const SettingOutcome& outcome) {
    const bool is_refused = outcome.failures.empty();
    (is_refused ? results_.failed.refused : results_.failed.failed) += 1;
    const auto& first = is_refused ? *outcome.refused.begin() : *outcome.failures.begin();
    if (results_.failed.examples.size() < kMostExamples)
      results_.failed.examples.push_back(first.first + ": " + first.second);
  }

  bool add_sample(const std::string& step, const std::vector<Setting>& settings) {
    std::vector<SettingRequest> requests;
    for (const Setting& setting : settings)
      requests.push_back({setting});
    const auto outcomes = run_all(step, calibration_.fitted, requests, RunLength::kShort);
    if (!outcomes)
      return false;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      known_.push_back(settings[i]);
      const SettingOutcome& outcome = (*outcomes)[i];
      if (outcome.is_complete())
        sampled_.push_back({settings[i], score(outcome.figures), outcome.figures});
      else
        count_failure(outcome);
    }
    const KeptSettings kept = kept_of(sampled_);
    const Score best = kept.indices.empty() ? Score{} : sampled_[kept.indices.front()].score;
    results_.rounds.push_back({settings.size(), kept.indices.size(), best});
    return true;
  }

  [[nodiscard]] KeptSettings kept_of(const std::vector<ScoredSetting>& settings) const {
    std::vector<Score> scores;
    for (const ScoredSetting& one : settings)
      scores.push_back(one.score);
    return kept_by_rule(scores, calibration_.rule.slack, calibration_.rule.least_kept);
  }

  // Near the kept settings, and near as many as the rule asks for of the smallest distance, which
  // tells settings apart that meet equally many figures.
  [[nodiscard]] std::vector<Setting> refined(std::size_t round) const {
    std::vector<std::size_t> nearest(sampled_.size());
    std::iota(nearest.begin(), nearest.end(), 0);
    std::stable_sort(nearest.begin(), nearest.end(), [&](std::size_t a, std::size_t b) {
      return sampled_[a].score.distance < sampled_[b].score.distance;
    });
    nearest.resize(std::min(nearest.size(), calibration_.rule.least_kept));
    std::set<std::size_t> chosen(nearest.begin(), nearest.end());
    const KeptSettings kept = kept_of(sampled_);
    chosen.insert(kept.indices.begin(), kept.indices.end());
    std::vector<Setting> parents;
    for (const std::size_t index : chosen)
      parents.push_back(sampled_[index].setting);
    return settings_near(calibration_.parameters, parents, known_, calibration_.size.refined, {},
                         seed_ + round);
  }

  // Those of the sample that are run at full length: kept ones, all or as many as the size says,
  // the best among them and the others drawn.
  [[nodiscard]] std::vector<std::size_t> drawn() const {
    std::vector<std::size_t> indices = kept_of(sampled_).indices;
    std::mt19937_64 generator(seed_);
    for (std::size_t i = 1; i + 1 < indices.size(); ++i)
      std::swap(indices[i], indices[i + generator() % (indices.size() - i)]);
    indices.resize(std::min(indices.size(), calibration_.size.kept));
    return indices;
  }

  bool run_kept() {
    const std::vector<std::size_t> indices = drawn();
    std::vector<SettingRequest> requests;
    for (const std::size_t index : indices)
      requests.push_back({sampled_[index].setting});
    const auto outcomes = run_all("kept settings", all_mappings(), requests, RunLength::kFull);
    if (!outcomes)
      return false;
    std::vector<ScoredSetting> full;
    results_.mean_bias.assign(results_.targets.size(), 0);
    results_.largest_bias.assign(results_.targets.size(), 0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const SettingOutcome& outcome = (*outcomes)[i];
      if (!outcome.is_complete()) {
        count_failure(outcome);
        continue;
      }
      full.push_back({sampled_[indices[i]].setting, score(outcome.figures), outcome.figures});
      add_bias(sampled_[indices[i]].score, full.back().score);
    }
    for (double& bias : results_.mean_bias)
      bias /= std::max<double>(1, static_cast<double>(full.size()));
    results_.run_at_full_length = full.size();
    const KeptSettings kept = kept_of(full);
    results_.slack = kept.slack;
    for (const std::size_t index : kept.indices)
      results_.kept.push_back(full[index]);
    return true;
  }

  void add_bias(const Score& continued, const Score& full) {
    for (std::size_t i = 0; i < results_.targets.size(); ++i) {
      const double bias =
          (continued.deviations[i].ours - full.deviations[i].ours) / results_.targets[i].within;
      results_.mean_bias[i] += bias;
      results_.largest_bias[i] = std::max(results_.largest_bias[i], std::abs(bias));
    }
  }

  bool run_shippable() {
    const std::size_t count = std::min(calibration_.size.shippable, results_.kept.size());
    std::vector<SettingRequest> requests;
    for (std::size_t i = 0; i < count; ++i)
      requests.push_back({results_.kept[i].setting, ChipValues::kOfChipFile});
    const auto outcomes =
        run_all("with the chip file's values", all_mappings(), requests, RunLength::kFull);
    if (!outcomes)
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      const SettingOutcome& outcome = (*outcomes)[i];
      if (outcome.is_complete())
        results_.shippable.push_back(
            {results_.kept[i].setting, score(outcome.figures), outcome.figures});
      else
        count_failure(outcome);
    }
    std::stable_sort(results_.shippable.begin(), results_.shippable.end(),
                     [](const auto& a, const auto& b) { return a.score.is_better_than(b.score); });
    return true;
  }

  bool run_shipped() {
    const auto outcomes = run_all("shipped setting", all_mappings(), {{}}, RunLength::kFull);
    if (!outcomes)
      return false;
    const SettingOutcome& outcome = outcomes->front();
    if (outcome.is_complete())
      results_.shipped = {{}, score(outcome.figures), outcome.figures};
    else
      count_failure(outcome);
    return true;
  }

  const Calibration& calibration_;
  const std::uint64_t seed_;
  const CalibrationProgress& progress_;
  Diagnostics& diagnostics_;
  CalibrationResults results_;
  std::vector<Setting> known_;          // every setting that was tried
  std::vector<ScoredSetting> sampled_;  // those that gave figures, by shortened runs
};

}  // namespace

std::optional<CalibrationResults> run_calibration(const Calibration& calibration,
                                                  std::uint64_t seed,
                                                  const CalibrationProgress& progress,
                                                  Diagnostics& diagnostics) {
  return CalibrationRunner(calibration, seed, progress, diagnostics).run();
}

}  // namespace nplab::experiments
