// The space of mappings that is searched where no file says otherwise.
#include <algorithm>

#include "experiments/exploration/space_file.h"

namespace nplab::experiments {
namespace {

using mappings::QueueMemory;
using mappings::QueuePer;

constexpr std::int64_t kWidestAxis = 1024;  // a parameter of more values is a limit, not a choice
constexpr unsigned kManyEngines = 8;

// The default, then 0 and the powers of two in the range; of a short range all values.
std::vector<std::int64_t> values_of(const mappings::ParameterDeclaration& parameter) {
  std::vector<std::int64_t> values{parameter.default_value};
  const auto add = [&](std::int64_t value) {
    if (value >= parameter.min && value <= parameter.max &&
        std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  };
  if (!parameter.searched || parameter.max - parameter.min > kWidestAxis)
    return values;
  add(0);
  for (std::int64_t value = 1; value <= parameter.max; value *= 2)
    add(value);
  if (parameter.max - parameter.min <= 3) {
    for (std::int64_t value = parameter.min; value <= parameter.max; ++value)
      add(value);
  }
  return values;
}

std::vector<isa::MemorySpace> memories_of(const mappings::TableDeclaration& table) {
  switch (table.memory) {
    case isa::MemorySpace::kSram: return {isa::MemorySpace::kSram, isa::MemorySpace::kSdram};
    case isa::MemorySpace::kSdram: return {isa::MemorySpace::kSdram, isa::MemorySpace::kSram};
    default: return {table.memory};
  }
}

}  // namespace

SpaceDescription default_space(const mappings::Manifest& manifest,
                               const mappings::ChipFacts& chip) {
  const bool is_large = chip.engines > kManyEngines;
  SpaceDescription space;
  space.name = "default";
  space.summary = "the default space of " + manifest.algorithm + " on " + chip.name;
  space.cuts.most_stages = is_large ? 3 : 4;
  space.sharing = {EngineSharing::kOwn, EngineSharing::kPool};
  space.most_engines = chip.engines;
  for (unsigned engines = 1; engines <= chip.engines;
       engines = engines < 4 ? engines + 1 : 2 * engines)
    space.engines_per_stage.push_back(engines);
  space.takes_rest = true;
  space.threads = {chip.contexts};
  if (chip.contexts > 1)
    space.threads.push_back(chip.contexts / 2);
  space.receive_engines = {1, 2};
  if (is_large)
    space.receive_engines.push_back(4);
  space.transmit_threads = {chip.contexts};
  space.port_engines = {PortEngines::kApart, PortEngines::kTogether};
  space.received.per = {QueuePer::kShared, QueuePer::kConsumerThread};
  space.received.memory = {QueueMemory::kSram};
  space.received.entries = {512, 128, 32};
  space.between.per = {QueuePer::kConsumerThread, QueuePer::kShared};
  space.between.memory = {QueueMemory::kSram, QueueMemory::kScratch, QueueMemory::kRegisters};
  space.between.entries = {64, 16, 4};
  space.classified.per = {QueuePer::kProducerThread, QueuePer::kShared};
  space.classified.memory = {QueueMemory::kSram, QueueMemory::kScratch};
  space.classified.entries = {64, 16};
  for (const mappings::TableDeclaration& table : manifest.tables)
    space.tables[table.name] = memories_of(table);
  for (const mappings::ParameterDeclaration& parameter : manifest.parameters)
    space.parameters[parameter.name] = values_of(parameter);
  space.optimize = {mappings::Optimize::kFull};
  space.buffers = 4096;
  return space;
}

}  // namespace nplab::experiments
