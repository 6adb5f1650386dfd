#include "experiments/run/packet_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/record/word_use.h"
#include "experiments/run/replay.h"

namespace nplab::experiments {
namespace {

using simulator::Cycle;

// Work on a packet begins before all of it is received and goes on when it is sent: buffers are
// given back.
constexpr simulator::Cycles kBefore = 4000;
constexpr simulator::Cycles kBehind = 2000;

class FateFinder final : public simulator::VerdictSink {
 public:
  explicit FateFinder(std::uint64_t packet) { fate_.packet = packet; }

  void received(const workloads::OfferedPacket& packet, unsigned port, Cycle at) override {
    if (packet.sequence != fate_.packet)
      return;
    traffic_index_ = packet.traffic_index;
    fate_.port_in = port;
    fate_.received = at;
  }
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               Cycle at) override {
    if (packet.sequence != fate_.packet)
      return;
    fate_.verdict = at;
    fate_.rule = rule;
  }
  void dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
               Cycle at) override {
    if (packet.sequence != fate_.packet)
      return;
    fate_.dropped = reason;
    fate_.left = at;
  }
  void sent(const workloads::OfferedPacket& packet, unsigned port, Cycle at) override {
    if (packet.sequence != fate_.packet)
      return;
    fate_.port_out = port;
    fate_.left = at;
  }
  [[nodiscard]] const PacketFate& fate() const { return fate_; }
  [[nodiscard]] std::size_t traffic_index() const { return traffic_index_; }

 private:
  PacketFate fate_;
  std::size_t traffic_index_ = 0;
};

std::function<bool(simulator::EngineId, std::uint32_t)> polls_of(
    const Experiment& experiment, const std::vector<CompiledProgram>& programs) {
  std::vector<std::vector<bool>> by_engine(experiment.chip.engine.engines);
  for (const CompiledProgram& program : programs) {
    // Waiting for room or a lock belongs to the work on a packet.
    for (const WordUse use : word_uses(program.image))
      by_engine.at(program.composed.engine).push_back(use == WordUse::kStarved);
  }
  return [by_engine](simulator::EngineId engine, std::uint32_t word) {
    const std::vector<bool>& words = by_engine[engine.index()];
    return word < words.size() && words[word];
  };
}

// What the reference says of the packet while rules come and go.
std::optional<RightRules> right_rules(Replay& replay, const FateFinder& finder) {
  auto* versions = replay.versions();
  const PacketFate& fate = finder.fate();
  if (versions == nullptr || !fate.verdict)
    return std::nullopt;
  const auto answer_at = [&](Cycle at) -> std::optional<std::uint32_t> {
    const auto answer = versions->answer_at(finder.traffic_index(), at.number());
    return answer ? std::optional(answer->value()) : std::nullopt;
  };
  return RightRules{answer_at(*fate.received), answer_at(*fate.verdict)};
}

std::size_t stage_of(const mappings::Placement& placement, simulator::ThreadId thread) {
  for (std::size_t i = 0; i < placement.stages.size(); ++i)
    for (const mappings::ThreadPlace& id : placement.stages[i].threads)
      if (id.engine == thread.engine.index() && id.context == thread.context.index())
        return i;
  return placement.stages.size();
}

// Between the last work of the stage before each queue and the first of the stage after it.
std::vector<TimeInQueue> waits_of(const mappings::Placement& placement,
                                  const std::vector<simulator::ThreadWork>& work) {
  std::vector<TimeInQueue> waits;
  for (const mappings::Queue& queue : placement.queues) {
    std::optional<Cycle> from, to;
    for (const simulator::ThreadWork& piece : work) {
      const std::size_t stage = stage_of(placement, piece.thread);
      if (stage == queue.from)
        from = std::max(from.value_or(piece.to), piece.to);
      if (stage == queue.to)
        to = std::min(to.value_or(piece.from), piece.from);
    }
    if (from && to && *from <= *to)
      waits.push_back({queue.name, queue.memory_text(), *from, *to});
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const TimeInQueue& x, const TimeInQueue& y) { return x.from < y.from; });
  return waits;
}

}  // namespace

std::optional<PacketStory> packet_story(const Experiment& experiment,
                                        const std::vector<CompiledProgram>& programs,
                                        std::uint64_t packet, Diagnostics& diagnostics) {
  Replay replay(experiment, programs);
  if (!simulator::check_inputs(simulation_inputs(experiment, programs), diagnostics))
    return std::nullopt;
  FateFinder finder(packet);
  const simulator::SimulationResult run = replay.run(&finder, {});
  PacketStory story;
  story.fate = finder.fate();
  story.right = right_rules(replay, finder);
  if (!story.fate.received) {
    diagnostics.error(without_lines(fmt::format("packet {}", packet)),
                      fmt::format("was not received in the run's {} cycles: packets are counted "
                                  "from 0 as they are offered, and "
                                  "the media device misses some; more by --packets",
                                  run.cycles));
    return std::nullopt;
  }
  story.is_whole = story.fate.left.has_value();
  const std::uint64_t received = story.fate.received->number();
  const Cycle end(
      std::min(story.fate.left.value_or(Cycle(run.cycles)).number() + kBehind, run.cycles));
  simulator::PacketTrace trace(polls_of(experiment, programs));
  replay.run(&finder, {&trace, Cycle(received > kBefore ? received - kBefore : 0), end});
  story.work = trace.work_on(packet);
  story.source = [&programs](simulator::EngineId engine, std::uint32_t word) {
    for (const CompiledProgram& program : programs)
      if (program.composed.engine == engine.index())
        return simulator::source_of(program.image, word);
    return std::string();
  };
  story.waits = waits_of(experiment.placement(), story.work);
  for (const simulator::ThreadWork& work : story.work) {
    const std::size_t stage = stage_of(experiment.placement(), work.thread);
    story.stages.push_back(stage < experiment.placement().stages.size()
                               ? experiment.placement().stages[stage].name
                               : "");
  }
  return story;
}

}  // namespace nplab::experiments
