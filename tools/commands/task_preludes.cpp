#include "tools/commands/task_preludes.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "experiments/prepare/experiment.h"

namespace nplab::tools {
namespace {

// The task that a line of a composed program includes; empty: none.
std::string task_in(std::string_view line) {
  constexpr std::string_view kBegin = "#include \"/", kEnd = ".c\"";
  if (!line.starts_with(kBegin) || !line.ends_with(kEnd))
    return {};
  const std::filesystem::path task = line.substr(kBegin.size() - 1, line.size() - kBegin.size());
  return task.lexically_normal().string();
}

void add_preludes(const std::string& source, const std::string& folder,
                  std::vector<TaskPrelude>& preludes) {
  std::istringstream lines(source);
  std::string before;
  for (std::string line; std::getline(lines, line); before += line + '\n') {
    const std::string task = task_in(line);
    const bool is_known = std::any_of(preludes.begin(), preludes.end(),
                                      [&](const auto& other) { return other.task == task; });
    if (!task.empty() && !is_known)
      preludes.push_back({task, folder, before});
  }
}

}  // namespace

std::vector<TaskPrelude> task_preludes(const std::vector<std::string>& mappings,
                                       const std::string& chip, Diagnostics& diagnostics) {
  experiments::ExperimentOptions options;
  options.chip = chip;
  options.devices_are_bound = true;  // nothing is run
  std::vector<TaskPrelude> preludes;
  for (const std::string& mapping : mappings) {
    const auto experiment = experiments::prepare_experiment(mapping, options, diagnostics);
    const auto programs =
        experiment ? experiments::compose_programs(*experiment, diagnostics) : std::nullopt;
    if (programs)
      for (const mappings::ComposedProgram& program : *programs)
        add_preludes(program.source, experiment->placement().algorithm_folder, preludes);
  }
  return preludes;
}

}  // namespace nplab::tools
