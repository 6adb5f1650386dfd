// From the choices of a point to the mapping file that it stands for.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "experiments/exploration/space_file.h"
#include "experiments/exploration/structures.h"
#include "mappings/files/mapping_file.h"

namespace nplab::experiments {

struct MappingChoices {
  const Structure& structure;
  const Cut& cut;
  QueueShape received;
  QueueShape between;
  QueueShape classified;
  std::map<std::string, isa::MemorySpace> tables;
  std::map<std::string, std::int64_t> parameters;
  mappings::Optimize optimize{};
};

// Stages, queues, tables and parameters; names of the mapping, its algorithm, chip and workload are
// left open. Engines are numbered from 0 in the order receive, tasks, transmit.
mappings::MappingFile mapping_of(const TaskGraph& graph, const MappingChoices& choices);

}  // namespace nplab::experiments
