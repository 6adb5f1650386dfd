#include "mappings/files/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace nplab::mappings {
namespace {

const StageEntry* find_stage(const MappingFile& mapping, const std::string& name) {
  const auto at = std::find_if(mapping.stages.begin(), mapping.stages.end(),
                               [&](const StageEntry& stage) { return stage.name == name; });
  return at == mapping.stages.end() ? nullptr : &*at;
}

// Does a queue join the stage, at its `near` end, with a stage of this role?
bool meets(const MappingFile& mapping, const StageEntry& stage,
           Located<std::string> QueueEntry::* near, Located<std::string> QueueEntry::* far,
           StageRole role) {
  return std::any_of(mapping.queues.begin(), mapping.queues.end(), [&](const QueueEntry& queue) {
    const StageEntry* other = find_stage(mapping, (queue.*far).value);
    return (queue.*near).value == stage.name && other != nullptr && other->role == role;
  });
}

bool check_ways(const MappingFile& mapping, Diagnostics& diagnostics) {
  for (const StageEntry& stage : mapping.stages) {
    const bool is_program = stage.role == StageRole::kProgram;
    if (!is_program && stage.outputs == QueueChoice::kOne && stage.inputs == QueueChoice::kOne)
      continue;
    diagnostics.error(
        mapping.front.location,
        fmt::format("{} needs packets that take one way, through stages of tasks; stage '{}' {}",
                    mapping.front.value, stage.name,
                    is_program ? "is written by hand" : "forks or joins"));
    return false;
  }
  return true;
}

void join_manifests(const Manifest& front, Manifest& manifest) {
  manifest.front = {front.tasks.front().name, front.tasks.back().name, kAnsweredMetadata};
  manifest.min_dimensions = std::max(manifest.min_dimensions, front.min_dimensions);
  manifest.max_dimensions = std::min(manifest.max_dimensions, front.max_dimensions);
  manifest.field_bits = std::min(manifest.field_bits, front.field_bits);
  manifest.profile_packets = std::max(manifest.profile_packets, front.profile_packets);
  const auto append = [](const auto& from, auto& to) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(front.parameters, manifest.parameters);
  append(front.tasks, manifest.tasks);
  // An algorithm with a cache of its own shares the version of the rules with the front's.
  for (const TableDeclaration& table : front.tables) {
    if (manifest.find_table(table.name) == nullptr)
      manifest.tables.push_back(table);
  }
  for (const MetadataDeclaration& metadata : front.metadata) {
    if (manifest.find_metadata(metadata.name) == nullptr)
      manifest.metadata.push_back(metadata);
  }
}

}  // namespace

void join_front(const Manifest& front, MappingFile& mapping, Manifest& manifest,
                Diagnostics& diagnostics) {
  assert(front.tasks.size() == 2 && "a front looks up and keeps");
  if (!check_ways(mapping, diagnostics))
    return;
  const SourceLocation at = mapping.front.location;
  join_manifests(front, manifest);
  for (StageEntry& stage : mapping.stages) {
    if (stage.role != StageRole::kTasks)
      continue;
    if (meets(mapping, stage, &QueueEntry::to, &QueueEntry::from, StageRole::kReceive))
      stage.tasks.insert(stage.tasks.begin(), {manifest.front->lookup, std::nullopt, at});
    if (meets(mapping, stage, &QueueEntry::from, &QueueEntry::to, StageRole::kTransmit))
      stage.tasks.push_back({manifest.front->keep, std::nullopt, at});
  }
}

}  // namespace nplab::mappings
