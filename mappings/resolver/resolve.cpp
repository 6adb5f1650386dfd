#include "mappings/resolver/resolve.h"
#include "mappings/resolver/fork_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "mappings/files/tuning.h"
#include "mappings/resolver/memory_map.h"
#include "mappings/resolver/queue_wiring.h"
#include "mappings/resolver/stage_graph.h"
#include "mappings/resolver/task_plan.h"
#include "mappings/resolver/threads.h"

namespace nplab::mappings {
namespace {

constexpr const char* kBuffersName = "buffers";
constexpr const char* kDescriptorsName = "descriptors";
constexpr const char* kVariablesName = "variables";

class Resolver {
 public:
  Resolver(const ResolveInputs& inputs, const std::vector<TableSize>& table_sizes,
           Diagnostics& diagnostics)
      : inputs_(inputs),
        mapping_(inputs.mapping),
        manifest_(inputs.manifest),
        chip_(inputs.chip),
        table_sizes_(table_sizes),
        diagnostics_(diagnostics),
        graph_(make_stage_graph(mapping_, diagnostics)) {}

  Placement resolve() {
    check_rule_set(manifest_, inputs_.rules, diagnostics_);
    if (mapping_.egress == Egress::by_action)
      check_forward_ports(chip_, inputs_.rules, diagnostics_);
    copy_settings();
    resolve_stages();
    resolve_queues();
    resolve_memory();
    return std::move(placement_);
  }

 private:
  void copy_settings() {
    placement_.mapping = mapping_.name;
    placement_.summary = mapping_.summary;
    placement_.algorithm = manifest_.algorithm;
    placement_.algorithm_folder = manifest_.folder;
    placement_.chip = chip_.name;
    placement_.contexts = chip_.contexts;
    placement_.control_store_words = chip_.control_store_words;
    placement_.fields = inputs_.rules.fields();
    placement_.rules = inputs_.rules.size();
    placement_.parameters = resolve_parameters(manifest_, mapping_, diagnostics_);
    placement_.tasks = manifest_.tasks;
    placement_.metadata = manifest_.metadata;
    placement_.optimize = mapping_.optimize;
    placement_.egress = mapping_.egress;
    placement_.no_match = mapping_.no_match;
    for (const TuningKey& key : tuning_keys()) {
      const auto chosen = mapping_.tuning.find(key.name);
      const bool is_set = chosen != mapping_.tuning.end();
      placement_.tuning.push_back({key.name, is_set ? chosen->second.value : key.default_value,
                                   is_set ? chosen->second.reason : ""});
    }
  }

  void resolve_stages() {
    const auto threads = assign_threads(mapping_, chip_, diagnostics_);
    std::vector<std::vector<TaskCall>> calls;
    for (const StageEntry& stage : mapping_.stages) {
      calls.push_back(unfold_calls(stage, manifest_, inputs_.rules.fields().size(), diagnostics_));
    }
    calls_ = calls;
    const bool can_judge_ways =
        is_whole(graph_, mapping_);  // a missing edge would only be told over and over
    if (can_judge_ways)
      check_wiring(graph_, mapping_, diagnostics_);
    carried_.resize(mapping_.stages.size());
    if (const auto order = order_of_stages(graph_, mapping_, diagnostics_)) {
      placement_.stage_order = *order;
      if (can_judge_ways)
        check_tasks(graph_, *order, calls, inputs_, diagnostics_);
      carried_ = carried_into_stages(graph_, *order, calls, inputs_);
      if (can_judge_ways)
        forks_ = find_forks(graph_, mapping_, threads, diagnostics_);
      check_fork_tasks(forks_, mapping_, calls, diagnostics_);
    }
    for (std::size_t i = 0; i < mapping_.stages.size(); ++i)
      add_stage(i, threads[i], calls[i]);
    find_carried_leaves();
  }

  void add_stage(std::size_t index, const std::vector<ThreadId>& threads,
                 const std::vector<TaskCall>& calls) {
    const StageEntry& entry = mapping_.stages[index];
    Stage stage;
    stage.name = entry.name;
    stage.role = entry.role;
    stage.threads = threads;
    stage.calls = calls;
    stage.program = entry.program;
    stage.gives_verdict = leads_to_transmit(graph_, index, mapping_);
    std::set<unsigned> fields;
    for (const TaskCall& call : calls)
      fields.insert(call.packet_fields.begin(), call.packet_fields.end());
    stage.packet_fields.assign(fields.begin(), fields.end());
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(index, graph_))) {
      stage.inputs.push_back(graph_[edge].queue);
    }
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(index, graph_))) {
      stage.outputs.push_back(graph_[edge].queue);
    }
    std::sort(stage.outputs.begin(), stage.outputs.end());
    stage.joins = entry.inputs == QueueChoice::each;
    if (stage.joins)
      std::sort(stage.inputs.begin(), stage.inputs.end());
    placement_.stages.push_back(std::move(stage));
  }

  // A stage looks at what it is brought before it does anything: values that an earlier task may
  // have left at once with.
  void find_carried_leaves() {
    std::set<MetadataElement> decisive;
    for (const Stage& stage : placement_.stages) {
      for (const TaskCall& call : stage.calls) {
        if (call.leave_when_zero)
          decisive.insert(*call.leave_when_zero);
      }
    }
    for (std::size_t i = 0; i < placement_.stages.size(); ++i) {
      for (const MetadataElement& element : carried_[i]) {
        if (decisive.contains(element))
          placement_.stages[i].leave_when_zero.push_back(element);
      }
    }
  }

  void resolve_queues() {
    for (const QueueEntry& entry : mapping_.queues)
      placement_.queues.push_back(make_queue(entry));
    for (auto [edge, end] = boost::edges(graph_); edge != end; ++edge)
      connect(*edge);
    for (std::size_t i = 0; i < placement_.queues.size(); ++i) {
      if (placement_.queues[i].release == QueueRelease::end_of_packet)
        find_releasing_stage(i);
    }
  }

  void check_quantum(std::size_t index) {
    const Queue& queue = placement_.queues[index];
    const Located<std::uint32_t>& quantum = mapping_.queues[index].quantum;
    if (quantum.value > queue.entries) {
      diagnostics_.error(quantum.location,
                         fmt::format("queue '{}' has {} entries, fewer than a quantum of {}",
                                     queue.name, queue.entries, quantum.value));
    }
    if (queue.release == QueueRelease::end_of_packet) {
      diagnostics_.error(quantum.location,
                         fmt::format("queue '{}' gives entries back at the end of a packet; a "
                                     "quantum over 1 needs release: dequeue",
                                     queue.name));
    }
    if (placement_.stages[queue.to].role == StageRole::program) {
      diagnostics_.error(quantum.location,
                         fmt::format("stage '{}' is written by hand and takes one entry of queue "
                                     "'{}' at a time; write quantum: 1",
                                     placement_.stages[queue.to].name, queue.name));
    }
  }

  static Queue make_queue(const QueueEntry& entry) {
    Queue queue;
    queue.name = entry.name;
    queue.per = entry.per;
    queue.route = entry.route;
    queue.memory = entry.memory.value;
    queue.entries = entry.entries.value;
    queue.entry_longwords = kPacketHandleLongwords;
    queue.full = entry.full;
    queue.release = entry.release.value;
    queue.lock = entry.lock;
    queue.quantum = entry.quantum.value;
    return queue;
  }

  void connect(const StageGraph::edge_descriptor& edge) {
    Queue& queue = placement_.queues[graph_[edge].queue];
    queue.from = boost::source(edge, graph_);
    queue.to = boost::target(edge, graph_);
    queue.carried = carried_[queue.to];
    for (const Fork& fork : forks_) {
      if (fork.join == queue.to)
        queue.carried = carried_by_branch(fork, graph_[edge].queue, calls_, queue.carried);
    }
    queue.entry_longwords =
        kPacketHandleLongwords + static_cast<std::uint32_t>(queue.carried.size());
    queue.instances = wire_queue(queue.per, queue.route, placement_.stages[queue.from].threads,
                                 placement_.stages[queue.to].threads);
    if (queue.quantum > 1)
      check_quantum(graph_[edge].queue);
  }

  // The stage that gives the verdict knows when a packet's way ends. It counts up one ring, so
  // there must be one only.
  void find_releasing_stage(std::size_t index) {
    const Queue& queue = placement_.queues[index];
    const SourceLocation& at = mapping_.queues[index].release.location;
    if (placement_.stages[queue.to].role == StageRole::transmit) {
      diagnostics_.error(
          at,
          fmt::format("release: end_of_packet: queue '{}' leads to transmit, behind the verdict "
                      "that ends a packet's way; write dequeue",
                      queue.name));
      return;
    }
    if (queue.instances.size() > 1) {
      diagnostics_.error(
          at, fmt::format(
                  "release: end_of_packet needs `per: shared`: queue '{}' has {} instances, and "
                  "a packet "
                  "does not carry which it came through",
                  queue.name, queue.instances.size()));
    }
    std::size_t stage = queue.to;
    for (std::size_t steps = 0; steps < placement_.stages.size(); ++steps) {
      if (placement_.stages[stage].gives_verdict) {
        placement_.stages[stage].releases.push_back(index);
        return;
      }
      const auto& outputs = placement_.stages[stage].outputs;
      if (outputs.empty())
        break;
      stage = placement_.queues[outputs.front()].to;
    }
  }

  void resolve_memory() {
    const auto ranges =
        allocate_memory(memory_requests(), mapping_.pins, chip_.memory_bytes, diagnostics_);
    placement_.memory_map = ranges;
    for (const TableSize& size : table_sizes_) {
      const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const MemoryRange& r) {
        return r.purpose == "table " + size.table;
      });
      if (range != ranges.end())
        placement_.tables.push_back({size.table, range->space, range->base, range->bytes});
    }
    for (const MemoryRange& range : ranges) {
      if (range.purpose.starts_with("queue "))
        give_bases(range);
      if (range.name == kVariablesName)
        add_variable_areas(range);
      if (range.name == kBuffersName)
        placement_.buffers.base = range.base;
      if (range.name == kDescriptorsName)
        placement_.buffers.descriptors_base = range.base;
    }
    placement_.buffers.count = mapping_.buffers.value;
  }

  [[nodiscard]] std::vector<MemoryRequest> memory_requests() {
    std::vector<MemoryRequest> requests;
    add_table_requests(requests);
    for (std::size_t i = 0; i < placement_.queues.size(); ++i) {
      const Queue& queue = placement_.queues[i];
      const std::string arithmetic =
          fmt::format("{} rings x ({} entries x {} longwords x 4 + {})", queue.instances.size(),
                      queue.entries, queue.entry_longwords, kQueueControlBytes);
      requests.push_back({"queue " + queue.name, queue.name, queue.memory,
                          queue.instances.size() * queue.instance_bytes(), 8, arithmetic,
                          mapping_.queues[i].entries.location});
    }
    const auto& buffers = mapping_.buffers;
    requests.push_back({"buffer descriptors", kDescriptorsName, isa::MemorySpace::kSram,
                        std::uint64_t{buffers.value} * kDescriptorBytes, kDescriptorBytes,
                        fmt::format("{} x {}", buffers.value, kDescriptorBytes), buffers.location});
    requests.push_back({"packet buffers", kBuffersName, isa::MemorySpace::kSdram,
                        std::uint64_t{buffers.value} * kBufferBytes, kBufferBytes,
                        fmt::format("{} x {}", buffers.value, kBufferBytes), buffers.location});
    for (const auto& [space, bytes] : mapping_.variables) {
      if (bytes.value == 0)
        continue;
      const std::uint64_t threads = engines_in_use().size() * std::uint64_t{chip_.contexts};
      requests.push_back({"compiler's variables", kVariablesName, space, threads * bytes.value, 8,
                          fmt::format("{} threads x {}", threads, bytes.value), bytes.location});
    }
    check_request_names(requests);
    return requests;
  }

  void add_table_requests(std::vector<MemoryRequest>& requests) {
    const auto memories = resolve_table_memories(manifest_, mapping_, diagnostics_);
    for (const TableSize& size : table_sizes_) {
      assert(memories.contains(size.table) &&
             "a table builder gives the size of a table that the manifest does not "
             "declare");
      const auto chosen = mapping_.tables.find(size.table);
      requests.push_back({"table " + size.table, size.table, memories.at(size.table), size.bytes, 8,
                          size.arithmetic,
                          chosen == mapping_.tables.end() ? mapping_.algorithm.location
                                                          : chosen->second.location});
    }
  }

  // A pin names one thing.
  void check_request_names(const std::vector<MemoryRequest>& requests) {
    for (const QueueEntry& queue : mapping_.queues) {
      const auto same =
          std::find_if(requests.begin(), requests.end(), [&](const MemoryRequest& request) {
            return request.name == queue.name && !request.purpose.starts_with("queue ");
          });
      if (same == requests.end())
        continue;
      diagnostics_.error(queue.location,
                         fmt::format("queue '{}' has the name of the {}; give it another",
                                     queue.name, same->purpose));
    }
  }

  [[nodiscard]] std::set<unsigned> engines_in_use() const {
    std::set<unsigned> engines;
    for (const Stage& stage : placement_.stages) {
      for (const ThreadId thread : stage.threads)
        engines.insert(thread.engine);
    }
    return engines;
  }

  void give_bases(const MemoryRange& range) {
    for (Queue& queue : placement_.queues) {
      if (queue.name != range.name)
        continue;
      std::uint64_t base = range.base;
      for (QueueInstance& instance : queue.instances) {
        instance.base = static_cast<std::uint32_t>(base);
        base += queue.instance_bytes();
      }
    }
  }

  void add_variable_areas(const MemoryRange& range) {
    const std::uint32_t bytes = mapping_.variables.at(range.space).value;
    std::uint32_t base = range.base;
    for (const unsigned engine : engines_in_use()) {
      placement_.variables.push_back({range.space, engine, base, bytes});
      base += chip_.contexts * bytes;
    }
  }

  const ResolveInputs& inputs_;
  const MappingFile& mapping_;
  const Manifest& manifest_;
  const ChipFacts& chip_;
  const std::vector<TableSize>& table_sizes_;
  Diagnostics& diagnostics_;
  const StageGraph graph_;
  std::vector<std::vector<TaskCall>> calls_;           // of each stage
  std::vector<std::vector<MetadataElement>> carried_;  // into each stage
  std::vector<Fork> forks_;
  Placement placement_;
};

}  // namespace

std::optional<Placement> resolve(const ResolveInputs& inputs,
                                 const std::vector<TableSize>& table_sizes,
                                 Diagnostics& diagnostics) {
  Placement placement = Resolver(inputs, table_sizes, diagnostics).resolve();
  if (diagnostics.has_errors())
    return std::nullopt;
  return placement;
}

}  // namespace nplab::mappings
