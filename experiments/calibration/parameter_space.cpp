#include "experiments/calibration/parameter_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace nplab::experiments {
namespace {

constexpr std::string_view kEveryQueue = "queues.*.";
constexpr std::string_view kOfChip = "chip.";

}  // namespace

bool OpenParameter::is_of_chip() const {
  return std::all_of(keys.begin(), keys.end(),
                     [](const std::string& key) { return key.starts_with(kOfChip); });
}

std::vector<std::string> overrides_of(const std::vector<OpenParameter>& parameters,
                                      const Setting& setting, const std::string& mapping,
                                      const std::vector<std::string>& queues, ChipValues chip) {
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const OpenParameter& parameter = parameters[i];
    const auto& has_it = parameter.mappings;
    if (!has_it.empty() && std::find(has_it.begin(), has_it.end(), mapping) == has_it.end())
      continue;
    if (chip == ChipValues::kOfChipFile && parameter.is_of_chip())
      continue;
    const std::int64_t value = parameter.levels.at(setting.at(i));
    for (const std::string& key : parameter.keys) {
      if (!key.starts_with(kEveryQueue)) {
        overrides.push_back(fmt::format("{}={}", key, value));
        continue;
      }
      for (const std::string& queue : queues) {
        overrides.push_back(
            fmt::format("queues.{}.{}={}", queue, key.substr(kEveryQueue.size()), value));
      }
    }
  }
  return overrides;
}

}  // namespace nplab::experiments
