#include "mappings/files/wiring_reader.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <filesystem>
#include <limits>
#include <set>

#include "mappings/files/file_keys.h"
#include "support/parameters/check.h"
#include "support/parameters/checked_map.h"

namespace nplab::mappings {
namespace {

using parameters::CheckedMap;
using parameters::integer_or;

constexpr parameters::Integer kContextCounts{1, 32};
constexpr parameters::Integer kContextNumbers{0, 31};
constexpr parameters::Integer kEngineNumbers{0, 63};  // of any chip; the resolver knows this one

class WiringReader {
 public:
  WiringReader(const yaml::Node& root, MappingFile& mapping, Diagnostics& diagnostics)
      : root_(root), mapping_(mapping), diagnostics_(diagnostics) {}

  void read() {
    const CheckedMap map(root_, mapping_keys());
    mapping_.stages_location = map.location("stages");
    mapping_.is_wiring_whole = map.find("stages") != nullptr && map.find("queues") != nullptr;
    for (const yaml::Node& node : map.items("stages"))
      read_stage(node);
    for (const yaml::Node& node : map.items("queues"))
      read_queue(node);
    refuse_equal_names();
  }

 private:
  void read_stage(const yaml::Node& node) {
    if (!node.is_map())
      return;
    static const parameters::KeyMap& kKeys = *parameters::find_keys(mapping_keys(), "stages");
    const CheckedMap map(node, kKeys);
    StageEntry stage;
    stage.location = node.location();
    stage.name = map.text("name");
    stage.role = map.choice<StageRole>("role");
    stage.inputs = map.choice<QueueChoice>("inputs");
    stage.outputs = map.choice<QueueChoice>("outputs");
    const bool has_role = map.fits("role") && map.fits("inputs") && map.fits("outputs");
    if (!has_role)
      mapping_.is_wiring_whole = false;
    if (map.fits("role") && map.text("role") == "unit")
      return read_unit(map);
    refuse(map, "unit", "only a stage with `role: unit` names a unit");
    require_engines(map);
    read_engines(map, stage);
    if (const yaml::Node* threads = map.find("threads")) {
      stage.threads_location = threads->location();
      if (map.find("placement") != nullptr) {
        read_spread(map, *threads, stage);
      } else {
        read_threads(*threads, stage);
      }
    } else {
      stage.contexts.resize(stage.engines.size());
      mapping_.is_wiring_whole = false;
    }
    if (has_role) {
      read_stage_tasks(map, stage);
      read_program(map, stage);
    }
    mapping_.stages.push_back(std::move(stage));
  }

  void read_unit(const CheckedMap& map) {
    for (const char* key : {"engines", "threads", "placement", "tasks", "program"})
      refuse(map, key, "a unit of the chip runs by itself: it has no engines, threads or tasks");
    map.node().require("unit", diagnostics_);
    mapping_.units.push_back(
        {map.text("name"), map.fits("unit") ? map.text("unit") : "", map.location("unit")});
  }

  void refuse(const CheckedMap& map, const char* key, const char* message) {
    if (const yaml::Node* node = map.find(key))
      diagnostics_.error(node->location(), message);
  }

  void require_engines(const CheckedMap& map) {
    for (const char* key : {"engines", "threads"})
      map.node().require(key, diagnostics_);
  }

  static void read_engines(const CheckedMap& map, StageEntry& stage) {
    for (const yaml::Node& item : map.items("engines")) {
      const auto engine = integer_or(item, kEngineNumbers, -1);
      if (engine >= 0)
        stage.engines.push_back({static_cast<unsigned>(engine), item.location()});
    }
  }

  // A number of threads on every engine, a list with a number for each engine, or a list with a
  // list of contexts for each.
  void read_threads(const yaml::Node& node, StageEntry& stage) {
    if (!node.is_list()) {
      check_context_count(node);
      stage.contexts.assign(stage.engines.size(), read_contexts(node));
      return;
    }
    for (const yaml::Node& item : node.items())
      stage.contexts.push_back(read_contexts(item));
    if (stage.contexts.size() == stage.engines.size())
      return;
    diagnostics_.error(node.location(), fmt::format("{} engines need as many items here, not {}",
                                                    stage.engines.size(), stage.contexts.size()));
    stage.contexts.resize(stage.engines.size());
  }

  // Without `placement` the threads are those of each engine.
  void check_context_count(const yaml::Node& node) {
    Diagnostics reported;
    const auto count = node.as_integer(reported);
    if (!count || *count <= kContextCounts.most)
      return;
    diagnostics_.error(node.location(),
                       fmt::format("threads: {} is out of range: {}; with `placement` it is the "
                                   "number for all engines",
                                   *count, parameters::range_text(kContextCounts)));
  }

  void read_spread(const CheckedMap& map, const yaml::Node& threads, StageEntry& stage) {
    if (threads.is_list()) {
      diagnostics_.error(threads.location(),
                         "with `placement` the threads of all engines are one number");
      stage.contexts.resize(stage.engines.size());
      return;
    }
    stage.spread =
        SpreadThreads{map.choice<ThreadOrder>("placement"),
                      {static_cast<std::uint32_t>(map.integer("threads")), threads.location()}};
  }

  static std::vector<unsigned> read_contexts(const yaml::Node& node) {
    std::vector<unsigned> contexts;
    if (node.is_list()) {
      for (const yaml::Node& item : node.items()) {
        const auto context = integer_or(item, kContextNumbers, -1);
        if (context >= 0)
          contexts.push_back(static_cast<unsigned>(context));
      }
    } else {
      const auto count = integer_or(node, kContextCounts, 0);
      for (unsigned i = 0; i < static_cast<unsigned>(count); ++i)
        contexts.push_back(i);
    }
    return contexts;
  }

  void read_stage_tasks(const CheckedMap& map, StageEntry& stage) {
    const yaml::Node* tasks = map.find("tasks");
    if (stage.role == StageRole::kTasks) {
      if (map.node().require("tasks", diagnostics_) == nullptr)
        mapping_.is_wiring_whole = false;
      for (const yaml::Node& item : map.items("tasks"))
        read_task_selection(item, stage);
    } else if (tasks != nullptr) {
      diagnostics_.error(tasks->location(), "only a stage with `role: tasks` runs tasks");
    }
  }

  void read_program(const CheckedMap& map, StageEntry& stage) {
    const yaml::Node* program = map.find("program");
    if (stage.role != StageRole::kProgram) {
      if (program == nullptr)
        return;
      diagnostics_.error(program->location(), "only a stage with `role: program` has a program");
      return;
    }
    map.node().require("program", diagnostics_);
    const std::string name = map.text("program");
    if (name.empty())
      return;
    stage.program = (std::filesystem::path(mapping_.file).parent_path() / name).string();
    if (!std::filesystem::is_regular_file(stage.program)) {
      diagnostics_.error(program->location(),
                         fmt::format("there is no file '{}' beside the mapping", name));
    }
  }

  void read_task_selection(const yaml::Node& node, StageEntry& stage) {
    if (!node.is_scalar())
      return;
    const std::string& text = node.scalar();
    TaskSelection selection;
    selection.location = node.location();
    const auto bracket = text.find('[');
    selection.task = text.substr(0, bracket);
    if (bracket != std::string::npos) {
      selection.dimensions = parse_dimensions(std::string_view(text).substr(bracket));
      if (!selection.dimensions) {
        diagnostics_.error(
            node.location(),
            fmt::format("'{}': write a task as NAME, NAME[0], NAME[1..], NAME[..1] or "
                        "NAME[1..2]",
                        text));
        mapping_.is_wiring_whole = false;
        return;
      }
    }
    stage.tasks.push_back(std::move(selection));
  }

  // `[1]`, `[1..]`, `[..2]`, `[1..2]`.
  static std::optional<TaskSelection::Dimensions> parse_dimensions(std::string_view text) {
    if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 3)
      return std::nullopt;
    text = text.substr(1, text.size() - 2);
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) {
      const auto only = parse_number(text, 0);
      if (!only || text.empty())
        return std::nullopt;
      return TaskSelection::Dimensions{*only, *only, false};
    }
    const auto first = parse_number(text.substr(0, dots), 0);
    const auto last = parse_number(text.substr(dots + 2), kOpenRange);
    if (!first || !last || *first > *last)
      return std::nullopt;
    return TaskSelection::Dimensions{*first, *last, true};
  }

  static std::optional<unsigned> parse_number(std::string_view text, unsigned when_empty) {
    if (text.empty())
      return when_empty;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      return std::nullopt;
    return value;
  }

  void read_queue(const yaml::Node& node) {
    if (!node.is_map())
      return;
    static const parameters::KeyMap& kKeys = *parameters::find_keys(mapping_keys(), "queues");
    const CheckedMap map(node, kKeys);
    QueueEntry queue;
    queue.location = node.location();
    queue.name = map.text("name");
    queue.from = queue_end(map, "from", queue.name, "producer");
    queue.to = queue_end(map, "to", queue.name, "consumer");
    queue.per = map.choice<QueuePer>("per");
    queue.route = map.choice<QueueRoute>("route");
    read_entries(map, queue);
    read_queue_memory(map, queue);
    queue.full = map.find("full") == nullptr ? default_when_full(queue.from.value)
                                             : map.choice<WhenFull>("full");
    queue.release = {map.choice<QueueRelease>("release"), map.location("release")};
    read_sync(map, queue);
    queue.wait = {map.choice<QueueWait>("wait"), map.location("wait")};
    queue.order = {map.choice<QueueOrder>("order"), map.location("order")};
    queue.poll_cycles = static_cast<std::uint32_t>(map.integer("poll_cycles"));
    queue.quantum = {static_cast<std::uint32_t>(map.integer("quantum")), map.location("quantum")};
    mapping_.queues.push_back(std::move(queue));
  }

  void read_sync(const CheckedMap& map, QueueEntry& queue) {
    queue.sync = {map.choice<QueueSync>("sync"), map.location("sync")};
    queue.primitive = {map.choice<LockPrimitive>("primitive"), map.location("primitive")};
    queue.call_instructions = static_cast<std::uint32_t>(map.integer("call_instructions"));
    queue.kernel_instructions = static_cast<std::uint32_t>(map.integer("kernel_instructions"));
    const yaml::Node* lock = map.find("lock");
    if (lock == nullptr || !lock->is_scalar())
      return;
    if (map.find("sync") != nullptr) {
      diagnostics_.error(lock->location(), "`lock` is the old name of `sync`; write `sync` alone");
      return;
    }
    const bool by_thread = lock->scalar() == "thread";
    diagnostics_.warning(lock->location(),
                         fmt::format("lock: {} is deprecated; write sync: {}", lock->scalar(),
                                     by_thread ? "memory_lock" : "auto"));
    queue.sync = {by_thread ? QueueSync::kMemoryLock : QueueSync::kAuto, lock->location()};
  }

  void read_queue_memory(const CheckedMap& map, QueueEntry& queue) {
    const auto memory = map.choice<QueueMemory>("memory");
    queue.in_registers = memory == QueueMemory::kRegisters;
    queue.memory = {isa::MemorySpace::kScratch, map.location("memory")};
    if (!queue.in_registers)
      queue.memory.value = map.choice<isa::MemorySpace>("memory");
    if (map.find("memory") == nullptr || memory != QueueMemory::kSdram)
      return;
    diagnostics_.error(map.location("memory"),
                       "a queue lies in sram or scratch: its counters are single longwords");
  }

  Located<std::string> queue_end(const CheckedMap& map, std::string_view key,
                                 const std::string& queue, std::string_view part) {
    if (map.find(key) != nullptr)
      return {map.text(key), map.location(key)};
    diagnostics_.error(
        map.node().location(),
        fmt::format("queue '{}' has no {}: the key '{}' names its stage", queue, part, key));
    mapping_.is_wiring_whole = false;
    return {"", map.node().location()};
  }

  void read_entries(const CheckedMap& map, QueueEntry& queue) {
    queue.entries = {static_cast<std::uint32_t>(map.integer("entries")), map.location("entries")};
    if (std::has_single_bit(queue.entries.value))
      return;
    diagnostics_.error(queue.entries.location,
                       "the number of entries is a power of two: positions are masked, running "
                       "counts");
  }

  // Receive drops where it meets a full queue; a later stage waits.
  [[nodiscard]] WhenFull default_when_full(const std::string& producer) const {
    for (const StageEntry& stage : mapping_.stages) {
      if (stage.name == producer && stage.role == StageRole::kReceive)
        return WhenFull::kDrop;
    }
    return WhenFull::kWait;
  }

  void refuse_equal_names() {
    std::set<std::string> stages;
    for (const StageEntry& stage : mapping_.stages)
      refuse_second(stages, "stage", stage.name, stage.location);
    for (const UnitEntry& unit : mapping_.units)
      refuse_second(stages, "stage", unit.name, unit.location);
    std::set<std::string> queues;
    for (const QueueEntry& queue : mapping_.queues)
      refuse_second(queues, "queue", queue.name, queue.location);
  }

  void refuse_second(std::set<std::string>& seen, const char* what, const std::string& name,
                     const SourceLocation& at) {
    if (name.empty() || seen.insert(name).second)
      return;
    diagnostics_.error(
        at, fmt::format("a second {} is called '{}'; give it a name of its own", what, name));
  }

  const yaml::Node& root_;
  MappingFile& mapping_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_wiring(const yaml::Node& root, MappingFile& mapping, Diagnostics& diagnostics) {
  WiringReader(root, mapping, diagnostics).read();
}

}  // namespace nplab::mappings
