#include "experiments/prepare/experiment_options.h"

#include <fmt/format.h>

#include <sstream>

#include "support/near_miss.h"

namespace nplab::experiments {
namespace {

// The first key of the path that is not there, and the nearest that is.
std::string missing_part(const yaml::Node& root, const std::string& path) {
  const yaml::Node* at = &root;
  std::string key;
  std::istringstream steps(path);
  while (std::getline(steps, key, '.') && at->is_map() && at->find(key) != nullptr)
    at = at->find(key);
  if (at->is_list())
    return fmt::format("'{}' in '{}' is not one of 0 to {}", key, path, at->items().size() - 1);
  return fmt::format("there is no '{}' in '{}'; {}", key, path,
                     at->is_map() ? suggestion(key, at->keys()) : "it has no parts");
}

}  // namespace

std::vector<Override> parse_overrides(const std::vector<std::string>& set,
                                      Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const std::string& text : set) {
    const auto equals = text.find('=');
    const SourceLocation location = without_lines("--set " + text.substr(0, equals));
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
    } else if (path.starts_with("unit.")) {
      takes_prefix("unit.", Override::Target::kUnit);
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
      diagnostics.error(override.location, missing_part(root, override.path));
    }
  }
}

}  // namespace nplab::experiments
