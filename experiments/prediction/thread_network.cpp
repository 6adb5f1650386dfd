#include "experiments/prediction/thread_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/prediction/station.h"

namespace nplab::experiments {
namespace {

constexpr unsigned kMostIterations = 1000;
constexpr double kAccuracy = 1e-5;
// How far a value goes towards the one that is found, and how much less after so many iterations,
// for networks that swing.
constexpr double kStep = 0.5;
constexpr double kStepShrinks = 0.7;
constexpr unsigned kIterationsOfStep = 100;

// What serves references one after the other. The FBI and scratch share a command processor; every
// reference passes the command bus before.
constexpr std::size_t kProcessor = 2, kCommandBus = 3, kServers = 4;
std::size_t server_of(std::size_t unit) {
  return unit == kFbi ? kProcessor : unit;
}

Traffic traffic_of(const UnitDemand& demand, double rate) {
  const double square =
      demand.references > 0 ? demand.bus_cycles * demand.bus_cycles / demand.references : 0;
  return {rate * demand.references, rate * demand.bus_cycles, rate * square};
}

class Iteration {
 public:
  explicit Iteration(const ThreadNetwork& network)
      : network_(network),
        engine_waits_(network.groups.size(), 0),
        server_waits_(network.groups.size()),
        lock_waits_(network.groups.size(), std::vector<double>(network.locks.size(), 0)),
        rounds_(network.engines, network.command_cycles),
        engine_busy_(network.engines, 0) {
    solution_.groups.resize(network.groups.size());
    for (const ThreadGroup& group : network.groups) {
      asked_.push_back(group.rate);
      work_.push_back(group.work);
    }
    if (network.flow)
      solution_.finished = network.flow->most;
    slowdown_.fill(1);
    turning_.fill(1);
  }

  NetworkSolution run() {
    for (unsigned i = 1; i <= kMostIterations; ++i) {
      solution_.iterations = i;
      find_responses();
      const double change = network_.flow ? find_flow() : 0;
      if (std::max(change, find_waits()) < kAccuracy)
        break;
      if (i % kIterationsOfStep == 0)
        step_ *= kStepShrinks;
    }
    find_responses();
    find_uses();
    return std::move(solution_);
  }

 private:
  // With the waits as they are known: how long a demand takes a thread of group g.
  [[nodiscard]] double response_of(std::size_t g, const Demand& demand) const {
    const double idle = 1 - std::min(1.0, engine_busy_[network_.groups[g].engine]);
    double cycles = demand.cycles + demand.delay +
                    demand.dispatches * (engine_waits_[g] + idle * network_.wake_up);
    // References that a thread has under way together wait at the same time, the later ones behind
    // the first: one round of the bus each, in which the unit serves them.
    const double round = rounds_[network_.groups[g].engine] - network_.command_cycles;
    for (std::size_t u = 0; u < kUnits; ++u) {
      const UnitDemand& unit = demand.units[u];
      cycles += (unit.references - unit.joined) *
                    (server_waits_[g][server_of(u)] + server_waits_[g][kCommandBus]) +
                unit.joined * round;
    }
    return cycles;
  }

  // With the lock that it waits for within.
  [[nodiscard]] double hold_of(std::size_t g, const ExclusiveSection& section,
                               const Demand& held) const {
    return response_of(g, held) + (section.inner ? lock_waits_[g][*section.inner] : 0);
  }

  void find_responses() {
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      GroupSolution& of = solution_.groups[g];
      of.response = response_of(g, work_[g]);
      of.look = response_of(g, group.look) + group.pause;
      of.taking = 0;
      for (const ExclusiveSection& section : group.sections) {
        of.response += section.per_packet * lock_waits_[g][section.lock];
        of.taking += section.puts ? 0 : section.per_packet * lock_waits_[g][section.lock];
        of.look += section.per_look * lock_waits_[g][section.lock];
      }
      of.rate = std::min(asked_[g], most_of(g));
      const double free = std::max(0.0, group.threads - of.rate * of.response);
      of.looks = of.look > 0 ? free / of.look : 0;
    }
  }

  // Packets per cycle that a copy of a group can serve.
  [[nodiscard]] double most_of(std::size_t g) const {
    const double response = solution_.groups[g].response;
    return response > 0 ? network_.groups[g].threads / response
                        : std::numeric_limits<double>::max();
  }

  // What part of a stage's packets each copy of its groups takes.
  [[nodiscard]] std::vector<double> parts_of(const FlowStage& stage) const {
    std::vector<double> parts;
    double sum = 0;
    for (const std::size_t g : stage.groups) {
      parts.push_back(stage.by_speed ? most_of(g) : network_.groups[g].threads);
      sum += parts.back() * network_.groups[g].copies;
    }
    for (double& part : parts)
      part /= sum;
    return parts;
  }

  // The packets that can be finished with the waits as they are known, and who is asked for them.
  double find_flow() {
    const PacketFlow& flow = *network_.flow;
    double most = flow.most;
    solution_.received = 0;
    for (const FlowStage& stage : flow.stages) {
      const auto parts = parts_of(stage);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t g = stage.groups[i];
        asked_[g] = parts[i] * (stage.drops ? flow.offered : stage.share * solution_.finished);
        if (stage.brings)
          solution_.received += network_.groups[g].copies * std::min(asked_[g], most_of(g));
        if (!stage.drops)
          most = std::min(most, most_of(g) / (parts[i] * stage.share));
      }
    }
    drop_rest();
    const bool drops = std::any_of(flow.stages.begin(), flow.stages.end(),
                                   [](const FlowStage& stage) { return stage.drops; });
    if (drops)
      most = std::min(most, solution_.received);
    const double before = solution_.finished;
    solution_.finished *= std::pow(most / before, step_);
    return std::abs(solution_.finished / before - 1);
  }

  // A stage that drops packets does other work for these.
  void drop_rest() {
    const double received = solution_.received;
    const double dropped = received > solution_.finished ? 1 - solution_.finished / received : 0.0;
    for (const FlowStage& stage : network_.flow->stages) {
      for (const std::size_t g : stage.groups) {
        if (stage.drops)
          work_[g] = at_least_zero(network_.groups[g].work + stage.dropped * dropped);
      }
    }
  }

  [[nodiscard]] Traffic at_engine(std::size_t g) const {
    const ThreadGroup& group = network_.groups[g];
    const GroupSolution& of = solution_.groups[g];
    return {of.rate * work_[g].dispatches + of.looks * group.look.dispatches,
            of.rate * work_[g].cycles + of.looks * group.look.cycles,
            of.rate * work_[g].burst_squares + of.looks * group.look.burst_squares};
  }
  [[nodiscard]] Traffic at_unit(std::size_t g, std::size_t u) const {
    const GroupSolution& of = solution_.groups[g];
    const double copies = network_.groups[g].copies;
    Traffic traffic = traffic_of(work_[g].units[u], copies * of.rate);
    traffic += traffic_of(network_.groups[g].look.units[u], copies * of.looks);
    traffic.busy *= slowdown_[u];
    traffic.squares *= slowdown_[u] * slowdown_[u];
    return traffic;
  }
  [[nodiscard]] Traffic at_server(std::size_t g, std::size_t server) const {
    Traffic traffic;
    for (std::size_t u = 0; u < kUnits; ++u) {
      if (server_of(u) == server)
        traffic += at_unit(g, u);
    }
    return traffic;
  }

  // References per cycle of a copy.
  [[nodiscard]] double commands_of(std::size_t g) const {
    const GroupSolution& of = solution_.groups[g];
    double commands = 0;
    for (std::size_t u = 0; u < kUnits; ++u)
      commands += of.rate * work_[g].units[u].references +
                  of.looks * network_.groups[g].look.units[u].references;
    return commands;
  }

  double find_waits() {
    double change = find_engine_waits();
    for (std::size_t server = 0; server < kCommandBus; ++server)
      change = std::max(change, find_server_waits(server));
    change = std::max(change, find_bus_waits());
    for (std::size_t lock = 0; lock < network_.locks.size(); ++lock)
      change = std::max(change, find_lock_waits(lock));
    for (const std::size_t unit : {kSram, kSdram})
      change = std::max(change, find_slowdown(unit));
    return change;
  }

  // The new value, damped; gives how much of it is new.
  double update(double& value, double found) const {
    const double before = value;
    value += step_ * (found - value);
    return std::abs(value - before) / (1 + std::abs(value));
  }

  // One customer of n finds what the other n - 1 have at the station.
  static double others(double own, double threads) { return threads > 0 ? own / threads : own; }

  // Threads of the group that wait for a section by yielding again and again, on average.
  [[nodiscard]] double spinning(std::size_t g) const {
    const GroupSolution& of = solution_.groups[g];
    double threads = 0;
    for (const ExclusiveSection& section : network_.groups[g].sections) {
      if (section.spins)
        threads += (of.rate * section.per_packet + of.looks * section.per_look) *
                   lock_waits_[g][section.lock];
    }
    return threads;
  }

  double find_engine_waits() {
    std::vector<double> backlogs(network_.engines, 0), pausing(network_.engines, 0);
    std::vector<double> own;
    std::fill(engine_busy_.begin(), engine_busy_.end(), 0);
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      const Traffic traffic = at_engine(g);
      own.push_back(backlog_of(traffic, engine_waits_[g]));
      backlogs[group.engine] += own.back();
      engine_busy_[group.engine] += traffic.busy;
      // Those that pause or spin are ready all the time, half of them before a thread that becomes
      // ready.
      pausing[group.engine] += (solution_.groups[g].looks * group.pause * group.pause_burst +
                                spinning(g) * group.spin_burst) /
                               2;
    }
    double change = 0;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      const double found = wait_within_capacity(
          backlogs[group.engine] - others(own[g], group.threads) + pausing[group.engine],
          engine_waits_[g], engine_busy_[group.engine]);
      change = std::max(change, update(engine_waits_[g], found));
    }
    return change;
  }

  // The waits of all groups at a station of `copies` servers, each of which serves its share.
  template <class TrafficOf, class WaitOf, class CustomersOf>
  double find_waits(TrafficOf traffic_of, WaitOf wait_of, CustomersOf customers_of, double copies) {
    double backlog = 0, busy = 0;
    std::vector<double> own;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const Traffic traffic = traffic_of(g);
      own.push_back(backlog_of(traffic, wait_of(g)));
      backlog += own.back();
      busy += traffic.busy;
    }
    double change = 0;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      double& wait = wait_of(g);
      const double found = wait_within_capacity(
          (backlog - others(own[g], customers_of(g))) / copies, wait, busy / copies);
      change = std::max(change, update(wait, found));
    }
    return change;
  }

  double find_server_waits(std::size_t server) {
    return find_waits([&](std::size_t g) { return at_server(g, server); },
                      [&](std::size_t g) -> double& { return server_waits_[g][server]; },
                      [&](std::size_t g) { return all_threads(g); }, 1);
  }

  // The command bus grants the engine whose last grant was longest ago. After a grant an engine
  // waits for a round, in which every other engine that has a command gets a grant: its commands
  // are a queue of their own, each in service for the round after it.
  double find_bus_waits() {
    std::vector<double> commands(network_.engines, 0), copies(network_.engines, 0);
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      commands[group.engine] += commands_of(g);
      copies[group.engine] = group.copies;
    }
    double change = 0, asking = 0;  // engines that have a command or wait for their round to end
    for (std::size_t e = 0; e < network_.engines; ++e)
      asking += copies[e] * std::min(1.0, commands[e] * rounds_[e]);
    for (std::size_t e = 0; e < network_.engines; ++e) {
      const double others = asking - std::min(1.0, commands[e] * rounds_[e]);
      change = std::max(change, update(rounds_[e], network_.command_cycles * (1 + others)));
    }
    std::vector<double> backlogs(network_.engines, 0), own;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const std::size_t engine = network_.groups[g].engine;
      const double round = rounds_[engine];
      const Traffic traffic = Traffic{1, round, round * round} * commands_of(g);
      own.push_back(backlog_of(traffic, server_waits_[g][kCommandBus]));
      backlogs[engine] += own.back();
    }
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      double& wait = server_waits_[g][kCommandBus];
      const double found =
          wait_within_capacity(backlogs[group.engine] - others(own[g], group.threads), wait,
                               commands[group.engine] * rounds_[group.engine]);
      change = std::max(change, update(wait, found));
    }
    return change;
  }

  [[nodiscard]] double all_threads(std::size_t g) const {
    return network_.groups[g].threads * network_.groups[g].copies;
  }

  [[nodiscard]] Traffic at_lock(std::size_t g, std::size_t lock) const {
    const GroupSolution& of = solution_.groups[g];
    Traffic traffic;
    for (const ExclusiveSection& section : network_.groups[g].sections) {
      if (section.lock != lock)
        continue;
      const double hold = hold_of(g, section, section.held);
      const double look_hold = hold_of(g, section, section.held_by_look);
      const double visits = of.rate * section.per_packet;
      const double look_visits = of.looks * section.per_look;
      traffic += {visits, visits * hold, visits * hold * hold};
      traffic += {look_visits, look_visits * look_hold, look_visits * look_hold * look_hold};
    }
    return traffic * (network_.locks[lock].of_engine ? 1 : network_.groups[g].copies);
  }

  double find_lock_waits(std::size_t lock) {
    const auto& of = network_.locks[lock];
    return find_waits(
        [&](std::size_t g) { return at_lock(g, lock); },
        [&](std::size_t g) -> double& { return lock_waits_[g][lock]; },
        [&](std::size_t g) { return of.of_engine ? network_.groups[g].threads : all_threads(g); },
        of.count);
  }

  // A bus turns around, or waits for a bank, only as far as it has not been idle before.
  double find_slowdown(std::size_t u) {
    double busy = 0, references = 0, writes = 0;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const Traffic traffic = at_unit(g, u);
      busy += traffic.busy;
      references += traffic.visits;
      writes += network_.groups[g].copies *
                (solution_.groups[g].rate * work_[g].units[u].writes +
                 solution_.groups[g].looks * network_.groups[g].look.units[u].writes);
    }
    if (busy <= 0 || references <= 0)
      return 0;
    const UnitService& unit = network_.units[u];
    const double share = writes / references;
    const double service = busy / slowdown_[u] / references;
    const double turns = unit.turn_around * 2 * share * (1 - share);
    const double lost = turns + unit.same_bank_wait * unit.same_bank_share;
    const double load = std::min(1.0, busy);
    update(turning_[u], 1 + load * turns / service);
    return update(slowdown_[u], 1 + load * lost / service);
  }

  // As records have them: a unit is not active while it waits for a bank.
  void find_uses() {
    solution_.engines.resize(network_.engines);
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const ThreadGroup& group = network_.groups[g];
      const GroupSolution& of = solution_.groups[g];
      StationUse& engine = solution_.engines[group.engine];
      engine.useful += of.rate * (work_[g].cycles - work_[g].aborted);
      engine.polling += of.looks * (group.look.cycles - group.look.aborted);
      engine.aborted += of.rate * work_[g].aborted + of.looks * group.look.aborted;
      for (std::size_t u = 0; u < kUnits; ++u) {
        const double turning = turning_[u] * group.copies;
        solution_.units[u].useful += turning * of.rate * work_[g].units[u].bus_cycles;
        solution_.units[u].polling += turning * of.looks * group.look.units[u].bus_cycles;
      }
    }
    find_pauses();
  }

  // Threads that pause or spin take what is left of their engine.
  void find_pauses() {
    std::vector<double> pausing(network_.engines, 0);
    for (std::size_t g = 0; g < network_.groups.size(); ++g)
      pausing[network_.groups[g].engine] +=
          solution_.groups[g].looks * network_.groups[g].pause + spinning(g);
    for (std::size_t e = 0; e < network_.engines; ++e) {
      StationUse& engine = solution_.engines[e];
      const double left = std::max(0.0, 1 - engine.busy());
      engine.polling += left * std::min(1.0, pausing[e]);
    }
  }

  const ThreadNetwork& network_;
  NetworkSolution solution_;
  double step_ = kStep;
  std::vector<double> asked_;                               // packets per cycle, by group
  std::vector<Demand> work_;                                // by group, with packets that it drops
  std::vector<double> engine_waits_;                        // by group, for each dispatch
  std::vector<std::array<double, kServers>> server_waits_;  // by group, for each reference
  std::vector<std::vector<double>> lock_waits_;             // by group and lock
  std::vector<double> rounds_;                              // of the command bus, by engine
  std::vector<double> engine_busy_;
  std::array<double, kUnits> slowdown_{};  // of data: turning around and waiting for banks
  std::array<double, kUnits> turning_{};   // turning around alone
};

}  // namespace

NetworkSolution solve(const ThreadNetwork& network) {
  return Iteration(network).run();
}

}  // namespace nplab::experiments
