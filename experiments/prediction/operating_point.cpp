#include "experiments/prediction/operating_point.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "experiments/prediction/part_names.h"
#include "experiments/prediction/unit_service.h"

namespace nplab::experiments {
namespace {

using mappings::StageRole;

constexpr unsigned kBisections = 30;
// Of an operation's three references one takes the lock, and one gives it back. A put writes its
// entry after that, when the lock and the turn are over; a get reads it before.
constexpr double kPutLockShare = 1.0 / 3, kPutTurnShare = 2.0 / 3;
constexpr double kGetLockShare = 2.0 / 3, kGetTurnShare = 1;
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
    offered_ = rates.offered * (freed_.ports ? kFreePortFactor : 1);
    double most = offered_;
    if (profile_.sent_share > 0)
      most = std::min(most,
                      rates.line_out / profile_.sent_share * (freed_.ports ? kFreePortFactor : 1));
    most = std::min(most, ix_bus_rate());
    OperatingPoint point = point_at(highest_feasible(most));
    const auto filled = filled_queues(inputs_, point, offered_);
    if (std::find(filled.begin(), filled.end(), true) == filled.end())
      return point;
    block_before(filled);
    return point_at(highest_feasible(most));
  }

 private:
  double highest_feasible(double most) {
    if (is_feasible(most))
      return most;
    double low = 0, high = most;
    for (unsigned i = 0; i < kBisections; ++i) {
      const double middle = (low + high) / 2;
      (is_feasible(middle) ? low : high) = middle;
    }
    return low;
  }

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

  void add_groups(std::size_t stage, const std::vector<EngineThreads>& threads, bool is_used) {
    const auto pause = profile_.parts.find(kPausePart);
    for (const EngineThreads& on : threads) {
      ThreadGroup group;
      group.threads = on.threads;
      group.engine = on.engine;
      group.work = freed_of(stages_[stage].work, on.engine);
      if (!freed_.polling) {
        group.look = freed_of(stages_[stage].look, on.engine);
        group.pause = stages_[stage].pause;
        if (pause != profile_.parts.end())
          group.pause_burst = freed_of(pause->second, on.engine).cycles;
      }
      add_sections(stages_[stage], on.engine, group);
      network_.groups.push_back(group);
      stage_of_group_.push_back(stage);
      is_used_.push_back(is_used);
    }
  }

  // The number of a lock: of a side of a queue, and of an engine's threads there.
  std::size_t lock_of(const QueueOperation& operation, std::optional<std::size_t> engine,
                      double copies) {
    const auto key = std::tuple(operation.queue, operation.puts, engine);
    const auto [at, is_new] = locks_.emplace(key, network_.locks.size());
    if (is_new)
      network_.locks.push_back(std::max(1.0, copies));
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
      std::optional<std::size_t> lock;
      if (side.exclusion == mappings::Exclusion::kMemoryLock) {
        lock = section.lock =
            lock_of(operation, std::nullopt, static_cast<double>(queue.instances.size()));
        const double share = operation.puts ? kPutLockShare : kGetLockShare;
        section.held = freed_of(operation.once, engine) * share;
        section.held_by_look = freed_of(operation.look, engine) * share;
        group.sections.push_back(section);
      }
      const bool in_turns = side.shares_engine && !claims &&
                            (!operation.puts || side.count == mappings::CountPlace::kMemory);
      if (in_turns) {
        section.lock = lock_of(operation, engine, 1);
        const double share = operation.puts ? kPutTurnShare : kGetTurnShare;
        section.held = freed_of(operation.once, engine) * share;
        section.held_by_look = freed_of(operation.look, engine) * share;
        section.inner = lock;
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
    network_.engines = inputs_.chip.engine.engines;
    network_.command_cycles = inputs_.chip.command_bus.cycles_per_command;
    network_.wake_up = inputs_.chip.engine.pipeline.wake_up_cycles + 1;
    for (std::size_t u = 0; u < kUnits; ++u)
      network_.units[u].turn_around = turn_around(inputs_.chip, u);
    network_.units[kSdram].same_bank_share = profile_.same_bank_share;
    network_.units[kSdram].same_bank_wait = bank_wait();
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      add_groups(s, stages_[s].threads, true);
      add_groups(s, stages_[s].unused, false);
    }
    shares_.resize(network_.groups.size());
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      double all = 0;
      for (const EngineThreads& on : stages_[stage_of_group_[g]].threads)
        all += on.threads;
      shares_[g] = is_used_[g] ? network_.groups[g].threads / all : 0;
    }
  }

  // Threads that share rings take packets as fast as they are ready for them.
  void share_by_speed() {
    std::vector<double> speed(stages_.size(), 0);
    const auto speed_of = [&](std::size_t g) {
      return is_used_[g] ? network_.groups[g].threads / solution_.groups[g].response : 0;
    };
    for (std::size_t g = 0; g < network_.groups.size(); ++g)
      speed[stage_of_group_[g]] += speed_of(g);
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const std::size_t stage = stage_of_group_[g];
      if (stages_[stage].sharing == PacketSharing::kBySpeed && speed[stage] > 0)
        shares_[g] = speed_of(g) / speed[stage];
    }
  }

  // Of receive, which drops a share of its packets.
  [[nodiscard]] Demand work_with_drops(const StageDemand& receive, double share) const {
    return at_least_zero(receive.work + drop_demand(receive, inputs_.chip) * share);
  }

  void solve_at(double finished) {
    constexpr unsigned kRounds = 3;  // of sharing by speed
    const bool receive_drops = drops();
    for (unsigned round = 0; round < kRounds; ++round) {
      for (std::size_t g = 0; g < network_.groups.size(); ++g) {
        const std::size_t stage = stage_of_group_[g];
        const bool receives = role(stage) == StageRole::kReceive;
        const double rate = receives && receive_drops ? offered_ : finished * stages_[stage].share;
        network_.groups[g].rate = rate * shares_[g];
        if (receives && receive_drops && received_ > finished)
          network_.groups[g].work = freed_of(
              work_with_drops(stages_[stage], 1 - finished / received_), network_.groups[g].engine);
      }
      solution_ = solve(network_);
      received_ = 0;
      for (std::size_t g = 0; g < network_.groups.size(); ++g) {
        if (role(stage_of_group_[g]) == StageRole::kReceive)
          received_ += solution_.groups[g].rate;
      }
      share_by_speed();
    }
  }

  bool is_feasible(double finished) {
    received_ = finished;
    solve_at(finished);
    const bool receive_drops = drops();
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const bool may_lose = role(stage_of_group_[g]) == StageRole::kReceive && receive_drops;
      if (!may_lose && !solution_.groups[g].meets(network_.groups[g]))
        return false;
    }
    return received_ >= finished * (1 - 1e-6);
  }

  // Threads before a full queue look for room, not for work.
  void block_before(const std::vector<bool>& filled) {
    if (freed_.polling)
      return;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const std::size_t stage = stage_of_group_[g];
      const auto& outputs = inputs_.placement.stages[stage].outputs;
      const bool is_blocked = std::any_of(outputs.begin(), outputs.end(), [&](std::size_t output) {
        return filled[output] && (inputs_.lossless || inputs_.placement.queues[output].full ==
                                                          mappings::WhenFull::kWait);
      });
      const StageDemand& of = stages_[stage];
      const Demand& look = is_blocked ? of.blocked_look : of.look;
      network_.groups[g].look = freed_of(look, network_.groups[g].engine);
      network_.groups[g].pause = is_blocked ? of.blocked_pause : of.pause;
      if (is_blocked)
        look_for_room(network_.groups[g]);
    }
  }

  // One reference, without a lock.
  static void look_for_room(ThreadGroup& group) {
    for (ExclusiveSection& section : group.sections)
      section.per_look = 0;
  }

  OperatingPoint point_at(double finished) {
    is_feasible(finished);
    OperatingPoint point;
    point.finished = finished;
    point.received = received_;
    point.network = solution_;
    point.stage_of_group = stage_of_group_;
    point.response.resize(stages_.size());
    point.load.resize(stages_.size());
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const std::size_t stage = stage_of_group_[g];
      const GroupSolution& of = solution_.groups[g];
      point.response[stage] += shares_[g] * of.response;
      if (is_used_[g])
        point.load[stage] =
            std::max(point.load[stage], of.rate * of.response / network_.groups[g].threads);
    }
    return point;
  }

  const AlgorithmProfile& profile_;
  const PredictionInputs& inputs_;
  const FreedResource& freed_;
  std::vector<StageDemand> stages_;
  ThreadNetwork network_;
  std::vector<std::size_t> stage_of_group_;
  std::vector<bool> is_used_;
  std::vector<double> shares_;  // of the stage's packets, by group
  std::map<std::tuple<std::size_t, bool, std::optional<std::size_t>>, std::size_t> locks_;
  double offered_ = 0;
  double received_ = 0;
  NetworkSolution solution_;
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
