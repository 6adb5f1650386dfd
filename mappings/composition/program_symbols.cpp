#include "mappings/composition/program_symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "mappings/composition/c_text.h"

namespace nplab::mappings {
namespace {

struct QueueEnd {
  const Queue& queue;
  bool produces = false;
};

std::vector<QueueEnd> queues_of(const CompositionInputs& inputs, const Stage& stage) {
  std::vector<QueueEnd> sides;
  for (const std::size_t index : stage.inputs)
    sides.push_back({inputs.placement.queues[index], false});
  for (const std::size_t index : stage.outputs)
    sides.push_back({inputs.placement.queues[index], true});
  return sides;
}

std::map<std::string, std::uint32_t> queue_symbols(const Queue& queue) {
  const std::string prefix = "QUEUE_" + upper_case(queue.name);
  return {{prefix + "_BASE", queue.instances.front().base},
          {prefix + "_RINGS", static_cast<std::uint32_t>(queue.instances.size())},
          {prefix + "_RING_BYTES", static_cast<std::uint32_t>(queue.instance_bytes())},
          {prefix + "_ENTRIES", queue.entries},
          {prefix + "_ENTRY_BYTES", 4 * queue.entry_longwords}};
}

std::vector<std::uint32_t> bases_of(const QueueEnd& side, ThreadPlace thread) {
  std::vector<std::uint32_t> bases;
  for (const auto& instance : side.queue.instances) {
    const auto& users = side.produces ? instance.producers : instance.consumers;
    if (std::find(users.begin(), users.end(), thread) != users.end())
      bases.push_back(instance.base);
  }
  return bases;
}

}  // namespace

std::map<std::string, std::uint32_t> program_symbols(const CompositionInputs& inputs,
                                                     const Stage& stage) {
  const Placement& placement = inputs.placement;
  std::map<std::string, std::uint32_t> symbols{
      {"DIMENSIONS", static_cast<std::uint32_t>(placement.fields.size())},
      {"RULES", static_cast<std::uint32_t>(placement.rules)},
      {"BUFFERS_BASE", placement.buffers.base},
      {"DESCRIPTORS_BASE", placement.buffers.descriptors_base},
      {"COUNTERS_BASE", placement.counters.base}};
  for (const auto& [name, value] : placement.parameters) {
    symbols["PARAM_" + upper_case(name)] = static_cast<std::uint32_t>(value);
  }
  for (const auto& tuning : placement.tuning) {
    symbols["TUNE_" + upper_case(tuning.name)] = static_cast<std::uint32_t>(tuning.value);
  }
  for (const auto& table : placement.tables)
    symbols["TABLE_" + upper_case(table.name)] = table.base;
  for (const QueueEnd& side : queues_of(inputs, stage))
    symbols.merge(queue_symbols(side.queue));
  return symbols;
}

std::string ring_functions(const CompositionInputs& inputs, const Stage& stage) {
  std::string code;
  for (const QueueEnd& side : queues_of(inputs, stage)) {
    for (const auto& [name, value] : queue_symbols(side.queue))
      code += fmt::format("#define {} {:#x}u\n", name, value);
    std::vector<std::uint32_t> counts;
    std::size_t most = 0;
    for (const ThreadPlace thread : stage.threads) {
      counts.push_back(static_cast<std::uint32_t>(bases_of(side, thread).size()));
      most = std::max<std::size_t>(most, counts.back());
    }
    code += fmt::format("#define {}_RINGS(rank) {}\n", side.queue.name,
                        indexed_constant("(rank)", counts));
    code += fmt::format("static inline u32 {}_ring(u32 rank, u32 turn) {{\n", side.queue.name);
    for (std::size_t turn = most; turn-- > 0;) {
      std::vector<std::uint32_t> column;
      for (const ThreadPlace thread : stage.threads) {
        const auto bases = bases_of(side, thread);
        column.push_back(bases[std::min(turn, bases.size() - 1)]);
      }
      const std::string condition = turn == 0 ? "" : fmt::format("if (turn == {}) ", turn);
      code += fmt::format("  {}return {};\n", condition, indexed_constant("rank", column));
    }
    code += "}\n";
  }
  return code;
}

}  // namespace nplab::mappings
