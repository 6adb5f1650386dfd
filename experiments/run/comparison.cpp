#include "experiments/run/comparison.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "experiments/prepare/chosen_mapping.h"
#include "experiments/prepare/unit_choices.h"

namespace nplab::experiments {

std::vector<PreparedRun> prepare_runs(const std::vector<std::string>& mappings,
                                      const ExperimentOptions& options, Diagnostics& diagnostics,
                                      const PreparationProgress& progress,
                                      const AdjustOptions& adjust) {
  std::vector<PreparedRun> prepared;
  for (const std::string& text : mappings) {
    const auto own_progress = [&](const std::string& step, double done) {
      if (progress)
        progress(fmt::format("{}: {}", text, step), done);
    };
    const ChosenMapping chosen = parse_chosen_mapping(text);
    ExperimentOptions own = options;
    own.set.insert(own.set.end(), chosen.set.begin(), chosen.set.end());
    if (adjust && !adjust(chosen.name, own))
      continue;
    if (auto run = prepare_run(chosen.name, own, diagnostics, own_progress))
      prepared.push_back(std::move(*run));
  }
  std::vector<const simulator::ChipDescription*> chips;
  for (const PreparedRun& run : prepared)
    chips.push_back(&run.experiment.chip);
  if (!diagnostics.has_errors())
    check_unit_names(options, chips, diagnostics);
  return prepared;
}

std::vector<std::string> capture_folders(const std::vector<PreparedRun>& runs,
                                         const std::string& folder) {
  if (folder.empty() || runs.size() == 1)
    return std::vector<std::string>(runs.size(), folder);
  std::vector<std::string> folders;
  std::map<std::string, int> uses;
  for (const PreparedRun& one : runs) {
    const std::string& name = one.experiment.mapping.name;
    const int use = ++uses[name];
    const std::string below = use == 1 ? name : fmt::format("{}#{}", name, use);
    folders.push_back((std::filesystem::path(folder) / below).string());
  }
  return folders;
}

void make_capture_folders(const std::vector<PreparedRun>& runs, const std::string& folder,
                          Diagnostics& diagnostics) {
  for (const std::string& one : capture_folders(runs, folder)) {
    std::error_code status;
    if (!one.empty() && !diagnostics.has_errors())
      std::filesystem::create_directories(one, status);
    if (status)
      diagnostics.error({one, 0, 0}, "cannot be made for the captures: " + status.message());
  }
}

std::optional<std::vector<reports::RunRecord>> simulate_runs(
    const std::vector<PreparedRun>& runs, const RunOutputs& outputs,
    const std::function<void(double)>& progress, Diagnostics& diagnostics) {
  const std::vector<std::string> folders = capture_folders(runs, outputs.pcap_folder);
  std::vector<IsolatedRun> isolated;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunOutputs own = outputs;
    own.pcap_folder = folders[i];
    isolated.push_back(isolated_run(runs[i], std::move(own)));
  }
  return run_isolated(isolated, progress, diagnostics);
}

}  // namespace nplab::experiments
