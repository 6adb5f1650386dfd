#include "experiments/prepare/experiment_options.h"

#include <fmt/format.h>

namespace nplab::experiments {

std::vector<Override> parse_overrides(const std::vector<std::string>& set,
                                      Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const std::string& text : set) {
    const auto equals = text.find('=');
    const SourceLocation location{"--set " + text.substr(0, equals), 0, 0};
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error(
          location,
          "an override is written KEY=VALUE, such as queues.0.entries=64 or chip.engine.engines=4");
      continue;
    }
    std::string path = text.substr(0, equals);
    auto target = Override::Target::kMapping;
    const auto takes_prefix = [&](const std::string& prefix, Override::Target named) {
      if (!path.starts_with(prefix))
        return;
      path.erase(0, prefix.size());
      target = named;
    };
    if (path.starts_with("mapping.")) {
      takes_prefix("mapping.", Override::Target::kMapping);
    } else if (path.starts_with("chip.")) {
      takes_prefix("chip.", Override::Target::kChip);
    } else {
      takes_prefix("workload.", Override::Target::kWorkload);
    }
    overrides.push_back({target, path, text.substr(equals + 1), location});
  }
  return overrides;
}

void apply_overrides(const std::vector<Override>& overrides, Override::Target target,
                     yaml::Node& root, Diagnostics& diagnostics) {
  for (const Override& override : overrides) {
    if (override.target != target)
      continue;
    const auto errors = diagnostics.errors().size();
    if (!root.set(override.path, override.value, override.location, diagnostics) &&
        diagnostics.errors().size() == errors) {
      diagnostics.error(override.location,
                        fmt::format("there is no '{}' to override here", override.path));
    }
  }
}

}  // namespace nplab::experiments
