// Runs of settings: each mapping of each setting in a process of its own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/calibration/calibration_file.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// One setting to run. Without a setting: as the mapping and chip files have it.
struct SettingRequest {
  std::optional<Setting> setting;
  ChipValues chip = ChipValues::kOfSetting;
};

enum class RunLength {
  kShort,  // continued to the full length at the rates of its last part
  kFull,
};

// What the runs of a setting gave.
struct SettingOutcome {
  std::map<std::string, Figures> figures;       // by mapping, where the run ended well
  std::map<std::string, std::string> refused;   // by mapping: programs do not fit, and the like
  std::map<std::string, std::string> failures;  // by mapping: faults, deadlocks, failed checks
  [[nodiscard]] bool is_complete() const { return refused.empty() && failures.empty(); }
};

// The outcomes in the order of the requests. Wrong input and failed runs are in them; nothing, and
// diagnostics, when a mapping does not exist.
std::optional<std::vector<SettingOutcome>> run_settings(const Calibration& calibration,
                                                        const std::vector<std::string>& mappings,
                                                        const std::vector<SettingRequest>& requests,
                                                        RunLength length,
                                                        const std::function<void(double)>& progress,
                                                        Diagnostics& diagnostics);

}  // namespace nplab::experiments
