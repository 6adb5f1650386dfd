#include "mappings/resolver/memory_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/memory_map.h"
#include "mappings/resolver/memory_names.h"

namespace nplab::mappings {
namespace {

std::set<unsigned> engines_in_use(const LinkedMapping& linked) {
  std::set<unsigned> engines;
  for (const auto& stage : linked.threads)
    engines.merge(engines_of(stage));
  return engines;
}

MemoryRequest table_request(const LinkedMapping& linked, const TableSize& size) {
  assert(linked.table_memories.contains(size.table) &&
         "a table builder gives the size of a table that the manifest does not declare");
  const MappingFile& mapping = linked.mapping;
  const auto chosen = mapping.tables.find(size.table);
  return {{MemoryPurpose::kTable, size.table},
          linked.table_memories.at(size.table),
          size.bytes,
          8,
          size.arithmetic,
          chosen == mapping.tables.end() ? mapping.algorithm.location : chosen->second.location};
}

MemoryRequest queue_request(const Queue& queue, const QueueEntry& entry) {
  const std::uint64_t entries = std::uint64_t{4} * queue.entries * queue.entry_longwords;
  const std::uint64_t locks = lock_area_bytes(queue.protocol) == 0
                                  ? 0
                                  : queue.instance_bytes() - entries - queue.control_bytes();
  const std::string arithmetic =
      fmt::format("{} rings x ({} entries x {} longwords x 4 + {}{})", queue.instances.size(),
                  queue.entries, queue.entry_longwords, queue.control_bytes(),
                  locks == 0 ? "" : fmt::format(" + {} for locks", locks));
  return {{MemoryPurpose::kQueue, queue.name},
          queue.memory,
          queue.instances.size() * queue.instance_bytes(),
          queue.alignment(),
          arithmetic,
          entry.entries.location};
}

// So many blocks of a size that is their alignment too.
MemoryRequest block_request(const MemoryUse& use, isa::MemorySpace space,
                            const Located<std::uint32_t>& count, std::uint32_t bytes) {
  return {use,
          space,
          std::uint64_t{count.value} * bytes,
          bytes,
          fmt::format("{} x {}", count.value, bytes),
          count.location};
}

// Thread numbers leave room for 4 contexts of an engine, or for 8.
PacketCounters counters_at(std::uint32_t base, const ChipFacts& chip) {
  return {base, chip.ports, chip.contexts <= 4 ? 4u : 8u};
}

std::vector<MemoryRequest> memory_requests(const LinkedMapping& linked,
                                           const std::vector<Queue>& queues,
                                           const std::vector<TableSize>& table_sizes) {
  const MappingFile& mapping = linked.mapping;
  std::vector<MemoryRequest> requests;
  for (const TableSize& size : table_sizes)
    requests.push_back(table_request(linked, size));
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (!queues[i].in_registers())
      requests.push_back(queue_request(queues[i], mapping.queues[i]));
  }
  requests.push_back(
      block_request(kDescriptorsUse, isa::MemorySpace::kSram, mapping.buffers, kDescriptorBytes));
  requests.push_back(
      block_request(kBuffersUse, isa::MemorySpace::kSdram, mapping.buffers, kBufferBytes));
  const std::uint64_t threads = engines_in_use(linked).size() * std::uint64_t{linked.chip.contexts};
  for (const auto& [space, bytes] : mapping.variables) {
    if (bytes.value == 0)
      continue;
    requests.push_back({kVariablesUse, space, threads * bytes.value, 8,
                        fmt::format("{} threads x {}", threads, bytes.value), bytes.location});
  }
  const PacketCounters counters = counters_at(0, linked.chip);
  requests.push_back(
      {kCountersUse, isa::MemorySpace::kScratch, counters.bytes(), 8,
       fmt::format("32 + {} ports x (16 + 8 x {} contexts)", counters.ports, counters.contexts),
       mapping.buffers.location});
  return requests;
}

// Registers that the threads of an engine share: a queue's entries and two counts, and what the
// code of other queues needs.
constexpr std::uint32_t kSharedRegisters = 32, kMostOfOneQueue = 24, kCounts = 2;

void check_registers(const LinkedMapping& linked, const std::vector<Queue>& queues,
                     Diagnostics& diagnostics) {
  std::map<unsigned, std::uint64_t> taken;  // by engine
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const Queue& queue = queues[i];
    if (!queue.in_registers() || !linked.ends[i])
      continue;
    const std::uint64_t longwords = std::uint64_t{queue.entries} * queue.entry_longwords;
    std::uint64_t others = 0;
    for (const unsigned engine : engines_of(linked.threads[linked.ends[i]->from])) {
      others = std::max(others, taken[engine]);
      taken[engine] += longwords + kCounts;
    }
    const std::string needs =
        fmt::format("queue {} does not fit registers: {} entries x {} longwords", queue.name,
                    queue.entries, queue.entry_longwords);
    const SourceLocation& at = linked.mapping.queues[i].entries.location;
    if (longwords > kMostOfOneQueue)
      diagnostics.error(at,
                        fmt::format("{} = {}; {} have room", needs, longwords, kMostOfOneQueue));
    else if (others + longwords + kCounts > kSharedRegisters)
      diagnostics.error(at,
                        fmt::format("{} and {} counts = {}, beside {} of other queues; the threads "
                                    "of an engine share {}",
                                    needs, kCounts, longwords + kCounts, others, kSharedRegisters));
  }
}

std::vector<VariableArea> variable_areas(const LinkedMapping& linked, const MemoryRange& range) {
  const std::uint32_t bytes = linked.mapping.variables.at(range.space).value;
  std::vector<VariableArea> areas;
  std::uint32_t base = range.base;
  for (const unsigned engine : engines_in_use(linked)) {
    areas.push_back({range.space, engine, base, bytes});
    base += linked.chip.contexts * bytes;
  }
  return areas;
}

const MemoryRange* find_range(const std::vector<MemoryRange>& ranges, const MemoryUse& use) {
  const auto found = std::find_if(ranges.begin(), ranges.end(),
                                  [&](const MemoryRange& range) { return range.use == use; });
  return found == ranges.end() ? nullptr : &*found;
}

}  // namespace

std::uint32_t MemoryLayout::base_of(const MemoryUse& use) const {
  const MemoryRange* range = find_range(ranges, use);
  return range == nullptr ? 0 : range->base;
}

MemoryLayout lay_out_memory(const LinkedMapping& linked, const std::vector<Queue>& queues,
                            const std::vector<TableSize>& table_sizes, Diagnostics& diagnostics) {
  MemoryLayout layout;
  check_registers(linked, queues, diagnostics);
  layout.ranges = allocate_memory(memory_requests(linked, queues, table_sizes), linked.mapping.pins,
                                  linked.chip.memory_bytes, diagnostics);
  for (const TableSize& size : table_sizes) {
    if (const auto* range = find_range(layout.ranges, {MemoryPurpose::kTable, size.table}))
      layout.tables.push_back({size.table, range->space, range->base, range->bytes});
  }
  for (const MemoryRange& range : layout.ranges) {
    if (range.use.purpose != MemoryPurpose::kVariables)
      continue;
    const auto areas = variable_areas(linked, range);
    layout.variables.insert(layout.variables.end(), areas.begin(), areas.end());
  }
  layout.buffers = {linked.mapping.buffers.value, layout.base_of(kBuffersUse),
                    layout.base_of(kDescriptorsUse)};
  layout.counters = counters_at(layout.base_of(kCountersUse), linked.chip);
  return layout;
}

std::vector<Queue> with_bases(std::vector<Queue> queues, const MemoryLayout& layout) {
  for (Queue& queue : queues) {
    if (queue.in_registers()) {
      // Where annotations tell the rings apart.
      for (std::uint32_t i = 0; i < queue.instances.size(); ++i)
        queue.instances[i].base = i * static_cast<std::uint32_t>(queue.instance_bytes());
      continue;
    }
    std::uint64_t base = layout.base_of({MemoryPurpose::kQueue, queue.name});
    for (QueueInstance& instance : queue.instances) {
      instance.base = static_cast<std::uint32_t>(base);
      base += queue.instance_bytes();
    }
  }
  return queues;
}

}  // namespace nplab::mappings
