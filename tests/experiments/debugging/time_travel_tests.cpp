// Going through time: what a stopped run is, whichever way it came there. Compared with runs that
// know nothing of debugging: one that ends at the cycle, and one whose instructions an observer
// lists.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <random>

#include "experiments/debugging/time_travel.h"
#include "experiments/run/prepared_run.h"
#include "experiments/run/replay.h"
#include "experiments/run/simulate.h"
#include "workloads/traffic/packet_source.h"

namespace nplab::test {
namespace {

using namespace experiments;
using simulator::Cycle;

constexpr std::uint64_t kPackets = 120;

ExperimentOptions short_run() {
  ExperimentOptions options;
  options.packets = kPackets;
  return options;
}

DebugTarget mapping_target(const std::string& mapping) {
  Diagnostics diagnostics;
  auto target = debug_target_of_mapping(mapping, short_run(), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(target);
  return std::move(*target);
}

TimeTravel started(const DebugTarget& target) {
  Diagnostics diagnostics;
  auto run = TimeTravel::start(target, diagnostics);
  REQUIRE(run);
  return std::move(*run);
}

PreparedRun prepared(const std::string& mapping) {
  Diagnostics diagnostics;
  auto run = prepare_run(mapping, short_run(), diagnostics);
  REQUIRE(run);
  return std::move(*run);
}

// Of a run that ends before `cycle`.
std::string hash_of_run_to(const PreparedRun& run, std::uint64_t cycle) {
  const Experiment& experiment = run.experiment;
  auto inputs = simulation_inputs(experiment, run.programs);
  workloads::TrafficSource source(experiment.workload.traffic, experiment.workload.ports_in,
                                  stop_plan(experiment).offered);
  inputs.packets = &source;
  inputs.stop.at = Cycle(cycle);
  const auto result = simulator::simulate(inputs, simulator::Kernel::kNone);
  return fmt::format("{:016x}", result.state_hash);
}

std::string hash(TimeTravel& run) {
  return run.look({{"look", "hash"}});
}

bool never_interrupted() {
  return true;
}

using Place = std::tuple<std::uint64_t, unsigned, unsigned>;  // cycle, engine, context

// Whoever executes one of the words, in order, as a run's observer is told.
class Executions final : public simulator::RunObserver {
 public:
  explicit Executions(std::uint32_t word) : word_(word) {}
  void slot(const simulator::EngineSlot& slot) override {
    if (slot.state == simulator::ContextState::kExecuting && slot.word == word_ &&
        slot.at.number() > 0)
      places.emplace_back(slot.at.number(), slot.thread.engine.index(),
                          slot.thread.context.index());
  }
  std::vector<Place> places;

 private:
  std::uint32_t word_;
};

std::vector<Place> executions(const PreparedRun& run, std::uint32_t word, std::uint64_t end) {
  Executions executions(word);
  Replay(run.experiment, run.programs).run(nullptr, {&executions, Cycle(0), Cycle(end)});
  std::sort(executions.places.begin(), executions.places.end());
  return executions.places;
}

StopPoints stop_at_word(const DebugTarget& target, std::uint32_t word) {
  StopPoints stops;
  for (const DebugProgram& program : target.programs)
    stops.words.push_back({program.engine, {}, {word}, 7});
  return stops;
}

void add_places(const TimeTravel::Stop& stop, std::vector<Place>& places) {
  for (const Hit& hit : stop.hits)
    places.emplace_back(hit.at, *hit.engine, *hit.context);
}

}  // namespace

TEST_CASE("a run that is stopped and taken back has the state of a run that ends there") {
  const std::string mapping = GENERATE("bv1", "hicuts-data");
  const DebugTarget target = mapping_target(mapping);
  const PreparedRun run = prepared(mapping);
  TimeTravel travel = started(target);
  std::mt19937 random(1);
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t cycle = 1 + random() % 30'000;
    CAPTURE(mapping, cycle);
    travel.go_to(cycle);
    REQUIRE(travel.now() == cycle);
    CHECK(hash(travel) == hash_of_run_to(run, cycle));
  }
}

TEST_CASE("every execution of a word is stopped at, forwards and backwards") {
  const DebugTarget target = mapping_target("bv1");
  const PreparedRun run = prepared("bv1");
  // A word that is rarely executed, and one that is executed all the time.
  const auto [word, end] =
      GENERATE(values<std::pair<std::uint32_t, std::uint64_t>>({{12, 25'000}, {60, 3'000}}));
  const auto expected = executions(run, word, end);
  REQUIRE(expected.size() > 10);
  const StopPoints stops = stop_at_word(target, word);
  TimeTravel travel = started(target);
  std::vector<Place> forwards;
  while (forwards.size() < expected.size())
    add_places(travel.find_next(stops, never_interrupted), forwards);
  std::sort(forwards.begin(), forwards.end());
  CHECK(forwards == expected);
  travel.go_to(end);
  std::vector<Place> backwards;
  for (auto stop = travel.find_last(stops, never_interrupted); stop.why == TimeTravel::Why::kHit;
       stop = travel.find_last(stops, never_interrupted))
    add_places(stop, backwards);
  std::sort(backwards.begin(), backwards.end());
  CHECK(backwards == expected);
  CHECK(travel.now() == 0);
}

TEST_CASE("a run without stop points goes on to its end, stays there, and can be taken back") {
  const DebugTarget target = mapping_target("ls");
  TimeTravel travel = started(target);
  const auto stop = travel.find_next({}, never_interrupted);
  CHECK(stop.why == TimeTravel::Why::kEnd);
  CHECK(stop.end == "the run is over");
  const std::uint64_t end = travel.now();
  const std::string at_end = hash(travel);
  travel.go_to(1'000);
  CHECK(travel.now() == 1'000);
  travel.find_next({}, never_interrupted);
  CHECK(travel.now() == end);
  CHECK(hash(travel) == at_end);
  CHECK(travel.find_next({}, never_interrupted).why == TimeTravel::Why::kEnd);
  CHECK(travel.now() == end);
}

TEST_CASE("a verdict and a full queue are stopped at in the cycle in which they come about") {
  const DebugTarget target = mapping_target("bv1");
  TimeTravel travel = started(target);
  StopPoints stops;
  stops.chip.push_back({ChipStop::Kind::kVerdict, 20, 0, 3});
  const auto verdict = travel.find_next(stops, never_interrupted);
  REQUIRE(verdict.hits.size() == 1);
  CHECK(verdict.hits.front().id == 3);
  CHECK(verdict.hits.front().text == "packet 20 has its verdict");
  travel.go_to(0);
  StopPoints fills;
  fills.chip.push_back({ChipStop::Kind::kQueueFull, 0, 1, 4});
  const auto full = travel.find_next(fills, never_interrupted);
  REQUIRE(full.hits.size() == 1);
  CHECK(travel.look({{"look", "queues"}}).at(0).at("entries").dump().find('1') !=
        std::string::npos);
  travel.go_to(travel.now() - 1);
  CHECK(travel.look({{"look", "queues"}}).at(0).at("entries").dump().find('1') ==
        std::string::npos);
}

}  // namespace nplab::test
