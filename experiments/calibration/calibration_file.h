// A calibration: which mappings are compared with printed figures, within which limits, which
// parameters are open, and how many runs look at them. Read from one YAML file (docs/studies.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/calibration/parameter_space.h"
#include "experiments/calibration/scoring.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// How many runs a size of the study takes.
struct CalibrationSize {
  std::size_t sample = 0;     // settings of the first sample
  std::size_t rounds = 0;     // of refinement
  std::size_t refined = 0;    // new settings of a round
  std::size_t kept = 0;       // settings that are run at full length, at most
  std::size_t shippable = 0;  // of the best of these, those run again with the chip file's values
  std::uint64_t short_packets = 0;
  std::uint64_t packets = 0;
};

// What is decided before any run.
struct CalibrationRule {
  std::size_t slack = 0;        // points fewer than the best setting has, and still kept
  std::size_t least_kept = 0;   // the slack grows until so many are kept
  double identified_below = 0;  // share of a parameter's range, percent
  double predicted_below = 0;   // p95 - p5 in percent of the median
  double steady_share = 0;      // last part of a shortened run, percent of its cycles
};

struct Calibration {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<std::string> fitted;     // mappings whose figures are printed
  std::vector<std::string> predicted;  // mappings whose figures are not
  std::vector<Limit> limits;
  CalibrationRule rule;
  CalibrationSize size;  // the one that was asked for
  std::vector<OpenParameter> parameters;
};

enum class CalibrationRuns { kFull, kQuick };

// Whether the file at `path` is a calibration and not a study of runs along an axis.
bool is_calibration_file(const std::string& path);

// Reads and checks the file; all errors at once.
std::optional<Calibration> read_calibration(const std::string& path, CalibrationRuns runs,
                                            Diagnostics& diagnostics);

}  // namespace nplab::experiments
