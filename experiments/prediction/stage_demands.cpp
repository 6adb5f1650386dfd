#include "experiments/prediction/stage_demands.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/prediction/part_names.h"
#include "experiments/prediction/unit_service.h"

namespace nplab::experiments {
namespace {

using namespace mappings;

// What the library's queue code takes of the engine, in cycles, in profiles of mappings with these
// queues (docs/prediction.md): one more reference, a side whose threads have turns, and one that
// chooses among several rings.
constexpr double kCyclesPerReference = 4;
constexpr double kTurnCycles = 12, kLookTurnCycles = 7;
constexpr double kGetRingCycles = 12, kPutRingCycles = 4;
// The branch for an entry in registers; and what receive does to count a packet and free its
// buffer.
constexpr double kRegisterEntryCycles = 12, kDropCycles = 12;

// Moves what was measured in one memory to another.
Demand in_memory(Demand demand, const simulator::ChipDescription& chip, std::size_t from,
                 std::size_t to) {
  if (from == to)
    return demand;
  const double count = demand.units[from].references;
  const double faster = free_latency(chip, from) - free_latency(chip, to);
  demand.delay = std::max(0.0, demand.delay - count * faster);
  UnitDemand moved = demand.units[from];
  const UnitDemand one = references(chip, to, 1).units[to];
  moved.bus_cycles = std::max(moved.references * one.bus_cycles, 0.0);
  demand.units[from] = {};
  demand.units[to].references += moved.references;
  demand.units[to].joined += moved.joined;
  demand.units[to].bus_cycles += moved.bus_cycles;
  demand.units[to].writes += moved.writes;
  return demand;
}

class StageDemands {
 public:
  StageDemands(const AlgorithmProfile& profile, const Placement& placement,
               const simulator::ChipDescription& chip)
      : profile_(profile), placement_(placement), chip_(chip) {}

  [[nodiscard]] StageDemand of(std::size_t index, const std::vector<bool>& ports_in) const {
    const Stage& stage = placement_.stages.at(index);
    StageDemand demand;
    demand.stage = index;
    demand.work = work_of(stage);
    demand.operations = operations_of(stage);
    for (const QueueOperation& operation : demand.operations)
      demand.work += operation.once * operation.per_packet;
    const auto whole = profile_.parts.find(part_of_stage(placement_, index));
    if (whole != profile_.parts.end())
      demand.work = whole->second + unprinted_work(stage);
    demand.share = stage.role == StageRole::kTransmit ? profile_.sent_share : 1;
    place_threads(stage, ports_in, demand);
    if (stage.role == StageRole::kReceive) {
      demand.look = part(look_of(kReceivePart));
    } else {
      take_looks(stage, demand);
    }
    for (const QueueOperation& operation : demand.operations) {
      if (!operation.puts)
        continue;
      const Queue& queue = placement_.queues.at(operation.queue);
      demand.blocked_look += operation.look * share_of(stage.outputs);
      demand.blocked_pause = std::max<double>(demand.blocked_pause, queue.poll_cycles);
    }
    return demand;
  }

 private:
  [[nodiscard]] Demand part(const std::string& name) const {
    const auto found = profile_.parts.find(name);
    return found == profile_.parts.end() ? Demand{} : found->second;
  }

  // That the mapping's tuning adds; stages of tasks share it.
  [[nodiscard]] Demand unprinted_work(const Stage& stage) const {
    const Demand work = part(part_of_work(stage));
    return stage.role == StageRole::kTasks
               ? work * (profile_.tasks_stages / tasks_stages(placement_))
               : work;
  }
  [[nodiscard]] Demand work_of(const Stage& stage) const {
    const Demand work = unprinted_work(stage);
    switch (stage.role) {
      case StageRole::kReceive: return work + part(kReceivePart);
      case StageRole::kTransmit: return work + part(kTransmitPart);
      default: return work + tasks_of(stage);
    }
  }
  [[nodiscard]] std::vector<QueueOperation> operations_of(const Stage& stage) const {
    std::vector<QueueOperation> operations;
    for (const std::size_t input : stage.inputs) {
      const Queue& queue = placement_.queues.at(input);
      const double times = stage.joins ? 1.0 : share_of(stage.inputs);
      operations.push_back({input, false, times, get(queue), look_at(queue)});
    }
    const double passing = stage.gives_verdict ? profile_.sent_share : 1;
    for (const std::size_t output : stage.outputs) {
      const Queue& queue = placement_.queues.at(output);
      operations.push_back({output, true, passing, put(queue), look_for_room(queue)});
    }
    return operations;
  }
  // Of a packet that comes through one of several queues.
  static double share_of(const std::vector<std::size_t>& queues) {
    return 1 / static_cast<double>(queues.size());
  }
  [[nodiscard]] Demand tasks_of(const Stage& stage) const {
    Demand work = part(part_of_steps(stage));
    if (!stage.packet_fields.empty())
      work += part(part_of_key(0));
    for (const unsigned dimension : stage.packet_fields)
      work += part(part_of_key(dimension + 1));
    for (const TaskCall& call : stage.calls)
      work += part(part_of_call(call));
    return work;
  }

  [[nodiscard]] Demand put(const Queue& queue) const {
    return operation(queue, part_of_put(queue), "put ", references_of_put(queue),
                     code_of(queue.protocol.producers, kPutRingCycles));
  }
  [[nodiscard]] Demand get(const Queue& queue) const {
    return operation(queue, part_of_get(queue), "get ", references_of_get(queue),
                     code_of(queue.protocol.consumers, kGetRingCycles));
  }

  // What the code of a queue's side does beside references, in cycles that it takes.
  struct SideCode {
    double turns = 0, rings = 0;
    [[nodiscard]] double cycles() const { return turns + rings; }
  };
  static SideCode code_of(const QueueSide& side, double ring_cycles,
                          double turn_cycles = kTurnCycles) {
    return {side.shares_engine ? turn_cycles : 0, side.rings > 1 ? ring_cycles : 0};
  }
  // Of a part by its name (part_names.h).
  static SideCode code_of(const std::string& part, double ring_cycles,
                          double turn_cycles = kTurnCycles) {
    return {part.find("+turns") != std::string::npos ? turn_cycles : 0,
            part.find("+rings") != std::string::npos ? ring_cycles : 0};
  }
  static Demand engine_cycles(double cycles) {
    Demand demand;
    demand.cycles = cycles;
    return demand;
  }

  // As it was measured, or the measured one with the most similar number of references and the most
  // similar code, and what it lacks.
  [[nodiscard]] Demand operation(const Queue& queue, const std::string& name,
                                 const std::string& kind, double wanted, SideCode code) const {
    const auto found = profile_.parts.find(name);
    if (found != profile_.parts.end())
      return found->second;
    if (queue.in_registers())
      return register_operation();
    const std::size_t unit = unit_of_memory(queue.memory);
    const Demand* nearest = nullptr;
    std::size_t nearest_unit = unit;
    double distance = INFINITY, nearest_references = 0, code_missing = 0;
    const double ring_cycles = kind == "put " ? kPutRingCycles : kGetRingCycles;
    for (const auto& [other, demand] : profile_.parts) {
      if (!other.starts_with(kind))
        continue;
      const std::size_t in = main_unit(demand);
      const SideCode has = code_of(other, ring_cycles);
      const double away = std::abs(references_of(other) - wanted) + (in == unit ? 0.0 : 0.5) +
                          (has.turns == code.turns ? 0.0 : 0.25) +
                          (has.rings == code.rings ? 0.0 : 0.25);
      if (away < distance) {
        distance = away;
        nearest = &demand;
        nearest_unit = in;
        nearest_references = references_of(other);
        code_missing = code.cycles() - has.cycles();
      }
    }
    if (nearest == nullptr)
      return references(chip_, unit, wanted) + engine_cycles(code.cycles());
    const double missing = wanted - nearest_references;
    return at_least_zero(in_memory(*nearest, chip_, nearest_unit, unit) +
                         references(chip_, unit, missing) + engine_cycles(code_missing));
  }
  static std::size_t main_unit(const Demand& demand) {
    std::size_t most = kSram;
    for (std::size_t unit = 0; unit < kUnits; ++unit) {
      if (demand.units[unit].references > demand.units[most].references)
        most = unit;
    }
    return most;
  }
  // A branch for each entry, and no reference.
  static Demand register_operation() {
    Demand demand;
    demand.cycles = 2 * kRegisterEntryCycles;
    demand.aborted = 4;
    return demand;
  }

  // It yields, since it waits for nothing.
  static Demand register_look() {
    Demand demand = engine_cycles(kRegisterEntryCycles);
    demand.dispatches = 1;
    demand.burst_squares = kRegisterEntryCycles * kRegisterEntryCycles;
    return demand;
  }

  void take_looks(const Stage& stage, StageDemand& demand) const {
    for (const std::size_t input : stage.inputs) {
      const Queue& queue = placement_.queues.at(input);
      if (queue.wait == QueueWait::kSignal)
        continue;
      demand.look += look_at(queue) * (stage.joins ? share_of(stage.inputs) : 1.0);
      demand.pause = std::max<double>(demand.pause, queue.poll_cycles);
    }
  }
  [[nodiscard]] Demand look_at(const Queue& queue) const {
    const auto found = profile_.parts.find(look_of(code_of_get(queue)));
    return found == profile_.parts.end() ? look_like(queue) : found->second;
  }
  // A look at a queue that the profiled run did not have, or never found empty: of its references
  // one reads, and with a lock in memory one takes it and one gives it back.
  [[nodiscard]] Demand look_like(const Queue& queue) const {
    const std::size_t unit = unit_of_memory(queue.memory);
    if (queue.in_registers())
      return register_look();
    const QueueSide& side = queue.protocol.consumers;
    const double wanted = side.exclusion == Exclusion::kMemoryLock ? 3 : 1;
    const SideCode code = code_of(side, kGetRingCycles, kLookTurnCycles);
    const Demand* nearest = nullptr;
    SideCode has;
    for (const auto& [name, demand] : profile_.parts) {
      const double references = demand.units[main_unit(demand)].references;
      if (!name.starts_with(look_of("get ")) || references <= 0)
        continue;
      if (nearest == nullptr ||
          std::abs(references - wanted) <
              std::abs(nearest->units[main_unit(*nearest)].references - wanted)) {
        nearest = &demand;
        has = code_of(name, kGetRingCycles, kLookTurnCycles);
      }
    }
    if (nearest == nullptr)
      return references(chip_, unit, wanted) * 2 + engine_cycles(code.cycles());
    const std::size_t in = main_unit(*nearest);
    const double missing = wanted - nearest->units[in].references;
    return at_least_zero(in_memory(*nearest, chip_, in, unit) + references(chip_, unit, missing) +
                         engine_cycles(code.cycles() - has.cycles()));
  }

  // One reference says that there is no room; with a lock another takes it, and one gives it back.
  // What the profile does not have is like another put's look, with as many references.
  [[nodiscard]] Demand look_for_room(const Queue& queue) const {
    const auto found = profile_.parts.find(look_of(code_of_put(queue)));
    if (found != profile_.parts.end())
      return found->second;
    const std::size_t unit = unit_of_memory(queue.memory);
    const bool is_locked = queue.protocol.producers.exclusion == Exclusion::kMemoryLock;
    const double wanted = is_locked ? 3 : 1;
    const SideCode code = code_of(queue.protocol.producers, kPutRingCycles, kLookTurnCycles);
    for (const auto& [name, demand] : profile_.parts) {
      const double has = demand.units[main_unit(demand)].references;
      if (!name.starts_with(look_of("put ")) || std::abs(has - wanted) >= 0.5)
        continue;
      const SideCode of = code_of(name, kPutRingCycles, kLookTurnCycles);
      return at_least_zero(in_memory(demand, chip_, main_unit(demand), unit) +
                           engine_cycles(code.cycles() - of.cycles()));
    }
    return references(chip_, unit, wanted) + engine_cycles(code.cycles());
  }

  void place_threads(const Stage& stage, const std::vector<bool>& ports_in,
                     StageDemand& demand) const {
    std::map<std::size_t, double> threads, unused;
    std::size_t rank = 0;
    for (const ThreadPlace place : stage.threads) {
      // Each thread of receive has the port of its rank.
      const bool is_used =
          stage.role != StageRole::kReceive || (rank < ports_in.size() && ports_in[rank]);
      ++(is_used ? threads : unused)[place.engine];
      ++rank;
    }
    for (const auto& [engine, count] : threads)
      demand.threads.push_back({engine, count});
    for (const auto& [engine, count] : unused)
      demand.unused.push_back({engine, count});
    demand.sharing = PacketSharing::kEqual;
    for (const std::size_t input : stage.inputs) {
      if (placement_.queues.at(input).per == QueuePer::kShared)
        demand.sharing = PacketSharing::kBySpeed;
    }
  }

  const AlgorithmProfile& profile_;
  const Placement& placement_;
  const simulator::ChipDescription& chip_;
};

}  // namespace

std::size_t unit_of_memory(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return kSram;
    case isa::MemorySpace::kSdram: return kSdram;
    default: return kScratch;
  }
}

Demand references(const simulator::ChipDescription& chip, std::size_t unit, double count) {
  Demand demand;
  demand.cycles = kCyclesPerReference * count;
  demand.aborted = count;
  demand.dispatches = count;
  demand.burst_squares = kCyclesPerReference * kCyclesPerReference * count;
  demand.delay = free_latency(chip, unit) * count;
  const auto read = unit == kSram    ? isa::Operation::kSramRead
                    : unit == kSdram ? isa::Operation::kSdramRead
                                     : isa::Operation::kScratchRead;
  const UnitDemand service = service_of(chip, read, unit == kSdram ? 2 : 1);
  demand.units[unit] = {count, service.bus_cycles * count, count / 2};
  return demand;
}

std::vector<StageDemand> stage_demands(const AlgorithmProfile& profile, const Placement& placement,
                                       const simulator::ChipDescription& chip,
                                       const std::vector<bool>& ports_in) {
  const StageDemands demands(profile, placement, chip);
  std::vector<StageDemand> stages;
  for (std::size_t s = 0; s < placement.stages.size(); ++s)
    stages.push_back(demands.of(s, ports_in));
  return stages;
}

Demand drop_demand(const StageDemand& receive, const simulator::ChipDescription& chip) {
  // It looks for room and finds none, counts the packet and gives its buffer back.
  Demand demand = references(chip, kSram, 1) + references(chip, kScratch, 1);
  demand.cycles += 2 * (kDropCycles - kCyclesPerReference);
  for (const QueueOperation& operation : receive.operations) {
    if (operation.puts)
      demand += operation.look - operation.once * operation.per_packet;
  }
  return demand;
}

}  // namespace nplab::experiments
