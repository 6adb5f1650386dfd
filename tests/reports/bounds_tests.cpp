// Capacities and gains by hand, on records made for it.
#include "reports/analysis/bounds.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "reports/analysis/derive.h"
#include "reports/analysis/stage_graph.h"
#include "reports/analysis/stations.h"
#include "reports/analysis/verdict.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

using Catch::Contains;

constexpr Count kCycles = 1000;

Line line(Count engine, const std::string& work, Count executing, Count aborted,
          CountByName waiting, CountByName bus = {}) {
  Line made;
  made.engine = engine;
  made.file = "a.c";
  made.line = 1;
  made.work = work;
  made.poll = work != "useful";
  made.executing = executing;
  made.aborted = aborted;
  made.waiting = sum_of(waiting);
  made.waiting_on = std::move(waiting);
  made.bus_cycles = std::move(bus);
  return made;
}

// Of `executing` cycles, `useful` ones; one thread.
Engine engine(Count id, const std::string& role, Count useful, Count executing, Count aborted) {
  Engine made;
  made.id = id;
  made.role = role;
  made.words = 10;
  made.cycles = {executing, aborted, 0, kCycles - executing - aborted};
  made.work_cycles = WorkCycles{useful, executing - useful, 0, 0};
  made.threads.resize(1);
  return made;
}

StageRecord stage(const std::string& name, const std::string& role, Count engine) {
  return {name, role, {{engine, 0}}, {}, {}};
}

// 100 packets go through three engines of one thread each. Engine 0 takes 300 cycles of work and
// waits 100 for SRAM; engine 1 works for 400, of it 100 aborted, waits 400 for SRAM and polls for
// the other 200; engine 2 works for 250. SRAM references wait half of their latency for the bus.
RunRecord pipeline() {
  RunRecord r = sample_record();
  r.cycles.core = kCycles;
  r.packets = {};
  r.packets.offered = 500;
  r.packets.received = r.packets.sent = 100;
  r.options.arrival = "wire";
  r.engines = {engine(0, "receive", 300, 800, 0), engine(1, "classify", 300, 500, 100),
               engine(2, "transmit", 250, 900, 0)};
  r.stages = {stage("receive", "receive", 0), stage("classify", "tasks", 1),
              stage("transmit", "transmit", 2)};
  r.queues = {{"a", 4, 1, 100, 100, 0, 1, "receive", "classify", "sram"},
              {"b", 4, 1, 100, 100, 0, 1, "classify", "transmit", "sram"}};
  r.lines = {line(0, "useful", 300, 0, {{"sram", 100}}, {{"sram", 50}}),
             line(0, "starved", 500, 0, {}),
             line(1, "useful", 300, 100, {{"sram", 400}}, {{"sram", 200}}),
             line(1, "starved", 200, 0, {}),
             line(2, "useful", 250, 0, {}),
             line(2, "starved", 650, 0, {})};
  r.memory = {};
  r.memory.sram.references = 10;
  r.memory.sram.latency_cycles.total = 500;
  r.memory.sram.delay_cycles = 250;
  r.memory.sram.active_cycles = 250;
  r.memory.sram.work_cycles = WorkCycles{250, 0, 0, 0};
  r.failure.reset();
  fill_derived(r);
  return r;
}

double gain(const RunRecord& record, const std::string& resource) {
  const auto found = estimated_gain(record, resource);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("a station's demands leave polling out") {
  const auto stations = stations_of(pipeline());
  REQUIRE(stations.size() == 3);
  CHECK(stations[1].label() == "engine 1, classify");
  CHECK(stations[1].packets == 100);
  CHECK(stations[1].executing == 300);
  CHECK(stations[1].aborted == 100);
  CHECK(stations[1].waits == ByMemory{400, 0, 0});
  CHECK(stations[1].bus == ByMemory{200, 0, 0});
}

TEST_CASE("stages on the same engines are one station, and its engines have one name") {
  RunRecord r = pipeline();
  r.stages[1].threads.push_back({2, 0});
  const auto stations = stations_of(r);
  REQUIRE(stations.size() == 2);
  CHECK(stations[1].resource() == "engine1-2");
  CHECK(stations[1].label() == "engines 1 to 2, classify and transmit");
  CHECK(engines_named("engine1-2") == std::set<Count>{1, 2});
  CHECK(engines_named("engine1,4-5") == std::set<Count>{1, 4, 5});
  for (const char* wrong : {"engine", "engine2-1", "engine1-", "engines1", "sram", "engine1,"})
    CHECK(engines_named(wrong).empty());
}

// Engine 1's thread spends 800 of 1,000 cycles on 100 packets, so it could do 125 if it never
// polled; as it does poll, it does 100.
TEST_CASE("the bound is the resource whose removal gives most, by hand") {
  const RunRecord r = pipeline();
  // Without its work and aborts the thread's 400 cycles of waiting remain: 250 packets. Engine 0
  // takes 400 a hundred, so 250 if it never polled and 200 with as much polling as engine 1 does;
  // engine 2, 320 packets; SRAM's bus 250 cycles a hundred, 400 packets.
  CHECK(gain(r, "engine1") == Approx(100));
  // 200 cycles fewer to wait: 600 for 100 packets, of which it achieves 80 % since it polls: 133.
  CHECK(gain(r, "sram") == Approx(100.0 / 3));
  // 700 cycles and the same polls.
  CHECK(gain(r, "aborts") == Approx(100.0 / 7));
  CHECK(gain(r, "polling") == Approx(25));
  CHECK(gain(r, "engine0") == Approx(0));
  CHECK(gain(r, "engine2") == Approx(0));
  CHECK(gain(r, "ports") == Approx(0));
  CHECK_FALSE(estimated_gain(r, "engineX"));
  const auto bounds = bounds_of(r);
  REQUIRE(bounds);
  CHECK(bounds->first.use.resource == "engine1");
  CHECK(bounds->first.use.label == "engine 1, classify");
  CHECK(bounds->first.use.busy_pct == Approx(60));
  CHECK(bounds->first.use.useful_pct == Approx(30));
  CHECK(bounds->first.use.polling_pct == Approx(20));
  CHECK(bounds->first.gain_pct == Approx(100));
  REQUIRE(bounds->next);
  CHECK(bounds->next->use.resource == "engine0");
  CHECK(bounds->next->gain_pct == Approx(150));
}

TEST_CASE("a polling engine is not a bottleneck, however busy it is") {
  const auto bounds = bounds_of(pipeline());
  REQUIRE(bounds);
  CHECK(bounds->uses.at(2).resource == "engine2");
  CHECK(bounds->uses.at(2).busy_pct == Approx(90));
  CHECK(bounds->first.use.resource != "engine2");
}

TEST_CASE("traffic that every engine could handle bounds the run") {
  RunRecord r = pipeline();
  r.packets.offered = 100;
  const auto bounds = bounds_of(r);
  REQUIRE(bounds);
  CHECK(gain(r, "ports") == Approx(25));  // then engine 1
  CHECK(bounds->first.use.resource == "ports");
  CHECK(gain(r, "engine1") == Approx(0));
  CHECK(gain(r, "polling") == Approx(0));
}

TEST_CASE("a receiving engine that loses packets at the ports is at its limit") {
  RunRecord r = pipeline();
  r.packets.missed_by_media = 400;
  CHECK(gain(r, "engine1") == Approx(0));  // engine 0 receives 100, whatever it polls
}

TEST_CASE(
    "a bus that is nearly always taken bounds the run, and its removal cuts the waits for it") {
  RunRecord r = pipeline();
  r.lines[2].bus_cycles["sram"] = 920;
  r.memory.sram.active_cycles = 970;
  r.memory.sram.work_cycles = WorkCycles{970, 0, 0, 0};
  fill_derived(r);
  // 970 cycles of the bus a hundred packets: 103 at most, less than engine 1's 125. Without it
  // engine 1 does 100 in 600 cycles.
  CHECK(gain(r, "sram") == Approx(100 * (1000 / 6.0 / (1000 / 9.7) - 1)));
  CHECK(gain(r, "engine1") == Approx(0));
  CHECK(bounds_of(r)->first.use.resource == "sram");
}

// Half of the 500 cycles of waiting for SRAM are waits for answers, of which a unit eight times as
// fast leaves an eighth.
TEST_CASE("waits for a match unit's answers are the unit's, and not the bus's, by hand") {
  RunRecord r = pipeline();
  MatchRecord& unit = r.match.emplace();
  unit.unit_cycles = unit.core_cycles = 1;
  unit.cycles = kCycles;
  unit.lookups = unit.looked_up = 100;
  unit.read_wait_cycles = 250;
  fill_derived(r);
  // Engine 1's thread: 400 of work, 200 of SRAM, 25 of answers: 625 instead of 800.
  CHECK(gain(r, "match") == Approx(28));
  // 400 of work, 100 of SRAM, 200 of answers.
  CHECK(gain(r, "sram") == Approx(100.0 / 7));
  const auto uses = bounds_of(r)->uses;
  const auto match = std::find_if(uses.begin(), uses.end(),
                                  [](const ResourceUse& use) { return use.resource == "match"; });
  REQUIRE(match != uses.end());
  CHECK(match->label == "match unit, input");
  CHECK(match->busy_pct == Approx(10));
}

TEST_CASE("records of failed runs and of older versions have no bound") {
  RunRecord r = pipeline();
  r.failure = Failure{kDeadlockFailure, "none goes on", {}};
  CHECK_FALSE(bounds_of(r));
  r = pipeline();
  r.lines.clear();
  CHECK_FALSE(bounds_of(r));
  r = pipeline();
  r.memory.sram.work_cycles.reset();
  CHECK_FALSE(verdict_of(r));
  CHECK_FALSE(estimated_gain(r, "sram"));
}

TEST_CASE("the verdict on a run is five sentences") {
  const auto verdict = verdict_of(pipeline());
  REQUIRE(verdict);
  REQUIRE(verdict->sentences.size() == 5);
  CHECK_THAT(verdict->sentences[2],
             Contains("engine 1, classify: busy for 60.0 % of the time, of it 33.3 % polling"));
  CHECK_THAT(verdict->sentences[4], Contains("100 % more packets/s"));
  CHECK(verdict->bound.resource == "engine1");
  CHECK(verdict->bound.gain_if_removed_pct == Approx(100));
}

TEST_CASE("of several runs the fastest is best, and of equally fast ones that on fewer engines") {
  RunRecord slow = pipeline(), fast = pipeline();
  slow.inputs.mapping.name = "slow.yaml";
  fast.inputs.mapping.name = "fast.yaml";
  slow.rates_mbps.transmit = 100;
  fast.rates_mbps.transmit = 150;
  auto verdict = verdict_of(std::vector{slow, fast});
  REQUIRE(verdict);
  CHECK(verdict->best == "fast");
  CHECK_THAT(verdict->sentences[0], Contains("50.0 % more than slow"));
  slow.rates_mbps.transmit = 149.9;
  slow.engines[2].words = 0;
  verdict = verdict_of(std::vector{fast, slow});
  CHECK(verdict->best == "slow");
  CHECK_THAT(verdict->sentences[0], Contains("as fast"));
}

TEST_CASE("the table of the verdict has at most 15 rows, a column a run") {
  const Table table = verdict_table({pipeline(), pipeline()});
  CHECK(table.rows.size() == 15);
  CHECK(table.columns.size() == 2);
  CHECK(to_string(*table.find("useful", table.columns[0].id)) == "30.0");
  CHECK(to_string(*table.find("bottleneck", table.columns[1].id)) == "engine1");
}

TEST_CASE("the stage graph shows where each stage's cycles go, and the bound with a thick frame") {
  const std::string dot = stage_graph_dot(pipeline());
  CHECK_THAT(dot, Contains("\\nuseful 30.0 %, starved 20.0 %\\naborted 10.0 %, idle 40.0 %\""));
  const std::size_t classify = dot.find("\"classify\" [");
  const std::string node = dot.substr(classify, dot.find(']', classify) - classify);
  CHECK_THAT(node, Contains("penwidth=\"3\"") && Contains("style=\"striped\"") &&
                       Contains("fillcolor=\"#0072b266;0.3000:#b9c0c866;0.2000:#e69f0066;0.1000:"
                                "transparent\""));
  CHECK_THAT(drawn_svg(dot), Contains("fill=\"#b9c0c8\""));  // Graphviz takes it
  CHECK(dot.find("penwidth", classify + node.size()) == std::string::npos);
}

}  // namespace nplab::reports
