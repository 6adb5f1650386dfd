#include "experiments/exploration/point_mapping.h"

#include <fmt/format.h>

#include <numeric>

#include "experiments/exploration/queue_context.h"

namespace nplab::experiments {
namespace {

using namespace mappings;

constexpr std::uint32_t kFrameBytesInScratch = 64;  // the defaults of mapping files
constexpr std::uint32_t kFrameBytesInSram = 256;

std::vector<unsigned> contexts_from(unsigned first, unsigned count) {
  std::vector<unsigned> contexts(count);
  std::iota(contexts.begin(), contexts.end(), first);
  return contexts;
}

class Pipeline {
 public:
  Pipeline(const TaskGraph& graph, const MappingChoices& choices)
      : graph_(graph), choices_(choices), structure_(choices.structure) {}

  MappingFile mapping() {
    const std::vector<unsigned> receive = next_engines(structure_.receive_engines);
    add_stage("receive", StageRole::kReceive, receive,
              contexts_from(0, structure_.receive_threads));
    add_task_stages();
    const bool is_together = structure_.port_engines == PortEngines::kTogether;
    add_stage(
        "transmit", StageRole::kTransmit, is_together ? receive : next_engines(1),
        contexts_from(is_together ? structure_.receive_threads : 0, structure_.transmit_threads));
    add_queues();
    for (const auto& [table, memory] : choices_.tables)
      mapping_.tables[table] = {memory, {}};
    for (const auto& [parameter, value] : choices_.parameters)
      mapping_.parameters[parameter] = {value, {}};
    mapping_.optimize = choices_.optimize;
    mapping_.variables = {{isa::MemorySpace::kSram, {kFrameBytesInSram, {}}},
                          {isa::MemorySpace::kSdram, {0, {}}},
                          {isa::MemorySpace::kScratch, {kFrameBytesInScratch, {}}}};
    return std::move(mapping_);
  }

 private:
  std::vector<unsigned> next_engines(unsigned count) {
    std::vector<unsigned> engines = contexts_from(next_engine_, count);
    next_engine_ += count;
    return engines;
  }

  StageEntry& add_stage(const std::string& name, StageRole role,
                        const std::vector<unsigned>& engines,
                        const std::vector<unsigned>& contexts) {
    StageEntry stage;
    stage.name = name;
    stage.role = role;
    for (const unsigned engine : engines) {
      stage.engines.push_back({engine, {}});
      stage.contexts.push_back(contexts);
    }
    mapping_.stages.push_back(std::move(stage));
    return mapping_.stages.back();
  }

  void add_task_stages() {
    const bool is_pool = structure_.sharing == EngineSharing::kPool;
    std::vector<unsigned> pool;
    if (is_pool)
      pool = next_engines(structure_.engines.front());
    unsigned context = 0;
    std::size_t index = 0;
    for (std::size_t step = 0; step < choices_.cut.size(); ++step) {
      names_.emplace_back();
      for (const TaskSet tasks : choices_.cut[step]) {
        const unsigned threads = structure_.threads[index];
        const auto engines = is_pool ? pool : next_engines(structure_.engines[index]);
        StageEntry& stage = add_stage(fmt::format("stage{}", index + 1), StageRole::kTasks, engines,
                                      contexts_from(is_pool ? context : 0, threads));
        stage.tasks = selections_of(graph_, tasks);
        if (forks(step))
          stage.outputs = QueueChoice::kEach;
        if (joins(step))
          stage.inputs = QueueChoice::kEach;
        names_.back().push_back(stage.name);
        context += threads;
        ++index;
      }
    }
  }

  [[nodiscard]] bool forks(std::size_t step) const {
    return step + 1 < choices_.cut.size() && choices_.cut[step + 1].size() > 1;
  }
  [[nodiscard]] bool joins(std::size_t step) const {
    return step > 0 && choices_.cut[step - 1].size() > 1;
  }

  void add_queue(const std::string& name, const std::string& from, const std::string& to,
                 const QueueShape& chosen, const QueueContext& context, WhenFull full) {
    const QueueShape shape = effective_shape(chosen, context);
    QueueEntry queue;
    queue.name = name;
    queue.from = {from, {}};
    queue.to = {to, {}};
    queue.per = shape.per;
    queue.route = shape.route;
    queue.entries = {shape.entries, {}};
    queue.in_registers = shape.memory == QueueMemory::kRegisters;
    queue.memory = {queue.in_registers ? isa::MemorySpace::kScratch
                                       : static_cast<isa::MemorySpace>(shape.memory),
                    {}};
    queue.full = full;
    queue.release = {QueueRelease::kDequeue, {}};
    queue.sync = {shape.sync, {}};
    queue.primitive = {LockPrimitive::kAuto, {}};
    queue.wait = {shape.wait, {}};
    queue.order = {shape.order, {}};
    queue.poll_cycles = shape.poll_cycles;
    queue.quantum = {shape.quantum, {}};
    mapping_.queues.push_back(std::move(queue));
  }

  void add_queues() {
    const PipelineQueues queues = queues_of(choices_.cut, structure_);
    add_queue("received", "receive", names_.front().front(), choices_.received, queues.received,
              WhenFull::kDrop);
    std::size_t index = 0;
    for (std::size_t step = 0; step + 1 < names_.size(); ++step) {
      for (const std::string& from : names_[step]) {
        for (const std::string& to : names_[step + 1]) {
          const std::string name = fmt::format("queue{}", index + 1);
          add_queue(name, from, to, choices_.between, queues.between[index], WhenFull::kWait);
          ++index;
        }
      }
    }
    add_queue("classified", names_.back().front(), "transmit", choices_.classified,
              queues.classified, WhenFull::kWait);
  }

  const TaskGraph& graph_;
  const MappingChoices& choices_;
  const Structure& structure_;
  MappingFile mapping_;
  unsigned next_engine_ = 0;
  std::vector<std::vector<std::string>> names_;  // of the stages of tasks, by step
};

}  // namespace

MappingFile mapping_of(const TaskGraph& graph, const MappingChoices& choices) {
  return Pipeline(graph, choices).mapping();
}

}  // namespace nplab::experiments
