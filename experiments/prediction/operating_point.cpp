#include "experiments/prediction/operating_point.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "experiments/prediction/part_names.h"
#include "experiments/prediction/unit_service.h"

namespace nplab::experiments {
namespace {

using mappings::StageRole;

// Of an operation's three references one takes the lock, and one gives it back. A put writes its
// entry after that, when the lock and the turn are over; a get reads it before.
constexpr double kPutLockShare = 1.0 / 3, kPutTurnShare = 2.0 / 3;
constexpr double kGetLockShare = 2.0 / 3, kGetTurnShare = 1;
// A look in vain, for work or for room, reads between taking the lock and giving it back.
constexpr double kLookLockShare = 2.0 / 3, kLookTurnShare = 1;
constexpr double kNegligible = 1e-3;
constexpr double kFreePortFactor = 8;  // line rate of free ports, as `--without ports` has it

class Settling {
 public:
  Settling(const AlgorithmProfile& profile, const PredictionInputs& inputs,
           const FreedResource& freed)
      : profile_(profile), inputs_(inputs), freed_(freed) {
    std::vector<bool> ports(inputs.chip.media.ports, false);
    for (const auto port : inputs.workload.ports_in)
      ports.at(port.value()) = true;
    stages_ = stage_demands(profile, inputs.placement, inputs.chip, ports);
    make_network();
  }

  OperatingPoint find() {
    const PortRates rates = port_rates(profile_, inputs_);
    PacketFlow& flow = *network_.flow;
    flow.offered = rates.offered * (freed_.ports ? kFreePortFactor : 1);
    flow.most = flow.offered;
    if (profile_.sent_share > 0)
      flow.most = std::min(
          flow.most, rates.line_out / profile_.sent_share * (freed_.ports ? kFreePortFactor : 1));
    flow.most = std::min(flow.most, ix_bus_rate());
    OperatingPoint point = settled();
    const auto filled = filled_queues(inputs_, point, flow.offered);
    if (std::find(filled.begin(), filled.end(), true) == filled.end())
      return point;
    block_before(filled);
    return settled();
  }

 private:
  // The IX bus carries each mpacket in and out.
  [[nodiscard]] double ix_bus_rate() const {
    const auto& chip = inputs_.chip;
    const double cycles = 64.0 / chip.fbi.ix_bytes_per_cycle * 2 + chip.fbi.ix_receive_overhead +
                          chip.fbi.ix_transmit_overhead;
    const double core_cycles = cycles * static_cast<double>(chip.clock.ix_bus_denominator) /
                               static_cast<double>(chip.clock.ix_bus_numerator);
    return 1 / (core_cycles * profile_.mpackets);
  }

  [[nodiscard]] StageRole role(std::size_t stage) const {
    return inputs_.placement.stages.at(stage).role;
  }

  // Receive goes on when its queue is full, and drops packets.
  [[nodiscard]] bool drops() const {
    if (inputs_.lossless)
      return false;
    for (const auto& queue : inputs_.placement.queues) {
      if (role(queue.from) == StageRole::kReceive && queue.full == mappings::WhenFull::kDrop)
        return true;
    }
    return false;
  }

  [[nodiscard]] Demand freed_of(Demand demand, std::size_t engine) const {
    if (freed_.aborts && demand.cycles > 0) {
      const double kept = (demand.cycles - demand.aborted) / demand.cycles;
      demand.cycles -= demand.aborted;
      demand.burst_squares *= kept * kept;
    }
    if (freed_.engines.contains(engine))
      demand.cycles = demand.dispatches = demand.burst_squares = 0;
    if (freed_.unit) {
      // They take as long as in an idle unit.
      demand.units[*freed_.unit].bus_cycles = 0;
    }
    return demand;
  }

  // Threads of the stages on one engine, used or not: engines where these are alike are one.
  struct EngineLoad {
    std::vector<double> used, unused;  // threads by stage
    bool is_freed = false;
    friend auto operator<=>(const EngineLoad&, const EngineLoad&) = default;
  };
  [[nodiscard]] std::map<EngineLoad, std::vector<std::size_t>> engine_classes() const {
    const std::vector<double> none(stages_.size(), 0);
    std::vector<EngineLoad> loads(inputs_.chip.engine.engines, {none, none, false});
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      for (const EngineThreads& on : stages_[s].threads)
        loads.at(on.engine).used[s] = on.threads;
      for (const EngineThreads& on : stages_[s].unused)
        loads.at(on.engine).unused[s] = on.threads;
    }
    std::map<EngineLoad, std::vector<std::size_t>> classes;
    for (std::size_t engine = 0; engine < loads.size(); ++engine) {
      loads[engine].is_freed = freed_.engines.contains(engine);
      if (loads[engine].used != none || loads[engine].unused != none)
        classes[loads[engine]].push_back(engine);
    }
    return classes;
  }

  void add_class(const EngineLoad& load, const std::vector<std::size_t>& engines) {
    for (const std::size_t engine : engines)
      class_of_engine_[engine] = network_.engines;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      if (load.used[s] > 0) {
        network_.flow->stages[s].groups.push_back(network_.groups.size());
        add_group(s, load.used[s], engines);
      }
      if (load.unused[s] > 0)
        add_group(s, load.unused[s], engines);
    }
    ++network_.engines;
  }

  void add_group(std::size_t stage, double threads, const std::vector<std::size_t>& engines) {
    const auto pause = profile_.parts.find(kPausePart);
    const auto spin = profile_.parts.find(kSpinPart);
    const std::size_t engine = engines.front();
    ThreadGroup group;
    group.threads = threads;
    group.copies = static_cast<double>(engines.size());
    group.engine = network_.engines;
    group.work = freed_of(stages_[stage].work, engine);
    if (!freed_.polling) {
      group.look = freed_of(stages_[stage].look, engine);
      group.pause = stages_[stage].pause;
      if (pause != profile_.parts.end())
        group.pause_burst = freed_of(pause->second, engine).cycles;
      if (spin != profile_.parts.end())
        group.spin_burst = freed_of(spin->second, engine).cycles;
    }
    add_sections(stages_[stage], engine, group);
    network_.groups.push_back(group);
    stage_of_group_.push_back(stage);
  }

  // The number of a lock: of a side of a queue, and of an engine's threads there.
  std::size_t lock_of(const QueueOperation& operation, std::optional<std::size_t> engine,
                      double copies) {
    const auto key = std::tuple(operation.queue, operation.puts, engine);
    const auto [at, is_new] = locks_.emplace(key, network_.locks.size());
    if (is_new)
      network_.locks.push_back({std::max(1.0, copies), engine.has_value()});
    return at->second;
  }

  // What threads wait for before they take from a queue or put into it: threads of their engine
  // have turns, those of several engines a lock in memory.
  void add_sections(const StageDemand& stage, std::size_t engine, ThreadGroup& group) {
    for (const QueueOperation& operation : stage.operations) {
      const mappings::Queue& queue = inputs_.placement.queues.at(operation.queue);
      const auto& protocol = queue.protocol;
      const auto& side = operation.puts ? protocol.producers : protocol.consumers;
      const bool claims = !operation.puts && protocol.taking == mappings::Taking::kClaims;
      ExclusiveSection section;
      section.per_packet = operation.per_packet;
      section.per_look = operation.puts ? 0 : 1;
      section.puts = operation.puts;
      std::optional<std::size_t> lock;
      if (side.exclusion == mappings::Exclusion::kMemoryLock) {
        lock = section.lock =
            lock_of(operation, std::nullopt, static_cast<double>(queue.instances.size()));
        const double share = operation.puts ? kPutLockShare : kGetLockShare;
        section.held = freed_of(operation.once, engine) * share;
        section.held_by_look = freed_of(operation.look, engine) * kLookLockShare;
        group.sections.push_back(section);
      }
      const bool in_turns = side.shares_engine && !claims &&
                            (!operation.puts || side.count == mappings::CountPlace::kMemory);
      if (in_turns) {
        section.lock = lock_of(operation, network_.engines, 1);
        const double share = operation.puts ? kPutTurnShare : kGetTurnShare;
        section.held = freed_of(operation.once, engine) * share;
        section.held_by_look = freed_of(operation.look, engine) * kLookTurnShare;
        section.inner = lock;
        section.spins = true;
        group.sections.push_back(section);
      }
    }
  }

  // Of a reference of mean length.
  [[nodiscard]] double bank_wait() const {
    UnitDemand sum;
    for (const StageDemand& stage : stages_) {
      sum.references += stage.work.units[kSdram].references;
      sum.bus_cycles += stage.work.units[kSdram].bus_cycles;
    }
    return sum.references > 0 ? same_bank_wait(inputs_.chip.sdram, sum.bus_cycles / sum.references)
                              : 0;
  }

  void make_network() {
    network_.command_cycles = inputs_.chip.command_bus.cycles_per_command;
    network_.wake_up = inputs_.chip.engine.pipeline.wake_up_cycles + 1;
    for (std::size_t u = 0; u < kUnits; ++u)
      network_.units[u].turn_around = turn_around(inputs_.chip, u);
    network_.units[kSdram].same_bank_share = profile_.same_bank_share;
    network_.units[kSdram].same_bank_wait = bank_wait();
    network_.flow.emplace();
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      FlowStage stage;
      stage.share = stages_[s].share;
      stage.by_speed = stages_[s].sharing == PacketSharing::kBySpeed;
      stage.brings = role(s) == StageRole::kReceive;
      stage.drops = stage.brings && drops();
      if (stage.drops)
        stage.dropped = drop_demand(stages_[s], inputs_.chip);
      network_.flow->stages.push_back(stage);
    }
    class_of_engine_.resize(inputs_.chip.engine.engines);
    for (const auto& [load, engines] : engine_classes())
      add_class(load, engines);
  }

  // Threads before a full queue look for room, not for work.
  [[nodiscard]] std::size_t first_engine(std::size_t engine_class) const {
    return static_cast<std::size_t>(
        std::find(class_of_engine_.begin(), class_of_engine_.end(), engine_class) -
        class_of_engine_.begin());
  }

  void block_before(const std::vector<bool>& filled) {
    if (freed_.polling)
      return;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const std::size_t stage = stage_of_group_[g];
      const std::size_t engine = first_engine(network_.groups[g].engine);
      const auto& outputs = inputs_.placement.stages[stage].outputs;
      const bool is_blocked = std::any_of(outputs.begin(), outputs.end(), [&](std::size_t output) {
        return filled[output] && (inputs_.lossless || inputs_.placement.queues[output].full ==
                                                          mappings::WhenFull::kWait);
      });
      const StageDemand& of = stages_[stage];
      const Demand& look = is_blocked ? of.blocked_look : of.look;
      network_.groups[g].look = freed_of(look, engine);
      network_.groups[g].pause = is_blocked ? of.blocked_pause : of.pause;
      if (is_blocked)
        look_for_room(network_.groups[g]);
    }
  }

  static void look_for_room(ThreadGroup& group) {
    for (ExclusiveSection& section : group.sections)
      section.per_look = section.puts ? 1 : 0;
  }

  OperatingPoint settled() const {
    OperatingPoint point;
    point.network = solve(network_);
    point.finished = point.network.finished;
    point.received = point.network.received;
    point.stage_of_group = stage_of_group_;
    point.class_of_engine = class_of_engine_;
    point.response.resize(stages_.size());
    point.taking.resize(stages_.size());
    point.load.resize(stages_.size());
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      point.work.push_back(stages_[s].work);
      double packets = 0;
      for (const std::size_t g : network_.flow->stages[s].groups) {
        const ThreadGroup& group = network_.groups[g];
        const GroupSolution& of = point.network.groups[g];
        packets += group.copies * of.rate;
        point.response[s] += group.copies * of.rate * of.response;
        point.taking[s] += group.copies * of.rate * of.taking;
        point.load[s] = std::max(point.load[s], of.rate * of.response / group.threads);
      }
      packets = std::max(packets, std::numeric_limits<double>::min());
      point.response[s] /= packets;
      point.taking[s] /= packets;
    }
    return point;
  }

  const AlgorithmProfile& profile_;
  const PredictionInputs& inputs_;
  const FreedResource& freed_;
  std::vector<StageDemand> stages_;
  ThreadNetwork network_;
  std::vector<std::size_t> stage_of_group_;
  std::vector<std::size_t> class_of_engine_;
  std::map<std::tuple<std::size_t, bool, std::optional<std::size_t>>, std::size_t> locks_;
};

}  // namespace

PortRates port_rates(const AlgorithmProfile& profile, const PredictionInputs& inputs) {
  const auto& media = inputs.chip.media;
  const auto& workload = inputs.workload;
  const double bits =
      8 * (profile.frame_bytes + workload.slot.gap_bytes + workload.slot.preamble_bytes);
  const double line = static_cast<double>(media.port_bits_per_second) /
                      static_cast<double>(inputs.chip.clock.core_hz) / bits;
  const double ports = static_cast<double>(workload.ports_in.size());
  double share = 1;
  if (workload.arrival.process != workloads::Arrival::Process::kWire)
    share = std::min(1.0, workload.arrival.rate_mbps / workloads::kLineRateMbps);
  // By action packets may leave by any port; otherwise by those that they came in through.
  const double ports_out = inputs.placement.egress == mappings::Egress::kSamePort
                               ? ports
                               : static_cast<double>(media.ports);
  return {line * ports * share, line * ports, line * ports_out};
}

std::vector<bool> filled_queues(const PredictionInputs& inputs, const OperatingPoint& point,
                                double offered) {
  const mappings::Placement& placement = inputs.placement;
  std::vector<bool> filled(placement.queues.size(), false);
  if (point.finished >= offered * (1 - kNegligible))
    return filled;
  for (auto at = placement.stage_order.rbegin(); at != placement.stage_order.rend(); ++at) {
    const mappings::Stage& stage = placement.stages[*at];
    bool is_full = point.load[*at] >= kFullLoad;
    for (const std::size_t output : stage.outputs)
      is_full = is_full || (filled[output] && (inputs.lossless || placement.queues[output].full ==
                                                                      mappings::WhenFull::kWait));
    if (!is_full || stage.role == StageRole::kReceive)
      continue;
    for (const std::size_t input : stage.inputs)
      filled[input] = true;
  }
  return filled;
}

OperatingPoint find_operating_point(const AlgorithmProfile& profile, const PredictionInputs& inputs,
                                    const FreedResource& freed) {
  return Settling(profile, inputs, freed).find();
}

}  // namespace nplab::experiments
