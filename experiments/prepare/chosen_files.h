// The files that a run is made of, as the words of the command line and of the mapping name them:
// what the experiment reads, and what a run's key depends on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment_options.h"
#include "mappings/files/mapping_file.h"
#include "support/diagnostics.h"
#include "workloads/workload_file.h"

namespace nplab::experiments {

// The parameter of algorithms whose tables may change: these need lookups that are counted.
inline constexpr const char* kUpdatesParameter = "updates";

// The mapping that `word` (a listed name or a file) names, with the overrides of the options.
std::optional<mappings::MappingFile> read_chosen_mapping(const std::string& word,
                                                         const ExperimentOptions& options,
                                                         const std::vector<Override>& overrides,
                                                         Diagnostics& diagnostics);

// The files that the options name, else the mapping.
std::optional<std::string> chosen_chip(const mappings::MappingFile& mapping,
                                       const ExperimentOptions& options, Diagnostics& diagnostics);
std::optional<std::string> chosen_workload(const mappings::MappingFile& mapping,
                                           const ExperimentOptions& options,
                                           Diagnostics& diagnostics);

// Those of `--set workload.K=V`.
std::vector<workloads::WorkloadOverride> workload_overrides(const std::vector<Override>& overrides);

}  // namespace nplab::experiments
