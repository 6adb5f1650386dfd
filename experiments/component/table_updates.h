// What nplab/systemc/updates.h offers a host, from the tables of an experiment.
#pragma once

#include <memory>

#include "experiments/prepare/experiment.h"
#include "nplab/systemc/updates.h"

namespace nplab::experiments {

const char* memory_name(isa::MemorySpace space);

// Null where the experiment expects no updates.
std::unique_ptr<systemc::TableUpdater> table_updater(const Experiment& experiment);

// In the order in which they are due.
std::vector<systemc::RuleUpdate> planned_updates(const Experiment& experiment);

}  // namespace nplab::experiments
