// The calibration study: which settings meet the printed figures, and what they leave open.
//
// Limits of acceptability (Beven, Journal of Hydrology 320, 2006): before any run each printed
// figure is given a limit within which a setting meets it. History matching (Craig et al., 1997;
// Vernon, Goldstein, Bower, Bayesian Analysis 5, 2010) excludes settings that miss one; here no
// setting may meet all, so that those are kept which meet most, and the figures that none meets are
// named: they say what the model lacks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/calibration/analysis.h"
#include "experiments/calibration/calibration_file.h"
#include "experiments/calibration/setting_runs.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct ScoredSetting {
  Setting setting;
  Score score;
  std::map<std::string, Figures> figures;  // by mapping
};

// Settings of the samples that gave no figures.
struct FailedSettings {
  std::size_t refused = 0;  // a mapping's programs do not fit, and the like
  std::size_t failed = 0;   // a run ended in a fault, a deadlock or a failed check
  std::vector<std::string> examples;
};

// Settings and their best after the first sample and after each round.
struct CalibrationRound {
  std::size_t settings = 0;
  std::size_t kept = 0;
  Score best;
};

struct CalibrationResults {
  std::vector<Target> targets;
  std::vector<CalibrationRound> rounds;
  std::size_t short_runs = 0;
  std::size_t full_runs = 0;
  FailedSettings failed;
  std::vector<std::size_t> met_by;  // of the shortened runs: settings that meet each target
  std::vector<ScoredSetting> kept;  // at full length, the best first
  std::size_t run_at_full_length = 0;
  std::size_t slack = 0;  // of the kept
  // Of settings that were run both ways, continued less full, in limits: mean and largest by
  // target.
  std::vector<double> mean_bias;
  std::vector<double> largest_bias;
  std::optional<ScoredSetting> shipped;  // its setting is empty
  std::vector<ScoredSetting> shippable;  // with the chip file's values, the best first
};

// Called with what is under way and the share of it that is done.
using CalibrationProgress = std::function<void(const std::string& step, double done)>;

// Runs the study. The same seed gives the same results. Nothing, and diagnostics, when it cannot be
// run; settings that fail are counted.
std::optional<CalibrationResults> run_calibration(const Calibration& calibration,
                                                  std::uint64_t seed,
                                                  const CalibrationProgress& progress,
                                                  Diagnostics& diagnostics);

}  // namespace nplab::experiments
