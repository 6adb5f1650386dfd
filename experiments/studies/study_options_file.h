// The keys of a study's `options`, those of `nplab run`.
#pragma once

#include "experiments/prepare/experiment_options.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::experiments {

// Wrong names of arrivals and ports are reported; what the check of the file's keys finds is not
// reported again.
ExperimentOptions read_study_options(const yaml::Node& node, Diagnostics& diagnostics);

// `packets` of `options` or of `quick`, if it is there.
void read_study_packets(const yaml::Node& node, ExperimentOptions& options);

}  // namespace nplab::experiments
