#include "mappings/resolver/place.h"

#include <fmt/format.h>

#include <chrono>

#include "mappings/resolver/initial_state.h"
#include "mappings/resolver/limits.h"
#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/memory_layout.h"
#include "mappings/resolver/placed_parts.h"
#include "mappings/resolver/task_plan.h"
#include "mappings/tables/front_tables.h"

namespace nplab::mappings {
namespace {

// The host's time in the calls of a builder.
class BuildClock {
 public:
  template <typename Work>
  auto measure(Work work) {
    const auto started = std::chrono::steady_clock::now();
    auto result = work();
    taken_ += std::chrono::steady_clock::now() - started;
    return result;
  }
  [[nodiscard]] double seconds() const { return taken_.count(); }

 private:
  std::chrono::duration<double> taken_{};
};

std::map<std::string, SourceLocation> choice_locations(const LinkedMapping& linked) {
  const MappingFile& mapping = linked.mapping;
  std::map<std::string, SourceLocation> locations;
  const auto add = [&](const std::string& name, const auto& written) {
    const auto at = written.find(name);
    locations[name] =
        at != written.end() ? at->second.location : SourceLocation{mapping.file, 0, 0};
  };
  for (const ParameterDeclaration& parameter : linked.manifest.parameters)
    add(parameter.name, mapping.parameters);
  for (const auto& [table, memory] : linked.table_memories)
    add(table, mapping.tables);
  return locations;
}

// Null, with a report, where the program has no builder for the algorithm.
std::unique_ptr<TableBuilder> make_builder(const LinkedMapping& linked, const RuleInputs& inputs,
                                           const BuildProgress& progress,
                                           Diagnostics& diagnostics) {
  const MakeTableBuilder make = find_table_builder(linked.manifest.algorithm);
  if (make != nullptr) {
    return make({inputs.rules, linked.parameters, inputs.updates, progress,
                 choice_locations(linked), linked.table_memories});
  }
  diagnostics.error(
      {linked.manifest.file, 1, 1},
      fmt::format("no table builder for '{0}' is built in: {0}/builder.cpp must define it",
                  linked.manifest.algorithm));
  return nullptr;
}

// Can tables be built from the rules?
bool check_rules(const LinkedMapping& linked, const workloads::RuleSet& rules,
                 Diagnostics& diagnostics) {
  const bool fits = check_rule_set(linked.manifest, rules, diagnostics);
  if (linked.mapping.egress == Egress::kByAction)
    check_forward_ports(linked.chip, rules, diagnostics);
  return fits;
}

std::vector<TableSize> sizes_with_front(const LinkedMapping& linked, std::vector<TableSize> sizes) {
  if (linked.manifest.front) {
    for (const TableSize& of_front : front_table_sizes(linked.parameters)) {
      const bool is_shared = std::any_of(sizes.begin(), sizes.end(), [&](const TableSize& size) {
        return size.table == of_front.table;
      });
      if (!is_shared)
        sizes.push_back(of_front);
    }
  }
  return sizes;
}

std::vector<PlacedUnit> units_of(const MappingFile& mapping) {
  std::vector<PlacedUnit> units;
  for (const UnitEntry& entry : mapping.units)
    units.push_back({entry.name, entry.unit});
  return units;
}

Placement make_placement(const LinkedMapping& linked, const workloads::RuleSet& rules,
                         const std::vector<TableSize>& table_sizes, Diagnostics& diagnostics) {
  const TaskPlan plan = plan_tasks(linked, rules.fields().size(), diagnostics);
  const std::vector<Queue> queues = make_queues(linked, plan);
  MemoryLayout layout = lay_out_memory(linked, queues, table_sizes, diagnostics);
  return {.mapping = linked.mapping.name,
          .summary = linked.mapping.summary,
          .algorithm = linked.manifest.algorithm,
          .algorithm_folder = linked.manifest.folder,
          .chip = linked.chip.name,
          .engines = linked.chip.engines,
          .memory_bytes = linked.chip.memory_bytes,
          .contexts = linked.chip.contexts,
          .control_store_words = linked.chip.control_store_words,
          .fields = rules.fields(),
          .rules = rules.size(),
          .parameters = linked.parameters,
          .tasks = linked.manifest.tasks,
          .metadata = linked.manifest.metadata,
          .stages = make_stages(linked, plan),
          .units = units_of(linked.mapping),
          .stage_order = linked.order.value_or(std::vector<std::size_t>{}),
          .queues = with_bases(queues, layout),
          .tables = std::move(layout.tables),
          .buffers = layout.buffers,
          .variables = std::move(layout.variables),
          .counters = layout.counters,
          .memory_map = std::move(layout.ranges),
          .tuning = tuning_values(linked.mapping),
          .optimize = linked.mapping.optimize,
          .egress = linked.mapping.egress,
          .no_match = linked.mapping.no_match};
}

TablePlaces places_of(const Placement& placement) {
  TablePlaces places;
  for (const TablePlacement& table : placement.tables)
    places[table.name] = {table.space, table.base};
  return places;
}

void check_updater(const LinkedMapping& linked, const RuleInputs& inputs,
                   const TableContents& tables, Diagnostics& diagnostics) {
  if (inputs.updates == nullptr || tables.updater != nullptr)
    return;
  diagnostics.error(
      linked.mapping.algorithm.location,
      fmt::format("the rules of '{}' stay as they are in a run: its table builder takes no updates",
                  linked.manifest.algorithm));
}

}  // namespace

std::shared_ptr<const PlacedMapping> place(const LinkedMapping& linked, const RuleInputs& inputs,
                                           Diagnostics& diagnostics,
                                           const BuildProgress& progress) {
  BuildClock clock;
  std::vector<TableSize> sizes;
  std::unique_ptr<TableBuilder> builder;
  if (check_rules(linked, inputs.rules, diagnostics))
    builder = make_builder(linked, inputs, progress, diagnostics);
  if (builder)
    sizes = sizes_with_front(linked, clock.measure([&] { return builder->size(diagnostics); }));
  Placement placement = make_placement(linked, inputs.rules, sizes, diagnostics);
  if (diagnostics.has_errors())
    return nullptr;
  TableContents tables = clock.measure([&] { return builder->write(places_of(placement)); });
  check_updater(linked, inputs, tables, diagnostics);
  if (diagnostics.has_errors())
    return nullptr;
  put_initial_state(placement, tables.image);
  return std::make_shared<const PlacedMapping>(
      PlacedMapping{std::move(placement), std::move(tables.image), std::move(tables.facts),
                    clock.seconds(), std::move(tables.updater), std::move(tables.match)});
}

std::vector<TableSize> size_tables(const LinkedMapping& linked, const RuleInputs& inputs,
                                   Diagnostics& diagnostics) {
  if (!check_rules(linked, inputs.rules, diagnostics))
    return {};
  const auto builder = make_builder(linked, inputs, {}, diagnostics);
  return builder ? sizes_with_front(linked, builder->size(diagnostics)) : std::vector<TableSize>{};
}

std::optional<Placement> place_sized(const LinkedMapping& linked, const workloads::RuleSet& rules,
                                     const std::vector<TableSize>& table_sizes,
                                     Diagnostics& diagnostics) {
  Placement placement = make_placement(linked, rules, table_sizes, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  return placement;
}

}  // namespace nplab::mappings
