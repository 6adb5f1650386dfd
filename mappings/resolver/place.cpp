#include "mappings/resolver/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

namespace nplab::mappings {
namespace {

std::map<std::string, TablePlace> provisional_places(const Manifest& manifest) {
  constexpr std::uint32_t kAnyBase = 4096;  // sizes do not depend on it
  std::map<std::string, TablePlace> places;
  for (const TableDeclaration& table : manifest.tables)
    places[table.name] = {table.memory, kAnyBase};
  return places;
}

std::map<std::string, SourceLocation> parameter_locations(const ResolveInputs& inputs) {
  std::map<std::string, SourceLocation> locations;
  for (const ParameterDeclaration& parameter : inputs.manifest.parameters) {
    const auto chosen = inputs.mapping.parameters.find(parameter.name);
    const bool is_written = chosen != inputs.mapping.parameters.end();
    locations[parameter.name] =
        is_written ? chosen->second.location : SourceLocation{inputs.mapping.file, 0, 0};
  }
  return locations;
}

std::vector<TableSize> size_tables(const ResolveInputs& inputs, TableBuilder build,
                                   const BuildProgress& progress, Diagnostics& diagnostics) {
  Diagnostics reported_by_resolve;
  const ParameterValues parameters =
      resolve_parameters(inputs.manifest, inputs.mapping, reported_by_resolve);
  if (!check_rule_set(inputs.manifest, inputs.rules, reported_by_resolve))
    return {};
  return build({inputs.rules, parameters, provisional_places(inputs.manifest), inputs.updates,
                progress, parameter_locations(inputs)},
               diagnostics)
      .sizes;
}

[[maybe_unused]] bool lie_as_sized(const std::vector<TableSize>& sizes,
                                   const Placement& placement) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const TableSize& size) {
    return std::any_of(placement.tables.begin(), placement.tables.end(),
                       [&](const TablePlacement& table) {
                         return table.name == size.table && table.bytes == size.bytes;
                       });
  });
}

}  // namespace

std::optional<PlacedMapping> place_mapping(const ResolveInputs& inputs, Diagnostics& diagnostics,
                                           const BuildProgress& progress) {
  const TableBuilder build = find_table_builder(inputs.manifest.algorithm);
  if (build == nullptr) {
    diagnostics.error(
        {inputs.manifest.file, 1, 1},
        fmt::format("no table builder for '{0}' is built in: {0}/builder.cpp must define it",
                    inputs.manifest.algorithm));
    return std::nullopt;
  }
  const std::vector<TableSize> sizes =
      size_tables(inputs, build, part_of(progress, 0, 0.5), diagnostics);
  auto placement = resolve(inputs, sizes, diagnostics);
  if (!placement)
    return std::nullopt;
  std::map<std::string, TablePlace> places;
  for (const TablePlacement& table : placement->tables)
    places[table.name] = {table.space, table.base};
  const auto started = std::chrono::steady_clock::now();
  TableSet tables = build({inputs.rules, placement->parameters, places, inputs.updates,
                           part_of(progress, 0.5, 1), parameter_locations(inputs)},
                          diagnostics);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
  if (inputs.updates != nullptr && tables.updater == nullptr) {
    diagnostics.error(
        inputs.mapping.algorithm.location,
        fmt::format(
            "the rules of '{}' stay as they are in a run: its table builder takes no updates",
            inputs.manifest.algorithm));
  }
  if (diagnostics.has_errors())
    return std::nullopt;
  assert(lie_as_sized(tables.sizes, *placement) && "a table's size depends on its base");
  put_initial_state(*placement, tables.image);
  return PlacedMapping{std::move(*placement), std::move(tables.image), std::move(tables.facts),
                       taken.count(), std::move(tables.updater)};
}

void put_initial_state(const Placement& placement, MemoryImage& memory) {
  for (const Queue& queue : placement.queues) {
    for (const QueueInstance& instance : queue.instances) {
      for (std::uint32_t offset = 0; offset < kQueueControlBytes; offset += 4) {
        memory.put_longword(queue.memory, instance.base + offset, 0);
      }
      if (queue.quantum == 1)
        continue;
      for (std::uint32_t entry = 0; entry < queue.entries; ++entry) {
        const std::uint32_t info =
            instance.base + kQueueControlBytes + 4 * (entry * queue.entry_longwords + 1);
        memory.put_longword(queue.memory, info, 0);
      }
    }
  }
  const PacketBuffers& buffers = placement.buffers;
  for (std::uint32_t i = 0; i < buffers.count; ++i) {
    const std::uint32_t block = buffers.descriptors_base + i * kDescriptorBytes;
    memory.put_longword(isa::MemorySpace::kSram, block,
                        i + 1 == buffers.count ? 0 : block + kDescriptorBytes);
  }
}

}  // namespace nplab::mappings
