// The match unit's boxes as modules of SystemC: their ports, and processes that do their work.
#include <cmath>

#include <catch2/catch.hpp>

#include "simulator/run/simulation.h"
#include "simulator/systemc/implementation.h"
#include "simulator/systemc/simulate.h"
#include "simulator/systemc/systemc_kernel.h"
#include "tests/simulator/bench/asking_program.h"
#include "tests/simulator/systemc/platform.h"

namespace nplab::test {

using namespace simulator;

namespace {

const std::vector<std::string> kBoxes{"input_handler", "hash",   "cache",          "load_queue",
                                      "store_queue",   "memory", "action_pipeline"};

struct Clocks {
  std::uint64_t core_hz;
  std::uint64_t unit_hz;
};

// An engine whose threads ask a match unit of random shape.
Component asking_component(std::uint64_t seed, std::uint64_t end,
                           std::optional<Clocks> clocks = std::nullopt) {
  auto inputs = std::make_shared<SimulationInputs>();
  inputs->chip = chip_description("ixp1200");
  add_match_unit(seed, *inputs);
  if (clocks) {
    inputs->chip.clock.core_hz = clocks->core_hz;
    inputs->chip.match->clock_hz = clocks->unit_hz;
  }
  inputs->engines.emplace_back(LoadedProgram{
      asking_program(seed, 0), {ContextId(0), ContextId(1), ContextId(2), ContextId(3)}});
  inputs->stop.at = Cycle(end);
  return Component(inputs);
}

systemc::ChipOptions with_processes() {
  systemc::ChipOptions options;
  options.unit_processes = true;
  return options;
}

// Writes down when an event is notified that is there once the platform is elaborated.
class Watch : public sc_core::sc_module {
 public:
  Watch(const sc_core::sc_module_name& name, const char* event) : sc_module(name), event_(event) {}
  std::vector<sc_time> seen;

 private:
  void end_of_elaboration() override {
    sc_core::sc_event* const event = sc_core::sc_find_event(event_);
    REQUIRE(event != nullptr);
    SC_HAS_PROCESS(Watch);
    SC_METHOD(look);
    sensitive << *event;
    dont_initialize();
  }
  void look() { seen.push_back(sc_core::sc_time_stamp()); }
  const char* event_;
};

template <class Type>
Type& found(const std::string& name) {
  INFO(name);
  auto* const object = dynamic_cast<Type*>(sc_core::sc_find_object(name.c_str()));
  REQUIRE(object != nullptr);
  return *object;
}

}  // namespace

TEST_CASE("every module of the match unit has a process, and ports of its messages' types") {
  begin_platform();
  const Component component = asking_component(1, 1'000);
  systemc::Chip chip("npu", *component.chip, *component.program, with_processes());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const std::string& box : kBoxes) {
    found<sc_core::sc_module>("npu.match." + box);
    auto& process = found<sc_core::sc_process_b>("npu.match." + box + ".work");
    CHECK(process.proc_kind() == sc_core::SC_METHOD_PROC_);
  }
  using Tags = match::Port<match::Tag>;
  using Lines = match::Port<match::Pass>;
  auto& tags = found<SystemCKernel::Port<Tags>>("npu.match.hash.tag_slot_to_cache");
  CHECK(&tags.target() == &chip.implementation().unit()->wires().to_cache);
  auto& lines =
      found<SystemCKernel::Port<Lines>>("npu.match.load_queue.tag_line_to_action_pipeline");
  CHECK(&lines.target() == &chip.implementation().unit()->wires().passes);
  const auto& received = found<sc_core::sc_object>("npu.match.cache.tag_slot_from_hash");
  const auto note = [&received](const char* name) {
    return dynamic_cast<const sc_core::sc_attribute<std::string>&>(*received.get_attribute(name))
        .value;
  };
  CHECK(note("message") == "tag, slot");
  CHECK(note("latency") == std::to_string(tags.target().latency()));
  CHECK(note("capacity") == std::to_string(tags.target().capacity()));
}

TEST_CASE("the hierarchy has every module and every arrow of the match unit's drawing, once") {
  begin_platform();
  const Component component = asking_component(3, 1'000);
  systemc::Chip chip("npu", *component.chip, *component.program, with_processes());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::size_t ports = 0, exports = 0;
  for (const std::string& box : kBoxes)
    for (const sc_core::sc_object* object :
         found<sc_core::sc_module>("npu.match." + box).get_child_objects()) {
      ports += dynamic_cast<const sc_core::sc_port_base*>(object) != nullptr ? 1 : 0;
      exports += dynamic_cast<const sc_core::sc_export_base*>(object) != nullptr ? 1 : 0;
    }
  std::size_t wires = 0;
  chip.implementation().unit()->wires().for_each(
      [&wires](const char*, const char*, const char*, const auto&) { ++wires; });
  CHECK(ports == wires);
  CHECK(exports == wires);
}

// The units' shapes and clocks, and the programs, are drawn by seed.
TEST_CASE("the processes of a match unit's modules leave the state that the unit by itself does") {
  std::uint64_t answered = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    SimulationInputs inputs;
    inputs.chip = chip_description("ixp1200");
    add_match_unit(seed, inputs);
    for (unsigned engine = 0; engine < 2; ++engine)
      inputs.engines.emplace_back(LoadedProgram{
          asking_program(seed, engine), {ContextId(0), ContextId(1), ContextId(2), ContextId(3)}});
    inputs.stop.at = Cycle(2'001);
    const SimulationResult plain = simulate(inputs, Kernel::kNone);
    const SimulationResult processes = simulate(inputs, Kernel::kSystemCProcesses);
    CHECK(processes.cycles == plain.cycles);
    CHECK(processes.state_hash == plain.state_hash);
    CHECK(processes.match->inexact_rules == 0);
    answered += processes.match->counters.answered;
  }
  CHECK(answered > 100);
}

// At 300 MHz beside 200 MHz every third cycle of the unit begins with every second one of the chip.
TEST_CASE("the processes of a match unit's modules run at the times of the unit's cycles") {
  begin_platform();
  const Component component = asking_component(2, 2'000, {{200'000'000, 300'000'000}});
  systemc::Chip chip("npu", *component.chip, *component.program, with_processes());
  Watch watch("watch", "npu.match.cycle");
  sc_core::sc_start();
  CHECK(chip.is_over());
  REQUIRE(watch.seen.size() > 500);
  const sc_time unit_cycle = chip.cycle_time() * (2.0 / 3);
  for (std::size_t i = 1; i < watch.seen.size(); ++i) {
    const double cycles = watch.seen[i] / unit_cycle;
    INFO("cycle " << cycles);
    REQUIRE(cycles == Approx(std::round(cycles)).margin(1e-6));
    REQUIRE(watch.seen[i] > watch.seen[i - 1]);
  }
  CHECK(watch.seen.back() < sc_core::sc_time_stamp() + chip.cycle_time());
}

TEST_CASE("a module of the match unit does nothing when its process is disabled") {
  for (const bool is_disabled : {false, true}) {
    begin_platform();
    const Component component = asking_component(1, 3'000);
    systemc::Chip chip("npu", *component.chip, *component.program, with_processes());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    if (is_disabled)
      sc_core::sc_process_handle(&found<sc_core::sc_object>("npu.match.hash.work")).disable();
    sc_core::sc_start();
    const auto& counters = chip.implementation().unit()->counters();
    CHECK(counters.posted > 0);
    CHECK((counters.answered == 0) == is_disabled);
  }
}

}  // namespace nplab::test
