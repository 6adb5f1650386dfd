#include "mappings/resolver/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/dot_graph.h"

namespace nplab::mappings {
const char* role_name(StageRole role) {
  switch (role) {
    case StageRole::kReceive: return "receive";
    case StageRole::kTasks: return "tasks";
    case StageRole::kTransmit: return "transmit";
    case StageRole::kProgram: return "program";
  }
  return "";
}

namespace {

template <typename T>
std::string joined(const std::vector<T>& items, const char* separator = " ") {
  std::vector<std::string> words;
  for (const T& item : items)
    words.push_back(to_string(item));
  return fmt::format("{}", fmt::join(words, separator));
}

// `engine 0: 0-3; engine 1: 0-3`.
std::string describe_threads(const std::vector<ThreadPlace>& threads) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end].engine == threads[i].engine &&
           threads[end].context == threads[end - 1].context + 1) {
      ++end;
    }
    const unsigned last = threads[end - 1].context;
    parts.push_back(end == i + 1
                        ? fmt::format("{}.{}", threads[i].engine, last)
                        : fmt::format("{}.{}-{}", threads[i].engine, threads[i].context, last));
    i = end;
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string describe_fields(const Placement& placement, const Stage& stage) {
  std::vector<std::string> names;
  for (const unsigned d : stage.packet_fields)
    names.push_back(placement.fields[d].name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " "));
}

void add_stages(const Placement& placement, std::string& text) {
  text += "\nstages (threads as engine.context)\n";
  for (const std::size_t index : placement.stage_order) {
    const Stage& stage = placement.stages[index];
    text += fmt::format("  {:<14} {:<9} threads {}\n", stage.name, role_name(stage.role),
                        describe_threads(stage.threads));
    if (stage.role == StageRole::kProgram)
      text += fmt::format("  {:<14} program {}\n", "", stage.program);
    if (stage.role != StageRole::kTasks)
      continue;
    text += fmt::format("  {:<14} runs {}; packet fields {}{}\n", "",
                        stage.calls.empty() ? "nothing" : joined(stage.calls),
                        describe_fields(placement, stage),
                        stage.gives_verdict ? "; gives the verdict" : "");
    if (stage.outputs.size() > 1) {
      text += fmt::format("  {:<14} hands every packet to each of its {} queues\n", "",
                          stage.outputs.size());
    }
    if (stage.joins) {
      text += fmt::format("  {:<14} takes a packet from each of its {} queues\n", "",
                          stage.inputs.size());
    }
    if (!stage.releases.empty()) {
      std::vector<std::string> names;
      for (const std::size_t queue : stage.releases)
        names.push_back(placement.queues[queue].name);
      text += fmt::format("  {:<14} gives back entries of {}\n", "", fmt::join(names, " "));
    }
  }
}

const char* name_of(RingShape shape) {
  switch (shape) {
    case RingShape::kLapBit: return "lap bit in the entry";
    case RingShape::kEntryFlag: return "flag in the entry";
    case RingShape::kRegisters: return "entries and counts in registers of the engine";
    case RingShape::kSequence: return "lap bit in the slot of the packet's number";
    case RingShape::kCounters: break;
  }
  return "counters in memory";
}

std::string describe_side(const QueueSide& side, const QueueProtocol& protocol, Taking taking) {
  std::string text = "none (one thread)";
  if (side.exclusion == Exclusion::kEngine)
    text = taking == Taking::kClaims ? "engine (each thread claims an entry of its own)"
                                     : "engine (threads of one engine)";
  if (side.exclusion == Exclusion::kMemoryLock)
    text =
        fmt::format("memory lock (threads of several engines) by {}", name_of(protocol.primitive));
  switch (side.count) {
    case CountPlace::kThread: return text + ", count in a register of the thread";
    case CountPlace::kEngine: return text + ", count in a register of the engine";
    case CountPlace::kMemory: break;
  }
  return text + ", count in memory";
}

void add_protocol(const Queue& queue, std::string& text) {
  const QueueProtocol& protocol = queue.protocol;
  text += fmt::format("  {:<14} hand-over: {}, {}\n", "", name_of(protocol.shape), protocol.reason);
  const bool is_numbered = protocol.shape == RingShape::kSequence;
  text += fmt::format("  {:<14} sync of producers: {}\n", "",
                      is_numbered ? "none (each packet has a slot of its own); receive counts the "
                                    "packets of its port and looks for room"
                                  : describe_side(protocol.producers, protocol, Taking::kTurns));
  text += fmt::format("  {:<14} sync of consumers: {}\n", "",
                      describe_side(protocol.consumers, protocol, protocol.taking));
  const HandOverCost cost =
      hand_over_cost(protocol, queue.entries, queue.entry_longwords, queue.release);
  text += fmt::format("  {:<14} references per hand-over: put {:.2f} + get {:.2f}", "", cost.put,
                      cost.get);
  if (cost.release > 0)
    text += fmt::format(" + release {:.2f}", cost.release);
  text += fmt::format(" = {:.2f}\n", cost.put + cost.get + cost.release);
}

void add_queues(const Placement& placement, std::string& text) {
  text += "\nqueues\n";
  for (const Queue& queue : placement.queues) {
    text +=
        fmt::format("  {:<14} {} -> {}: {} ring{} of {} entries of {} longwords in {}\n",
                    queue.name, placement.stages[queue.from].name, placement.stages[queue.to].name,
                    queue.instances.size(), queue.instances.size() == 1 ? "" : "s", queue.entries,
                    queue.entry_longwords, queue.memory_text());
    text += fmt::format("  {:<14} carries {}; full: {}; release: {}; wait: {}\n", "",
                        queue.carried.empty() ? "nothing" : joined(queue.carried),
                        queue.full == WhenFull::kDrop ? "drop" : "wait",
                        queue.release == QueueRelease::kDequeue ? "dequeue" : "end_of_packet",
                        queue.wait == QueueWait::kPoll ? "poll" : "signal");
    if (queue.protocol.shape == RingShape::kSequence)
      text += fmt::format("  {:<14} order: port; a ring for each port\n", "");
    add_protocol(queue, text);
    if (queue.quantum > 1)
      text += fmt::format("  {:<14} taken up to {} entries at a time\n", "", queue.quantum);
  }
}

void add_units(const Placement& placement, std::string& text) {
  if (placement.units.empty())
    return;
  text += "\nunits of the chip beside the engines\n";
  for (const PlacedUnit& unit : placement.units)
    text += fmt::format("  {:<14} {}\n", unit.name, unit.unit);
}

void add_memory_map(const Placement& placement, std::string& text) {
  text += fmt::format("\nmemory map\n  {:<28} {:<8} {:>10} {:>12}\n", "purpose", "memory", "base",
                      "bytes");
  for (const MemoryRange& range : placement.memory_map) {
    text += fmt::format("  {:<28} {:<8} {:>#10x} {:>12}\n", to_string(range.use),
                        memory_name(range.space), range.base, range.bytes);
  }
}

// Where the compiler puts frames and global variables of each engine's program.
void add_variables(const Placement& placement, std::string& text) {
  if (placement.variables.empty())
    return;
  text += "\nvariables (frames and globals of an engine's program)\n";
  for (const VariableArea& area : placement.variables) {
    text +=
        fmt::format("  engine {:<2} {:<8} {:>#10x} {:>12} = {} threads x {}\n", area.engine,
                    memory_name(area.space), area.base, placement.contexts * area.bytes_per_thread,
                    placement.contexts, area.bytes_per_thread);
  }
}

std::string node_label(const Stage& stage) {
  std::string label = fmt::format("{}\n{}", stage.name, describe_threads(stage.threads));
  if (!stage.calls.empty())
    label += "\n" + joined(stage.calls);
  return label;
}

std::string edge_label(const Queue& queue) {
  std::string label = fmt::format("{}\n{} x {} in {}", queue.name, queue.instances.size(),
                                  queue.entries, queue.memory_text());
  if (!queue.carried.empty())
    label += "\n" + joined(queue.carried);
  return label;
}

}  // namespace

std::string show_text(const Placement& placement) {
  std::string text = fmt::format("mapping {}: {}\nalgorithm {} on {}; {} rules in {} dimensions\n",
                                 placement.mapping, placement.summary, placement.algorithm,
                                 placement.chip, placement.rules, placement.fields.size());
  text += fmt::format("optimize {}; egress {}; no match {}\n",
                      optimize_words()[static_cast<std::size_t>(placement.optimize)],
                      placement.egress == Egress::kSamePort ? "same_port" : "by_action",
                      placement.no_match == NoMatch::kDrop ? "drop" : "allow");
  for (const auto& [name, value] : placement.parameters)
    text += fmt::format("parameter {} = {}\n", name, value);
  for (const TuningValue& tuning : placement.tuning) {
    text += fmt::format("tuning {} = {}{}\n", tuning.name, tuning.value,
                        tuning.reason.empty() ? "" : " (" + tuning.reason + ")");
  }
  add_stages(placement, text);
  add_queues(placement, text);
  add_units(placement, text);
  add_memory_map(placement, text);
  add_variables(placement, text);
  return text;
}

std::string show_dot(const Placement& placement) {
  DotGraph graph(placement.mapping);
  graph.set("rankdir", "LR");
  graph.set("label", placement.mapping + ": " + placement.summary);
  graph.set_nodes({{"shape", "box"}});
  for (const Stage& stage : placement.stages)
    graph.add_node(stage.name, {{"label", node_label(stage)}});
  for (const PlacedUnit& unit : placement.units) {
    graph.add_node(unit.name, {{"label", unit.name + "\nunit " + unit.unit}, {"peripheries", "2"}});
    for (const Stage& stage : placement.stages)
      if (stage.role == StageRole::kTasks)
        graph.add_edge(stage.name, unit.name, {{"style", "dashed"}, {"dir", "both"}});
  }
  for (const Queue& queue : placement.queues) {
    graph.add_edge(placement.stages[queue.from].name, placement.stages[queue.to].name,
                   {{"label", edge_label(queue)}});
  }
  return graph.text();
}

}  // namespace nplab::mappings
