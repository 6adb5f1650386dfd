#include "mappings/resolver/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "mappings/resolver/limits.h"
#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/memory_names.h"
#include "mappings/resolver/port_order.h"
#include "mappings/resolver/queue_checks.h"
#include "mappings/resolver/queue_wiring.h"
#include "mappings/resolver/task_checks.h"
#include "mappings/resolver/task_plan.h"
#include "mappings/resolver/threads.h"

namespace nplab::mappings {
namespace {

std::vector<std::optional<LinkedMapping::QueueEnds>> ends_of_queues(const StageGraph& graph,
                                                                    std::size_t queues) {
  std::vector<std::optional<LinkedMapping::QueueEnds>> ends(queues);
  for (auto [edge, end] = boost::edges(graph); edge != end; ++edge)
    ends[graph[*edge].queue] = {boost::source(*edge, graph), boost::target(*edge, graph)};
  return ends;
}

std::vector<std::vector<QueueInstance>> wire_queues(const LinkedMapping& linked) {
  std::vector<std::vector<QueueInstance>> instances(linked.mapping.queues.size());
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const QueueEntry& queue = linked.mapping.queues[i];
    if (!linked.ends[i])
      continue;
    const auto& producers = linked.threads[linked.ends[i]->from];
    const auto& consumers = linked.threads[linked.ends[i]->to];
    if (producers.empty() || consumers.empty())
      continue;
    if (queue.in_registers) {
      instances[i] = wire_engines(producers, consumers);
    } else if (queue.order.value == QueueOrder::kPort) {
      const auto receive = receive_stage(linked.mapping);
      instances[i] =
          wire_ports(receive ? linked.threads[*receive].size() : 0, producers, consumers);
    } else {
      instances[i] = wire_queue(queue.per, queue.route, producers, consumers);
    }
  }
  return instances;
}

// Threads that transmit take the elements of the transmit FIFO in turn, by registers that they
// share (library/transmit.h).
void check_transmit_engines(const LinkedMapping& linked, Diagnostics& diagnostics) {
  std::optional<unsigned> engine;
  for (std::size_t i = 0; i < linked.mapping.stages.size(); ++i) {
    const StageEntry& stage = linked.mapping.stages[i];
    if (stage.role != StageRole::kTransmit)
      continue;
    for (const ThreadPlace& thread : linked.threads[i]) {
      if (thread.engine == engine.value_or(thread.engine)) {
        engine = thread.engine;
        continue;
      }
      diagnostics.error(
          stage.location,
          fmt::format(
              "stage '{}' transmits on engine {}, but engine {} transmits, too: the threads "
              "that fill the transmit FIFO agree by registers of their engine, so one engine "
              "transmits",
              stage.name, thread.engine, *engine));
      return;
    }
  }
}

// One more than the highest dimension that a task selection names.
std::size_t dimensions_named(const MappingFile& mapping) {
  std::size_t named = 0;
  for (const StageEntry& stage : mapping.stages) {
    for (const TaskSelection& selection : stage.tasks) {
      if (!selection.dimensions)
        continue;
      const auto& [first, last, is_range] = *selection.dimensions;
      const bool is_open = last == kOpenRange;
      named = std::max<std::size_t>(named, (is_open ? first : last) + std::size_t{1});
    }
  }
  return named;
}

// Pins what belongs to a unit of the chip where the chip has it; reports units that the chip lacks,
// that no task uses, and that the mapping leaves out.
void link_units(MappingFile& mapping, const Manifest& manifest, const ChipFacts& chip,
                Diagnostics& diagnostics) {
  const auto unit_of = [&](const TableDeclaration& table) {
    return std::find_if(mapping.units.begin(), mapping.units.end(),
                        [&](const UnitEntry& entry) { return entry.unit == table.unit; });
  };
  for (const UnitEntry& entry : mapping.units) {
    if (entry.unit.empty())
      return;
    if (!chip.units.contains(entry.unit))
      diagnostics.error(entry.location,
                        fmt::format("stage '{}': the chip '{}' has no unit '{}'; take one that has "
                                    "(--chip ixp1200-match), or add `{}:` to its file",
                                    entry.name, chip.name, entry.unit, entry.unit));
    if (std::none_of(manifest.tables.begin(), manifest.tables.end(),
                     [&](const TableDeclaration& table) { return table.unit == entry.unit; }))
      diagnostics.error(entry.location,
                        fmt::format("stage '{}': no task of '{}' uses the unit '{}'; 'match-unit' "
                                    "is an algorithm that does",
                                    entry.name, manifest.algorithm, entry.unit));
  }
  for (const TableDeclaration& table : manifest.tables) {
    if (table.unit.empty())
      continue;
    const auto entry = unit_of(table);
    if (entry == mapping.units.end()) {
      diagnostics.error(mapping.stages_location,
                        fmt::format("the tasks of '{}' use the unit '{}', which no stage names: "
                                    "{{name: search, role: unit, unit: {}}}",
                                    manifest.algorithm, table.unit, table.unit));
      continue;
    }
    const auto chosen = mapping.tables.find(table.name);
    const auto& pins = mapping.pins[table.memory];
    const auto pin = pins.find(table.name);
    if (chosen != mapping.tables.end() || pin != pins.end())
      diagnostics.error(
          pin != pins.end() ? pin->second.location : chosen->second.location,
          fmt::format("'{}' lies where the chip has its unit '{}'", table.name, table.unit));
    const auto base = chip.units.find(table.unit);
    if (base != chip.units.end())
      mapping.pins[table.memory][table.name] = {base->second, entry->location};
  }
}

}  // namespace

std::shared_ptr<const LinkedMapping> link(const MappingFile& mapping, const Manifest& manifest,
                                          const ChipFacts& chip, Diagnostics& diagnostics) {
  LinkedMapping linked{.mapping = mapping,
                       .manifest = manifest,
                       .chip = chip,
                       .graph = make_stage_graph(mapping, diagnostics),
                       .order = {},
                       .threads = {},
                       .forks = {},
                       .ends = {},
                       .instances = {},
                       .protocols = {},
                       .parameters = resolve_parameters(manifest, mapping, diagnostics),
                       .table_memories = {}};
  link_units(linked.mapping, manifest, chip, diagnostics);
  linked.threads = assign_threads(mapping, chip, diagnostics);
  check_transmit_engines(linked, diagnostics);
  check_task_names(mapping, manifest, diagnostics);
  if (linked.is_whole())
    check_wiring(linked.graph, mapping, diagnostics);
  linked.order = order_of_stages(linked.graph, mapping, diagnostics);
  if (linked.order && linked.is_whole())
    linked.forks = find_forks(linked.graph, mapping, linked.threads, diagnostics);
  linked.ends = ends_of_queues(linked.graph, mapping.queues.size());
  linked.instances = wire_queues(linked);
  check_queues(linked, diagnostics);
  linked.protocols = protocols_of_queues(linked, diagnostics);
  linked.table_memories = resolve_table_memories(manifest, mapping, diagnostics);
  check_memory_names(mapping, named_uses(mapping, linked.table_memories), diagnostics);
  return std::make_shared<const LinkedMapping>(std::move(linked));
}

void check_without_rules(const LinkedMapping& linked, Diagnostics& diagnostics) {
  const std::size_t dimensions =
      std::clamp<std::size_t>(dimensions_named(linked.mapping), linked.manifest.min_dimensions,
                              linked.manifest.max_dimensions);
  plan_tasks(linked, dimensions, diagnostics);
}

}  // namespace nplab::mappings
