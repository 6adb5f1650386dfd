#include <fmt/format.h>

#include <algorithm>

#include "experiments/calibration/calibration_report.h"
#include "experiments/calibration/conclusions.h"

namespace nplab::experiments {
namespace {

constexpr std::size_t kMostCorrelations = 12;  // printed; the JSON has all

class CalibrationText {
 public:
  CalibrationText(const Calibration& calibration, const CalibrationResults& results,
                  std::uint64_t seed)
      : calibration_(calibration),
        results_(results),
        seed_(seed),
        conclusions_(conclusions_of(calibration, results)) {}

  [[nodiscard]] std::string text() const {
    return head() + targets() + parameters() + correlated() + predictions() + shipped();
  }

 private:
  [[nodiscard]] std::string met(const Score& score) const {
    std::size_t points = 0;
    for (const Target& target : results_.targets)
      points += target.weight;
    return fmt::format("meets {} of {} figures, {} of {} points", score.met,
                       results_.targets.size(), score.points, points);
  }

  [[nodiscard]] std::string head() const {
    std::string text = fmt::format("Study {}: {}\n", calibration_.name, calibration_.summary);
    text += fmt::format(
        "  seed {}; {} shortened runs of {} packets, continued to {}; {} runs of {} packets\n",
        seed_, results_.short_runs, calibration_.size.short_packets, calibration_.size.packets,
        results_.full_runs, calibration_.size.packets);
    for (std::size_t i = 0; i < results_.rounds.size(); ++i) {
      const CalibrationRound& round = results_.rounds[i];
      text += fmt::format("  {:<8} {:>5} new settings; the best so far {}\n",
                          i == 0 ? "sample" : fmt::format("round {}", i), round.settings,
                          met(round.best));
    }
    text +=
        fmt::format("  {} settings were refused (such as programs that do not fit), {} failed\n",
                    results_.failed.refused, results_.failed.failed);
    for (const std::string& example : results_.failed.examples)
      text += fmt::format("    {}\n", example.substr(0, example.find('\n')));
    if (results_.kept.empty())
      return text + "  No setting gave figures.\n";
    return text + fmt::format(
                      "  Of {} settings run at full length, {} are kept (slack {} points).\n"
                      "  The best {}; the last {}\n",
                      results_.run_at_full_length, results_.kept.size(), results_.slack,
                      met(results_.kept.front().score), met(results_.kept.back().score));
  }

  [[nodiscard]] std::string targets() const {
    std::string text = fmt::format("\n{:<6} {:<20} {:>9} {:>8} {:>26} {:>8} {:>9} {:>10}\n", "",
                                   "printed figure", "printed", "within", "kept: p5, p50, p95",
                                   "shipped", "met: kept", "of sampled");
    for (std::size_t i = 0; i < results_.targets.size(); ++i) {
      const Target& target = results_.targets[i];
      std::vector<double> ours;
      std::size_t met_by_kept = 0;
      for (const ScoredSetting& kept : results_.kept) {
        ours.push_back(kept.score.deviations[i].ours);
        met_by_kept += kept.score.deviations[i].is_met() ? 1 : 0;
      }
      const Percentiles p = ours.empty() ? Percentiles{} : percentiles_of(ours);
      const std::string shipped =
          results_.shipped ? fmt::format("{:.1f}", results_.shipped->score.deviations[i].ours)
                           : "-";
      text += fmt::format(
          "{:<6} {:<20} {:>9.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8} {:>9} "
          "{:>10}{}\n",
          target.mapping, target.figure, target.printed, target.within, p.p5, p.p50, p.p95, shipped,
          met_by_kept, results_.met_by[i],
          results_.met_by[i] == 0 && met_by_kept == 0 ? "  met by none" : "");
    }
    const double bias =
        results_.largest_bias.empty()
            ? 0
            : *std::max_element(results_.largest_bias.begin(), results_.largest_bias.end());
    return text +
           fmt::format("Shortened runs differ from full ones by at most {:.2f} limits.\n", bias);
  }

  [[nodiscard]] std::string parameters() const {
    std::string text =
        fmt::format("\n{:<30} {:>13} {:>13} {:>7}\n", "parameter", "range", "remaining", "share");
    std::size_t identified = 0;
    for (std::size_t i = 0; i < calibration_.parameters.size(); ++i) {
      const OpenParameter& parameter = calibration_.parameters[i];
      const RemainingRange& range = conclusions_.ranges[i];
      identified += range.is_identified ? 1 : 0;
      text += fmt::format("{:<30} {:>13} {:>13} {:>5.0f} %  {}{}\n", parameter.name,
                          fmt::format("{} to {}", parameter.low(), parameter.high()),
                          fmt::format("{} to {}", range.low, range.high), range.share_pct,
                          range.is_identified ? "identified" : "not identified",
                          parameter.is_chosen ? ", range chosen" : "");
    }
    return text + fmt::format(
                      "{} of {} parameters are identified (less than {:.0f} % of the range "
                      "remains).\n",
                      identified, calibration_.parameters.size(),
                      calibration_.rule.identified_below);
  }

  [[nodiscard]] std::string correlated() const {
    std::string text = fmt::format("\nRank correlations of {} and more among the kept settings\n",
                                   kLeastCorrelation);
    const auto& all = conclusions_.correlations;
    for (std::size_t i = 0; i < std::min(kMostCorrelations, all.size()); ++i)
      text += fmt::format("  {:+.2f}  {}, {}\n", all[i].coefficient,
                          calibration_.parameters[all[i].first].name,
                          calibration_.parameters[all[i].second].name);
    if (all.size() > kMostCorrelations)
      text += fmt::format("  and {} weaker ones\n", all.size() - kMostCorrelations);
    return text + (all.empty() ? "  none\n" : "");
  }

  [[nodiscard]] std::string predictions() const {
    std::string text;
    for (const auto& [mapping, figures] : conclusions_.predictions) {
      text += fmt::format("\n{:<28} {:>12} {:>12} {:>12} {:>12}\n", mapping + ", predicted", "p5",
                          "p50", "p95", "shipped");
      for (const auto& [figure, predicted] : figures) {
        const Percentiles& p = predicted.range;
        const std::string shipped =
            predicted.shipped ? fmt::format("{:.1f}", *predicted.shipped) : "-";
        text += fmt::format("{:<28} {:>12.1f} {:>12.1f} {:>12.1f} {:>12}{}\n", figure, p.p5, p.p50,
                            p.p95, shipped, predicted.is_predicted ? "" : "  not predicted");
      }
    }
    return text + fmt::format(
                      "Not predicted: p5 to p95 spans more than {:.0f} % of the median, and more "
                      "than 0.1.\n",
                      calibration_.rule.predicted_below);
  }

  [[nodiscard]] std::string shipped() const {
    if (!results_.shipped)
      return "\nThe shipped setting failed.\n";
    std::string text = fmt::format("\nThe shipped setting {}.\n", met(results_.shipped->score));
    if (results_.shippable.empty())
      return text;
    const ScoredSetting& best = results_.shippable.front();
    text += fmt::format("Of {} kept settings, run with the chip file's values, the best {}:\n",
                        results_.shippable.size(), met(best.score));
    for (std::size_t i = 0; i < best.setting.size(); ++i) {
      const OpenParameter& parameter = calibration_.parameters[i];
      if (!parameter.is_of_chip())
        text += fmt::format("  {:<30} {:>6}\n", parameter.name, parameter.levels[best.setting[i]]);
    }
    return text;
  }

  const Calibration& calibration_;
  const CalibrationResults& results_;
  const std::uint64_t seed_;
  const Conclusions conclusions_;
};

}  // namespace

std::string render_calibration(const Calibration& calibration, const CalibrationResults& results,
                               std::uint64_t seed) {
  return CalibrationText(calibration, results, seed).text();
}

}  // namespace nplab::experiments
