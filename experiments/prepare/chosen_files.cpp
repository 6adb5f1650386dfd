#include "experiments/prepare/chosen_files.h"

#include <fmt/format.h>

#include "experiments/prepare/data_files.h"

namespace nplab::experiments {
namespace {

std::vector<mappings::MappingOverride> mapping_overrides(const std::vector<Override>& overrides) {
  std::vector<mappings::MappingOverride> selected;
  for (const Override& override : overrides) {
    if (override.target == Override::Target::kMapping)
      selected.push_back({override.path, override.value, override.location});
  }
  return selected;
}

}  // namespace

std::optional<mappings::MappingFile> read_chosen_mapping(const std::string& word,
                                                         const ExperimentOptions& options,
                                                         const std::vector<Override>& overrides,
                                                         Diagnostics& diagnostics) {
  const auto path = find_data_file(DataKind::kMapping, word, without_lines(word), diagnostics);
  if (!path)
    return std::nullopt;
  auto changes = mapping_overrides(overrides);
  if (!options.updates.empty())
    changes.push_back(
        {fmt::format("parameters.{}", kUpdatesParameter), "1", without_lines("--updates")});
  return mappings::read_mapping_file(*path, changes, diagnostics);
}

std::optional<std::string> chosen_chip(const mappings::MappingFile& mapping,
                                       const ExperimentOptions& options, Diagnostics& diagnostics) {
  if (!options.chip.empty())
    return find_data_file(DataKind::kChip, options.chip, without_lines("--chip"), diagnostics);
  return find_data_file(DataKind::kChip, mapping.chip.value, mapping.chip.location, diagnostics);
}

std::optional<std::string> chosen_workload(const mappings::MappingFile& mapping,
                                           const ExperimentOptions& options,
                                           Diagnostics& diagnostics) {
  if (!options.workload.empty())
    return find_data_file(DataKind::kWorkload, options.workload, without_lines("--workload"),
                          diagnostics);
  return find_data_file(DataKind::kWorkload, mapping.workload.value, mapping.workload.location,
                        diagnostics);
}

std::vector<workloads::WorkloadOverride> workload_overrides(
    const std::vector<Override>& overrides) {
  std::vector<workloads::WorkloadOverride> selected;
  for (const Override& override : overrides) {
    if (override.target == Override::Target::kWorkload)
      selected.push_back({override.path, override.value, override.location});
  }
  return selected;
}

}  // namespace nplab::experiments
