// What a calibration may vary: parameters with their levels, and one choice of levels for all of
// them, which is a setting. The same setting holds for every mapping.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::experiments {

// A parameter that the publication leaves open.
struct OpenParameter {
  std::string name;
  std::vector<std::string> keys;      // as in `--set`; `queues.*.K`: K of every queue
  std::vector<std::string> mappings;  // that have it; none: all
  std::vector<std::int64_t> levels;   // in increasing order, two or more
  std::string unit;
  std::string reason;      // why the range is this one
  bool is_chosen = false;  // no source of the range is known

  [[nodiscard]] std::int64_t low() const { return levels.front(); }
  [[nodiscard]] std::int64_t high() const { return levels.back(); }
  // A figure of the chip and not of its programs.
  [[nodiscard]] bool is_of_chip() const;
};

// The position of each parameter's level, in the order of the parameters.
using Setting = std::vector<std::size_t>;

// Whether the parameters of the chip have the setting's values or those of the chip file.
enum class ChipValues { kOfSetting, kOfChipFile };

// What the setting says of one mapping, as `--set` takes it. `queues` are the mapping's.
std::vector<std::string> overrides_of(const std::vector<OpenParameter>& parameters,
                                      const Setting& setting, const std::string& mapping,
                                      const std::vector<std::string>& queues, ChipValues chip);

}  // namespace nplab::experiments
