#include "mappings/files/wiring_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <set>

namespace nplab::mappings {
namespace {

constexpr unsigned kMostEngines = 64;  // of any chip; the resolver knows this one
constexpr unsigned kMostContexts = 32;
constexpr std::uint32_t kLargestQuantum = 100;  // as the literature studied it

class WiringReader {
 public:
  WiringReader(const yaml::Node& root, MappingFile& mapping, Diagnostics& diagnostics)
      : root_(root), mapping_(mapping), diagnostics_(diagnostics) {}

  void read() {
    mapping_.stages_location = root_.location();
    if (const yaml::Node* stages = require_for_wiring(root_, "stages")) {
      mapping_.stages_location = stages->location();
      for (const yaml::Node& node : read_list(*stages, diagnostics_))
        read_stage(node);
    }
    if (const yaml::Node* queues = require_for_wiring(root_, "queues")) {
      for (const yaml::Node& node : read_list(*queues, diagnostics_))
        read_queue(node);
    }
    refuse_equal_names();
  }

 private:
  const yaml::Node* require_for_wiring(const yaml::Node& map, std::string_view key) {
    const yaml::Node* node = map.require(key, diagnostics_);
    if (node == nullptr)
      mapping_.is_wiring_whole = false;
    return node;
  }

  void read_stage(const yaml::Node& node) {
    node.reject_unknown_keys({"name", "role", "engines", "threads", "placement", "tasks", "program",
                              "inputs", "outputs"},
                             diagnostics_);
    if (!node.is_map())
      return;
    StageEntry stage;
    stage.location = node.location();
    stage.name = require_identifier(node, "name", diagnostics_);
    const auto errors_before = diagnostics_.errors().size();
    node.require("role", diagnostics_);
    stage.role = read_enum(node, "role", {"receive", "tasks", "transmit", "program"},
                           StageRole::tasks, diagnostics_);
    stage.inputs = read_enum(node, "inputs", {"one", "each"}, QueueChoice::one, diagnostics_);
    stage.outputs = read_enum(node, "outputs", {"one", "each"}, QueueChoice::one, diagnostics_);
    const bool has_role = diagnostics_.errors().size() == errors_before;
    if (!has_role)
      mapping_.is_wiring_whole = false;
    if (const yaml::Node* engines = node.require("engines", diagnostics_))
      read_engines(*engines, stage);
    if (const yaml::Node* threads = node.require("threads", diagnostics_)) {
      if (node.find("placement") != nullptr) {
        read_spread(node, *threads, stage);
      } else {
        read_threads(*threads, stage);
      }
    }
    if (has_role) {
      read_stage_tasks(node, stage);
      read_program(node, stage);
    }
    mapping_.stages.push_back(std::move(stage));
  }

  void read_engines(const yaml::Node& node, StageEntry& stage) {
    for (const yaml::Node& item : read_list(node, diagnostics_)) {
      const auto engine = read_integer(item, 0, kMostEngines - 1, diagnostics_);
      if (engine)
        stage.engines.push_back({static_cast<unsigned>(*engine), item.location()});
    }
    if (node.is_list() && node.items().empty())
      diagnostics_.error(node.location(), "a stage needs an engine");
  }

  // A number of threads on every engine, a list with a number for each engine, or a list with a
  // list of contexts for each.
  void read_threads(const yaml::Node& node, StageEntry& stage) {
    if (!node.is_list()) {
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

  void read_spread(const yaml::Node& node, const yaml::Node& threads, StageEntry& stage) {
    const auto order =
        read_enum(node, "placement", {"striped", "tiled"}, ThreadOrder::striped, diagnostics_);
    if (threads.is_list()) {
      diagnostics_.error(threads.location(),
                         "with `placement` the threads of all engines are one number");
      stage.contexts.resize(stage.engines.size());
      return;
    }
    stage.spread =
        SpreadThreads{order, read_count(threads, 1, kMostEngines * kMostContexts, diagnostics_)};
  }

  std::vector<unsigned> read_contexts(const yaml::Node& node) {
    std::vector<unsigned> contexts;
    if (node.is_list()) {
      for (const yaml::Node& item : node.items()) {
        const auto context = read_integer(item, 0, kMostContexts - 1, diagnostics_);
        if (context)
          contexts.push_back(static_cast<unsigned>(*context));
      }
    } else if (const auto count = read_integer(node, 1, kMostContexts, diagnostics_)) {
      for (unsigned i = 0; i < static_cast<unsigned>(*count); ++i)
        contexts.push_back(i);
    }
    return contexts;
  }

  void read_stage_tasks(const yaml::Node& node, StageEntry& stage) {
    const yaml::Node* tasks = node.find("tasks");
    if (stage.role == StageRole::tasks) {
      if (require_for_wiring(node, "tasks") == nullptr)
        return;
      for (const yaml::Node& item : read_list(*tasks, diagnostics_))
        read_task_selection(item, stage);
    } else if (tasks != nullptr) {
      diagnostics_.error(tasks->location(), "only a stage with `role: tasks` runs tasks");
    }
  }

  void read_program(const yaml::Node& node, StageEntry& stage) {
    const yaml::Node* program = node.find("program");
    if (stage.role != StageRole::program) {
      if (program == nullptr)
        return;
      diagnostics_.error(program->location(), "only a stage with `role: program` has a program");
      return;
    }
    const std::string name = require_word(node, "program", diagnostics_);
    if (name.empty())
      return;
    stage.program = (std::filesystem::path(mapping_.file).parent_path() / name).string();
    if (!std::filesystem::is_regular_file(stage.program)) {
      diagnostics_.error(program->location(),
                         fmt::format("there is no file '{}' beside the mapping", name));
    }
  }

  void read_task_selection(const yaml::Node& node, StageEntry& stage) {
    const auto text = node.as_string(diagnostics_);
    if (!text)
      return;
    TaskSelection selection;
    selection.location = node.location();
    const auto bracket = text->find('[');
    selection.task = text->substr(0, bracket);
    if (bracket != std::string::npos) {
      selection.dimensions = parse_dimensions(std::string_view(*text).substr(bracket));
      if (!selection.dimensions) {
        diagnostics_.error(
            node.location(),
            fmt::format("'{}': write a task as NAME, NAME[0], NAME[1..], NAME[..1] or "
                        "NAME[1..2]",
                        *text));
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
    node.reject_unknown_keys({"name", "from", "to", "per", "route", "entries", "memory", "full",
                              "release", "lock", "quantum"},
                             diagnostics_);
    if (!node.is_map())
      return;
    QueueEntry queue;
    queue.location = node.location();
    queue.name = require_identifier(node, "name", diagnostics_);
    queue.from = queue_end(node, "from", queue.name, "producer");
    queue.to = queue_end(node, "to", queue.name, "consumer");
    node.require("per", diagnostics_);
    queue.per = read_enum(node, "per", {"producer_thread", "consumer_thread", "pair", "shared"},
                          QueuePer::shared, diagnostics_);
    queue.route = read_enum(node, "route", {"own", "all"}, QueueRoute::own, diagnostics_);
    if (const yaml::Node* entries = node.require("entries", diagnostics_))
      read_entries(*entries, queue);
    if (const yaml::Node* memory = node.require("memory", diagnostics_)) {
      const auto space = mappings::read_memory(*memory, diagnostics_);
      queue.memory = {space.value_or(isa::MemorySpace::kSram), memory->location()};
      if (queue.memory.value == isa::MemorySpace::kSdram) {
        diagnostics_.error(memory->location(),
                           "a queue lies in sram or scratch: its counters are single longwords");
      }
    }
    queue.full = read_enum(node, "full", {"drop", "wait"}, WhenFull::drop, diagnostics_);
    if (node.find("full") == nullptr)
      queue.full = default_when_full(queue.from.value);
    const yaml::Node* release = node.find("release");
    queue.release = {read_enum(node, "release", {"dequeue", "end_of_packet"}, QueueRelease::dequeue,
                               diagnostics_),
                     release == nullptr ? node.location() : release->location()};
    queue.lock = read_enum(node, "lock", {"thread", "engine"}, QueueLock::thread, diagnostics_);
    queue.quantum = {1, node.location()};
    if (const yaml::Node* quantum = node.find("quantum")) {
      queue.quantum = read_count(*quantum, 1, kLargestQuantum, diagnostics_);
    }
    mapping_.queues.push_back(std::move(queue));
  }

  Located<std::string> queue_end(const yaml::Node& node, std::string_view key,
                                 const std::string& queue, std::string_view part) {
    if (const yaml::Node* end = node.find(key))
      return {end->as_string(diagnostics_).value_or(""), end->location()};
    diagnostics_.error(
        node.location(),
        fmt::format("queue '{}' has no {}: the key '{}' names its stage", queue, part, key));
    mapping_.is_wiring_whole = false;
    return {"", node.location()};
  }

  void read_entries(const yaml::Node& node, QueueEntry& queue) {
    constexpr std::uint32_t kMostEntries = 1 << 20;
    queue.entries = read_count(node, 1, kMostEntries, diagnostics_);
    if ((queue.entries.value & (queue.entries.value - 1)) != 0) {
      diagnostics_.error(node.location(),
                         "the number of entries is a power of two: positions are masked, running "
                         "counts");
    }
  }

  // Receive drops where a full queue meets it; behind it a stage waits.
  [[nodiscard]] WhenFull default_when_full(const std::string& producer) const {
    for (const StageEntry& stage : mapping_.stages) {
      if (stage.name == producer && stage.role == StageRole::receive)
        return WhenFull::drop;
    }
    return WhenFull::wait;
  }

  void refuse_equal_names() {
    std::set<std::string> stages;
    for (const StageEntry& stage : mapping_.stages)
      refuse_second(stages, "stage", stage.name, stage.location);
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
