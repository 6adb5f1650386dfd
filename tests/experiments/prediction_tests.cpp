// The model of predictions, on networks whose answers are known, and profiles as values.
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/nplab.h"
#include "experiments/prediction/accuracy.h"
#include "experiments/prediction/accuracy_claims.h"
#include "experiments/prediction/closed_network.h"
#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/prediction.h"
#include "experiments/prediction/thread_network.h"

using namespace nplab;
using namespace nplab::experiments;

namespace {

// M/M/1//N: the share of time in which the one repairman is idle (Gross and Harris, Fundamentals of
// Queueing Theory, section 2.7).
double idle_repairman(unsigned machines, double service, double uptime) {
  double sum = 0, term = 1;
  for (unsigned k = 0; k <= machines; ++k) {
    sum += term;
    term *= (machines - k) * service / uptime;
  }
  return 1 / sum;
}

// Threads of one engine that compute and then wait `delay` cycles for a unit that nobody else uses.
ThreadNetwork one_engine(double threads, double cycles, double bursts, double delay) {
  ThreadNetwork network;
  network.engines = 1;
  ThreadGroup group;
  group.threads = threads;
  group.work.cycles = cycles;
  group.work.dispatches = bursts;
  group.work.burst_squares = cycles * cycles / bursts;
  group.work.delay = delay;
  group.rate = 1;  // more than any engine gives
  network.groups.push_back(group);
  return network;
}

double throughput(const ThreadNetwork& network) {
  return solve(network).groups.front().rate;
}

}  // namespace

TEST_CASE("exact mean-value analysis agrees with the machine repairman's closed form",
          "[prediction]") {
  for (const unsigned machines : {1U, 2U, 4U, 8U, 24U}) {
    for (const double uptime : {10.0, 100.0, 1000.0}) {
      const double service = 50;
      const auto solved = solve_exactly({{service}, uptime}, machines);
      CHECK(solved.throughput * service ==
            Approx(1 - idle_repairman(machines, service, uptime)).epsilon(1e-9));
    }
  }
}

TEST_CASE("in a balanced network n customers at k stations give n / (n + k - 1) of the bound",
          "[prediction]") {
  for (const unsigned customers : {1U, 3U, 16U}) {
    const auto solved = solve_exactly({{40, 40, 40}, 0}, customers);
    CHECK(solved.throughput == Approx(customers / (40.0 * (customers + 2))));
    for (const double queue : solved.queues)
      CHECK(queue == Approx(customers / 3.0));
  }
}

TEST_CASE("no exact throughput exceeds the asymptotic bound, and one customer reaches it",
          "[prediction]") {
  const ClosedNetwork network{{30, 70, 10}, 200};
  for (unsigned customers = 1; customers <= 32; ++customers)
    CHECK(solve_exactly(network, customers).throughput <=
          throughput_bound(network, customers) * (1 + 1e-12));
  CHECK(solve_exactly(network, 1).throughput == Approx(1.0 / 310));
  CHECK(throughput_bound(network, 32) == Approx(1.0 / 70));
}

TEST_CASE("one thread waits for nobody", "[prediction]") {
  const auto solved = solve(one_engine(1, 100, 5, 200));
  CHECK(solved.groups.front().response == Approx(300));
  CHECK(solved.engines.front().busy() == Approx(100.0 / 300));
}

TEST_CASE("the prediction by hand of docs/prediction.md holds", "[prediction]") {
  // W (R - 300) = 3000 and R = 300 + 5 W.
  const double wait = std::sqrt(600);
  const auto solved = solve(one_engine(4, 100, 5, 200));
  CHECK(solved.groups.front().response == Approx(300 + 5 * wait).epsilon(1e-4));
  CHECK(solved.groups.front().response == Approx(422.5).epsilon(1e-3));
  CHECK(solved.groups.front().rate == Approx(0.009468).epsilon(1e-3));
  CHECK(solved.engines.front().useful == Approx(0.947).epsilon(1e-3));
}

TEST_CASE("threads with bursts of exponential length come near the exact throughput",
          "[prediction]") {
  for (const double threads : {2.0, 4.0, 8.0}) {
    for (const double delay : {50.0, 200.0, 800.0}) {
      ThreadNetwork network = one_engine(threads, 100, 1, delay);
      network.groups.front().work.burst_squares = 2 * 100 * 100;
      const auto exact = solve_exactly({{100}, delay}, static_cast<unsigned>(threads));
      // The approximation is known to be too low by some percent where threads are few.
      CHECK(throughput(network) == Approx(exact.throughput).epsilon(0.08));
      CHECK(throughput(network) <= exact.throughput * (1 + 1e-6));
    }
  }
}

TEST_CASE("references that a thread has under way together wait at the same time", "[prediction]") {
  // Of eight references to SRAM, each of which takes it so many cycles, some join another one.
  const auto response = [](double threads, double joined, double cycles) {
    ThreadNetwork network = one_engine(threads, 20, 2, 60);
    network.groups.front().work.units[kSram] = {8, 8 * cycles, 0, joined};
    network.groups.push_back(network.groups.front());
    network.groups.back().engine = 1;
    network.engines = 2;
    if (threads == 1)
      network.groups.pop_back();
    return solve(network).groups.front().response;
  };
  CHECK(response(1, 0, 1) == Approx(80));
  CHECK(response(1, 6, 1) == Approx(80));
  CHECK(response(4, 6, 1) < response(4, 3, 1));
  CHECK(response(4, 3, 1) < response(4, 0, 1));
  // Where the unit has no time left, it decides: eight threads share one packet per 48 cycles.
  CHECK(response(4, 6, 6) == Approx(8 * 48).epsilon(0.01));
  CHECK(response(4, 0, 6) == Approx(8 * 48).epsilon(0.01));
}

TEST_CASE("a group that is asked for less looks for work in the rest of its time", "[prediction]") {
  ThreadNetwork network = one_engine(1, 100, 5, 200);
  network.groups.front().rate = 1.0 / 900;
  network.groups.front().look.cycles = 10;
  network.groups.front().look.dispatches = 1;
  network.groups.front().look.burst_squares = 100;
  network.groups.front().look.delay = 20;
  const auto solved = solve(network);
  CHECK(solved.groups.front().meets(network.groups.front()));
  CHECK(solved.groups.front().looks == Approx((1 - 300.0 / 900) / 30));
  CHECK(solved.engines.front().polling == Approx(10 * (1 - 300.0 / 900) / 30));
}

TEST_CASE("threads that take turns in a section serve one packet per passage at most",
          "[prediction]") {
  ThreadNetwork network = one_engine(8, 10, 1, 40);
  network.groups.front().engine = 0;
  network.locks = {{1, false}};
  ExclusiveSection section;
  section.per_packet = 1;
  section.held.delay = 40;
  network.groups.front().sections.push_back(section);
  const double most = 1.0 / 40;
  CHECK(throughput(network) < 1.01 * most);
  CHECK(throughput(network) > 0.8 * most);
}

TEST_CASE("copies of an engine are as many engines", "[prediction]") {
  ThreadNetwork apart = one_engine(4, 100, 5, 200);
  apart.groups.front().work.units[kSram] = {5, 60, 0};
  ThreadNetwork together = apart;
  apart.engines = 3;
  for (const std::size_t engine : {1U, 2U}) {
    apart.groups.push_back(apart.groups.front());
    apart.groups.back().engine = engine;
  }
  together.groups.front().copies = 3;
  CHECK(throughput(together) == Approx(throughput(apart)).epsilon(1e-4));
  CHECK(solve(together).units[kSram].busy() == Approx(solve(apart).units[kSram].busy()));
}

TEST_CASE("on a full command bus each engine has its turn", "[prediction]") {
  ThreadNetwork network = one_engine(8, 1, 1, 0);
  network.groups.front().work.units[kSram] = {1, 0, 0};
  CHECK(throughput(network) == Approx(1).epsilon(0.01));
  // Eight engines more whose threads do nothing but look.
  network.engines = 2;
  ThreadGroup lookers;
  lookers.threads = 8;
  lookers.copies = 8;
  lookers.engine = 1;
  lookers.look.cycles = lookers.look.dispatches = lookers.look.burst_squares = 1;
  lookers.look.units[kSram] = {1, 0, 0};
  network.groups.push_back(lookers);
  CHECK(throughput(network) == Approx(1.0 / 9).epsilon(0.01));
}

TEST_CASE("a flow settles at the rate that its slowest stage can serve", "[prediction]") {
  ThreadNetwork network = one_engine(1, 100, 1, 100);
  network.engines = 2;
  network.groups.push_back(network.groups.front());
  network.groups.back().engine = 1;
  network.groups.back().work.delay = 300;
  PacketFlow flow;
  flow.offered = flow.most = 1;
  for (const std::size_t group : {0U, 1U}) {
    FlowStage stage;
    stage.groups = {group};
    flow.stages.push_back(stage);
  }
  flow.stages.back().share = 0.25;  // of the packets that pass the first
  network.flow = flow;
  CHECK(solve(network).finished == Approx(1.0 / 200).epsilon(1e-3));
  network.flow->stages.back().share = 1;
  CHECK(solve(network).finished == Approx(1.0 / 400).epsilon(1e-3));
  network.flow->most = 1.0 / 1000;
  CHECK(solve(network).finished == Approx(1.0 / 1000).epsilon(1e-6));
}

TEST_CASE("a profile reads back as it was written, and damaged text gives none", "[prediction]") {
  AlgorithmProfile profile;
  profile.algorithm = "bit-vector";
  profile.mapping = "bv1";
  profile.packets = 500;
  profile.sent_share = 0.75;
  Demand demand;
  demand.cycles = 12.5;
  demand.units[kSram] = {2, 8, 1};
  profile.parts["task act"] = demand;
  const std::string text = profile_to_json(profile);
  const auto read = profile_from_json(text);
  REQUIRE(read);
  CHECK(profile_to_json(*read) == text);
  CHECK(read->parts.at("task act").units[kSram].bus_cycles == 8);
  CHECK_FALSE(profile_from_json(text.substr(0, text.size() / 2)));
  CHECK_FALSE(profile_from_json("{\"schema\": \"nplab.demands/1\"}"));
  CHECK_FALSE(profile_from_json(""));
}

TEST_CASE("a profile tells tasks, key, queues and library apart", "[prediction]") {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment("bv2", {}, diagnostics);
  REQUIRE(experiment);
  const auto profile = measure_profile(*experiment, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(profile);
  CHECK(profile->packets == 500);
  for (const char* part : {"receive", "transmit", "key", "task lookup[0]", "task lookup[1]",
                           "task intersect", "task act", "work classify"}) {
    INFO(part);
    REQUIRE(profile->parts.contains(part));
    CHECK(profile->parts.at(part).cycles > 0);
  }
  // Each walk reads its trie, the action is one longword of SRAM.
  CHECK(profile->parts.at("task lookup[0]").units[kSdram].references > 1);
  CHECK(profile->parts.at("task act").units[kSram].references == Approx(1).epsilon(0.01));
}

TEST_CASE("a profile knows the references that a thread waits for together", "[prediction]") {
  const auto part = [](const char* mapping, const char* name) {
    Diagnostics diagnostics;
    const auto experiment = prepare_experiment(mapping, {}, diagnostics);
    REQUIRE(experiment);
    const auto profile = measure_profile(*experiment, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(profile);
    return profile->parts.at(name);
  };
  // The chunks of three fields are read with one swap.
  const Demand chunks = part("rfc-pipe", "task phase_0");
  CHECK(chunks.units[kSram].references == Approx(3));
  CHECK(chunks.units[kSram].joined == Approx(2));
  CHECK(chunks.dispatches == Approx(1));
  // `optimize: published` swaps after each reference.
  CHECK(part("bv2", "task lookup[0]").units[kSdram].joined == 0);
}

TEST_CASE("code that several tasks share is counted to the task that runs it", "[prediction]") {
  // All four tasks of tm-data are in one stage and inline the same search; tm-pipe has a stage
  // each.
  std::map<std::string, Demand> together, apart;
  for (const char* mapping : {"tm-data", "tm-pipe"}) {
    Diagnostics diagnostics;
    const auto experiment = prepare_experiment(mapping, {}, diagnostics);
    REQUIRE(experiment);
    const auto profile = measure_profile(*experiment, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(profile);
    (mapping == std::string("tm-data") ? together : apart) = profile->parts;
  }
  for (const char* task : {"task tables_1", "task tables_2", "task tables_3", "task tables_4"}) {
    INFO(task);
    REQUIRE(together.contains(task));
    const Demand &one = together.at(task), &other = apart.at(task);
    CHECK(one.units[kSram].references == Approx(other.units[kSram].references));
    CHECK(one.units[kSdram].references == Approx(other.units[kSdram].references));
    CHECK(one.cycles == Approx(other.cycles).margin(6));
  }
}

TEST_CASE("each word of a program is of the composed line that inlined it", "[prediction]") {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment("tm-data", {}, diagnostics);
  REQUIRE(experiment);
  const auto programs = compile_programs(*experiment, diagnostics);
  REQUIRE(programs);
  for (const CompiledProgram& program : *programs) {
    if (program.composed.source.find("tables_2(&reads") == std::string::npos)
      continue;
    const CodeParts parts(program, experiment->placement());
    // Words of the shared search that the second task's call inlined, and the third's.
    std::map<std::string, int> calls;
    std::istringstream source(program.composed.source);
    std::vector<std::string> text{""};
    for (std::string line; std::getline(source, line);)
      text.push_back(line);
    for (std::size_t word = 0; word < program.image.words.size(); ++word) {
      const std::size_t line = parts.composed_line(word);
      REQUIRE(line < text.size());
      ++calls[text[line]];
    }
    int of_second = 0, of_third = 0;
    for (const auto& [line, words] : calls) {
      of_second += line.find("tables_2(") != std::string::npos ? words : 0;
      of_third += line.find("tables_3(") != std::string::npos ? words : 0;
    }
    CHECK(of_second > 20);
    CHECK(of_third > 20);
    return;
  }
  FAIL("no program calls tables_2");
}

TEST_CASE("looks for room that never happened are known from the code", "[prediction]") {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment("hicuts-cmp-data", {}, diagnostics);
  REQUIRE(experiment);
  const auto profile = measure_profile(*experiment, diagnostics);
  REQUIRE(profile);
  // Of a ring that the thread alone fills: the count of freed entries is read again.
  const Demand& alone = profile->parts.at("look put lap sram 2 thread");
  CHECK(alone.units[kSram].references == 1);
  CHECK(alone.dispatches == 1);
  CHECK(alone.burst_squares == alone.cycles * alone.cycles);
  // With a lock, another reference takes it and one gives it back.
  const Demand& locked = profile->parts.at("look put lap sram 2 memory+cam+turns");
  CHECK(locked.units[kSram].references == 3);
  CHECK(locked.cycles > alone.cycles);
}

TEST_CASE("packets of a ring that is freed at their end are no more than its entries",
          "[prediction]") {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment("bv2", {}, diagnostics);
  REQUIRE(experiment);
  const auto profile = measure_profile(*experiment, diagnostics);
  REQUIRE(profile);
  const Prediction prediction = predict(*profile, *experiment);
  const double seconds =
      prediction.latency_p50_cycles / static_cast<double>(experiment->chip.clock.core_hz);
  CHECK(prediction.packets_per_s * seconds == Approx(128));
}

TEST_CASE("a prediction is within the bounds of its ports and finds them where they bound it",
          "[prediction]") {
  Diagnostics diagnostics;
  const auto experiment = prepare_experiment("hicuts-data", {}, diagnostics);
  REQUIRE(experiment);
  const auto profile = measure_profile(*experiment, diagnostics);
  REQUIRE(profile);
  const Prediction prediction = predict(*profile, *experiment);
  // Four ports of 100 Mb/s with frames of 64 bytes and gaps of 12.
  CHECK(prediction.receive_mbps == Approx(400).epsilon(1e-6));
  CHECK(prediction.packets_per_s == Approx(400e6 / 8 / 76).epsilon(1e-6));
  for (const ResourceUse& use : prediction.uses) {
    CHECK(use.useful_pct + use.polling_pct + use.aborted_pct == Approx(use.use_pct));
    CHECK(use.use_pct <= 100 + 1e-6);
  }
}

TEST_CASE("mappings are predicted and simulated with each rule set that suits them",
          "[prediction]") {
  AccuracyOptions options;
  options.mappings = {"hicuts-data", "ls"};
  options.rules = {"", "gen:acl,count=30,seed=1"};
  options.packets = 2000;
  Diagnostics diagnostics;
  double done = 0;
  const auto rates = compare_rates(options, [&](double share) { done = share; }, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE_FALSE(diagnostics.has_errors());
  REQUIRE(rates.size() == 4);
  CHECK(done == 1);
  for (const ComparedRate& rate : rates) {
    CHECK(rate.chip == "ixp1200");
    CHECK(rate.simulated > 0);
    CHECK(100 * std::abs(rate.predicted / rate.simulated - 1) < 15);
    CHECK_FALSE(rate.verdict_bound.empty());
  }
  CHECK(rates[0].mapping == "hicuts-data");
  CHECK(rates[2].rules == "gen:acl,count=30,seed=1");
  CHECK(accuracy_json(rates).at("claims").size() == 3);
}

TEST_CASE("ranks that agree, disagree and tie have the coefficients of Kendall's tau b",
          "[prediction]") {
  CHECK(rank_correlation({{1, 10}, {2, 20}, {3, 30}}) == Approx(1));
  CHECK(rank_correlation({{1, 30}, {2, 20}, {3, 10}}) == Approx(-1));
  // Of six pairs, five in order and one not.
  CHECK(rank_correlation({{1, 1}, {2, 2}, {3, 4}, {4, 3}}) == Approx(4.0 / 6));
  // One pair is alike in the first value: 2 / sqrt(2 * 3).
  CHECK(rank_correlation({{100, 1}, {100.5, 2}, {200, 3}}, 0.01) == Approx(2 / std::sqrt(6)));
  CHECK(rank_correlation({}) == Approx(1));
}

TEST_CASE("a quantile is the least value that so many values do not exceed", "[prediction]") {
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2);
  CHECK(quantile({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.9) == 9);
  CHECK(quantile({5}, 0.9) == 5);
  CHECK(quantile({}, 0.5) == 0);
}
