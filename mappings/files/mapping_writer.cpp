#include "mappings/files/mapping_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "mappings/files/file_keys.h"

namespace nplab::mappings {
namespace {

// The entries of a map on one line.
class FlowMap {
 public:
  void add(std::string_view key, const std::string& value) {
    entries_.push_back(fmt::format("{}: {}", key, value));
  }
  [[nodiscard]] bool is_empty() const { return entries_.empty(); }
  [[nodiscard]] std::string text() const {
    return fmt::format("{{{}}}", fmt::join(entries_, ", "));
  }

 private:
  std::vector<std::string> entries_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

// The word that the description of a key gives to the enumerator.
template <typename Enum>
std::string word_of(std::string_view section, std::string_view key, Enum value) {
  const parameters::KeyMap* keys = parameters::find_keys(mapping_keys(), section);
  assert(keys != nullptr && keys->find(key) != nullptr && "the key is described");
  const auto& words = std::get<parameters::Choice>(keys->find(key)->value.type).words;
  return words.at(static_cast<std::size_t>(value));
}

// A number of threads where every engine has the same contexts from 0 up, lists otherwise.
std::string threads_text(const StageEntry& stage) {
  if (stage.spread)
    return fmt::format("{}", stage.spread->count.value);
  const auto counts_up = [](const std::vector<unsigned>& contexts) {
    for (unsigned i = 0; i < contexts.size(); ++i) {
      if (contexts[i] != i)
        return false;
    }
    return !contexts.empty();
  };
  std::vector<std::string> lists;
  bool is_number = !stage.contexts.empty();
  for (const auto& contexts : stage.contexts) {
    is_number = is_number && counts_up(contexts) && contexts == stage.contexts.front();
    lists.push_back(fmt::format("[{}]", fmt::join(contexts, ", ")));
  }
  return is_number ? fmt::format("{}", stage.contexts.front().size())
                   : fmt::format("[{}]", fmt::join(lists, ", "));
}

std::string stage_text(const StageEntry& stage) {
  FlowMap map;
  map.add("name", stage.name);
  map.add("role", word_of("stages", "role", stage.role));
  std::vector<unsigned> engines;
  for (const auto& engine : stage.engines)
    engines.push_back(engine.value);
  map.add("engines", fmt::format("[{}]", fmt::join(engines, ", ")));
  map.add("threads", threads_text(stage));
  if (stage.spread)
    map.add("placement", word_of("stages", "placement", stage.spread->order));
  if (stage.role == StageRole::kTasks) {
    std::vector<std::string> tasks;
    for (const TaskSelection& selection : stage.tasks)
      tasks.push_back(selection.dimensions ? quoted(to_string(selection)) : selection.task);
    map.add("tasks", fmt::format("[{}]", fmt::join(tasks, ", ")));
  }
  if (stage.role == StageRole::kProgram)
    map.add("program", quoted(stage.program));
  if (stage.inputs != QueueChoice::kOne)
    map.add("inputs", word_of("stages", "inputs", stage.inputs));
  if (stage.outputs != QueueChoice::kOne)
    map.add("outputs", word_of("stages", "outputs", stage.outputs));
  return map.text();
}

std::string queue_text(const QueueEntry& queue) {
  FlowMap map;
  const auto choice = [&](const char* key, auto value) {
    map.add(key, word_of("queues", key, value));
  };
  map.add("name", queue.name);
  map.add("from", queue.from.value);
  map.add("to", queue.to.value);
  choice("per", queue.per);
  if (queue.route != QueueRoute::kOwn)
    choice("route", queue.route);
  map.add("entries", fmt::format("{}", queue.entries.value));
  map.add("memory", queue.in_registers ? "registers" : memory_name(queue.memory.value));
  choice("full", queue.full);
  if (queue.release.value != QueueRelease::kDequeue)
    choice("release", queue.release.value);
  if (queue.sync.value != QueueSync::kAuto)
    choice("sync", queue.sync.value);
  if (queue.primitive.value != LockPrimitive::kAuto)
    choice("primitive", queue.primitive.value);
  const QueueEntry defaults;
  if (queue.call_instructions != defaults.call_instructions)
    map.add("call_instructions", fmt::format("{}", queue.call_instructions));
  if (queue.kernel_instructions != defaults.kernel_instructions)
    map.add("kernel_instructions", fmt::format("{}", queue.kernel_instructions));
  if (queue.order.value != QueueOrder::kNone)
    choice("order", queue.order.value);
  if (queue.wait.value != QueueWait::kPoll)
    choice("wait", queue.wait.value);
  if (queue.poll_cycles != 0)
    map.add("poll_cycles", fmt::format("{}", queue.poll_cycles));
  if (queue.quantum.value != 1)
    map.add("quantum", fmt::format("{}", queue.quantum.value));
  return map.text();
}

std::string maps_text(const MappingFile& mapping) {
  FlowMap parameters, tables, variables, pins;
  for (const auto& [name, value] : mapping.parameters)
    parameters.add(name, fmt::format("{}", value.value));
  for (const auto& [name, memory] : mapping.tables)
    tables.add(name, memory_name(memory.value));
  for (const auto& [space, bytes] : mapping.variables)
    variables.add(memory_name(space), fmt::format("{}", bytes.value));
  for (const auto& [space, bases] : mapping.pins) {
    FlowMap of_space;
    for (const auto& [name, base] : bases)
      of_space.add(name, fmt::format("{:#x}", base.value));
    pins.add(memory_name(space), of_space.text());
  }
  std::string text;
  for (const auto& [key, map] : {std::pair("parameters", &parameters), std::pair("tables", &tables),
                                 std::pair("variables", &variables), std::pair("memory", &pins)}) {
    if (!map->is_empty())
      text += fmt::format("{}: {}\n", key, map->text());
  }
  return text;
}

std::string tuning_text(const MappingFile& mapping) {
  std::string text = mapping.tuning.empty() ? "" : "tuning:\n";
  for (const auto& [name, entry] : mapping.tuning) {
    text +=
        fmt::format("  {}: {{value: {}, reason: {}}}\n", name, entry.value, quoted(entry.reason));
  }
  return text;
}

}  // namespace

std::string to_string(const TaskSelection& selection) {
  if (!selection.dimensions)
    return selection.task;
  const auto& [first, last, is_range] = *selection.dimensions;
  if (!is_range)
    return fmt::format("{}[{}]", selection.task, first);
  return last == kOpenRange ? fmt::format("{}[{}..]", selection.task, first)
                            : fmt::format("{}[{}..{}]", selection.task, first, last);
}

std::string mapping_text(const MappingFile& mapping, const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments)
    text += comment.empty() ? "#\n" : "# " + comment + "\n";
  text += fmt::format("mapping: {}\nalgorithm: {}\n", mapping.name, mapping.algorithm.value);
  if (!mapping.summary.empty())
    text += "summary: " + quoted(mapping.summary) + "\n";
  text += fmt::format("chip: {}\nworkload: {}\noptimize: {}\n", mapping.chip.value,
                      mapping.workload.value,
                      optimize_words().at(static_cast<std::size_t>(mapping.optimize)));
  text += maps_text(mapping);
  text += fmt::format("buffers: {}\nstages:\n", mapping.buffers.value);
  for (const StageEntry& stage : mapping.stages)
    text += "  - " + stage_text(stage) + "\n";
  text += mapping.queues.empty() ? "queues: []\n" : "queues:\n";
  for (const QueueEntry& queue : mapping.queues)
    text += "  - " + queue_text(queue) + "\n";
  if (mapping.egress != Egress::kSamePort)
    text += "egress: by_action\n";
  if (mapping.no_match != NoMatch::kDrop)
    text += "no_match: allow\n";
  return text + tuning_text(mapping);
}

}  // namespace nplab::mappings
