#include "experiments/prediction/thread_network.h"

#include <algorithm>
#include <cmath>

namespace nplab::experiments {
namespace {

constexpr unsigned kMostIterations = 400;
constexpr double kAccuracy = 1e-7;
constexpr double kDamping = 0.5;  // share of the old value that is kept

// What serves references one after the other. The FBI and scratch share a command processor; every
// reference passes the command bus before.
constexpr std::size_t kProcessor = 2, kCommandBus = 3, kServers = 4;
std::size_t server_of(std::size_t unit) {
  return unit == kFbi ? kProcessor : unit;
}

// What a group does at a server or an engine, per cycle.
struct Traffic {
  double visits = 0;
  double busy = 0;     // of the server
  double squares = 0;  // sum of the squares of the service times

  Traffic& operator+=(const Traffic& other) {
    visits += other.visits;
    busy += other.busy;
    squares += other.squares;
    return *this;
  }
};

// The work that the customers of one group have waiting and in service, on average. In service: the
// rest of it, as the squares say, but no more than a mean service. Threads return to an engine soon
// after they left it and do not find it at a random time: with the few that an engine has, longer
// rests would make it idle while threads wait.
double backlog_of(const Traffic& traffic, double wait) {
  if (traffic.busy <= 0 || traffic.visits <= 0)
    return 0;
  const double service = traffic.busy / traffic.visits;
  const double rest = std::min(service, traffic.squares / (2 * traffic.busy));
  return traffic.visits * wait * service + std::min(traffic.busy, 1.0) * rest;
}

// The wait for a station that is found to be `wait`: more, as long as the station would be busy for
// more than all the time, which half a service for the rest of one does not rule out.
double wait_within_capacity(double wait, double wait_before, double busy) {
  constexpr double kMostGrowth = 2;
  return busy > 1 ? std::max(wait, wait_before * std::min(busy, kMostGrowth)) : wait;
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
        engine_busy_(network.engines, 0) {
    solution_.groups.resize(network.groups.size());
    slowdown_.fill(1);
    turning_.fill(1);
  }

  NetworkSolution run() {
    for (unsigned i = 0; i < kMostIterations; ++i) {
      find_responses();
      if (find_waits() < kAccuracy)
        break;
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
    for (std::size_t u = 0; u < kUnits; ++u)
      cycles += demand.units[u].references *
                (server_waits_[g][server_of(u)] + server_waits_[g][kCommandBus]);
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
      of.response = response_of(g, group.work);
      of.look = response_of(g, group.look) + group.pause;
      for (const ExclusiveSection& section : group.sections) {
        of.response += section.per_packet * lock_waits_[g][section.lock];
        of.look += section.per_look * lock_waits_[g][section.lock];
      }
      of.rate = of.response * group.rate > group.threads ? group.threads / of.response : group.rate;
      const double free = std::max(0.0, group.threads - of.rate * of.response);
      of.looks = of.look > 0 ? free / of.look : 0;
    }
  }

  [[nodiscard]] Traffic at_engine(std::size_t g) const {
    const ThreadGroup& group = network_.groups[g];
    const GroupSolution& of = solution_.groups[g];
    return {of.rate * group.work.dispatches + of.looks * group.look.dispatches,
            of.rate * group.work.cycles + of.looks * group.look.cycles,
            of.rate * group.work.burst_squares + of.looks * group.look.burst_squares};
  }
  [[nodiscard]] Traffic at_unit(std::size_t g, std::size_t u) const {
    const GroupSolution& of = solution_.groups[g];
    Traffic traffic = traffic_of(network_.groups[g].work.units[u], of.rate);
    traffic += traffic_of(network_.groups[g].look.units[u], of.looks);
    traffic.busy *= slowdown_[u];
    traffic.squares *= slowdown_[u] * slowdown_[u];
    return traffic;
  }
  [[nodiscard]] Traffic at_server(std::size_t g, std::size_t server) const {
    Traffic traffic;
    for (std::size_t u = 0; u < kUnits; ++u) {
      if (server == kCommandBus || server_of(u) == server)
        traffic += at_unit(g, u);
    }
    if (server != kCommandBus)
      return traffic;
    const double cycles = network_.command_cycles;
    return {traffic.visits, traffic.visits * cycles, traffic.visits * cycles * cycles};
  }

  double find_waits() {
    double change = find_engine_waits();
    for (std::size_t server = 0; server < kServers; ++server)
      change = std::max(change, find_server_waits(server));
    for (std::size_t lock = 0; lock < network_.locks.size(); ++lock)
      change = std::max(change, find_lock_waits(lock));
    for (const std::size_t unit : {kSram, kSdram})
      change = std::max(change, find_slowdown(unit));
    return change;
  }

  // The new value, damped; gives how much of it is new.
  static double update(double& value, double found) {
    const double before = value;
    value = kDamping * before + (1 - kDamping) * found;
    return std::abs(value - before) / (1 + std::abs(value));
  }

  // One customer of n finds what the other n - 1 have at the station.
  static double others(double own, double threads) { return threads > 0 ? own / threads : own; }

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
      // Those that pause are ready all the time, half of them before a thread that becomes ready.
      pausing[group.engine] += solution_.groups[g].looks * group.pause * group.pause_burst / 2;
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
  template <class TrafficOf, class WaitOf>
  double find_waits(TrafficOf traffic_of, WaitOf wait_of, double copies) {
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
          (backlog - others(own[g], network_.groups[g].threads)) / copies, wait, busy / copies);
      change = std::max(change, update(wait, found));
    }
    return change;
  }

  double find_server_waits(std::size_t server) {
    return find_waits([&](std::size_t g) { return at_server(g, server); },
                      [&](std::size_t g) -> double& { return server_waits_[g][server]; }, 1);
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
    return traffic;
  }

  double find_lock_waits(std::size_t lock) {
    return find_waits([&](std::size_t g) { return at_lock(g, lock); },
                      [&](std::size_t g) -> double& { return lock_waits_[g][lock]; },
                      network_.locks[lock]);
  }

  // A bus turns around, or waits for a bank, only as far as it has not been idle before.
  double find_slowdown(std::size_t u) {
    double busy = 0, references = 0, writes = 0;
    for (std::size_t g = 0; g < network_.groups.size(); ++g) {
      const Traffic traffic = at_unit(g, u);
      busy += traffic.busy;
      references += traffic.visits;
      writes += solution_.groups[g].rate * network_.groups[g].work.units[u].writes +
                solution_.groups[g].looks * network_.groups[g].look.units[u].writes;
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
      engine.useful += of.rate * group.work.cycles;
      engine.polling += of.looks * group.look.cycles;
      for (std::size_t u = 0; u < kUnits; ++u) {
        solution_.units[u].useful += turning_[u] * of.rate * group.work.units[u].bus_cycles;
        solution_.units[u].polling += turning_[u] * of.looks * group.look.units[u].bus_cycles;
      }
    }
    find_pauses();
  }

  // Threads that pause take what is left of their engine.
  void find_pauses() {
    std::vector<double> pausing(network_.engines, 0);
    for (std::size_t g = 0; g < network_.groups.size(); ++g)
      pausing[network_.groups[g].engine] += solution_.groups[g].looks * network_.groups[g].pause;
    for (std::size_t e = 0; e < network_.engines; ++e) {
      StationUse& engine = solution_.engines[e];
      const double left = std::max(0.0, 1 - engine.useful - engine.polling);
      engine.polling += left * std::min(1.0, pausing[e]);
    }
  }

  const ThreadNetwork& network_;
  NetworkSolution solution_;
  std::vector<double> engine_waits_;                        // by group, for each dispatch
  std::vector<std::array<double, kServers>> server_waits_;  // by group, for each reference
  std::vector<std::vector<double>> lock_waits_;             // by group and lock
  std::vector<double> engine_busy_;
  std::array<double, kUnits> slowdown_{};  // of data: turning around and waiting for banks
  std::array<double, kUnits> turning_{};   // turning around alone
};

}  // namespace

NetworkSolution solve(const ThreadNetwork& network) {
  return Iteration(network).run();
}

}  // namespace nplab::experiments
