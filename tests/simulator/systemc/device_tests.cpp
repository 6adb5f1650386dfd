// Modules at the SRAM device sockets.
#include <catch2/catch.hpp>

#include "tests/simulator/systemc/device_bench.h"

namespace nplab::test {
namespace {

using systemc::Chip;

constexpr unsigned kBase = kDeviceBase, kRead = kSramRead, kWrite = kSramWrite;
const std::vector<std::string>& kRange = kDeviceRange;

// A memory of 64 words as a module whose answers take what the test says.
class Unit : public sc_core::sc_module, public DeviceMemory {
 public:
  using Answer = std::function<void(tlm::tlm_generic_payload&, sc_time&)>;
  explicit Unit(const sc_core::sc_module_name& name, Answer answer = {})
      : sc_module(name), answer_(std::move(answer)) {
    socket.register_b_transport(this, &Unit::take);
    socket.register_transport_dbg(this, &Unit::debug);
  }
  tlm_utils::simple_target_socket<Unit> socket{"socket"};

 private:
  void take(tlm::tlm_generic_payload& one, sc_time& delay) {
    one.set_response_status(tlm::TLM_OK_RESPONSE);
    move(one);
    if (answer_)
      answer_(one, delay);
  }
  unsigned debug(tlm::tlm_generic_payload& one) {
    move(one);
    return one.get_data_length();
  }
  Answer answer_;
};

struct Outcome {
  std::uint64_t cycles = 0;
  bool is_over = false;
  std::vector<std::string> failures, reports, broken;
};

// Runs the words on thread 0 until it ends, with a module for the range; `look` sees it afterwards.
Outcome run(std::vector<Word> words, const Unit::Answer& answer = {},
            const std::function<void(Chip&, Unit&)>& look = {}) {
  simulator::begin_platform();
  const ReportLog log;
  words.insert(words.begin(), {immed(a(1), kBase), immed(a(2), 0x100)});
  words.push_back(kill());
  isa::ProgramImage image = program(words);
  image.data = {{isa::MemorySpace::kSram, kBase + 16, {7, 8}}};
  const Component component({image}, kRange);
  systemc::ChipOptions options;
  options.answer_limit = sc_time(50, sc_core::SC_US);
  Chip chip("npu", *component.chip, *component.program, options);
  Unit unit("unit", answer);
  BaseProtocolMonitor monitor("monitor");
  chip.sram_device[0].bind(monitor.target);
  monitor.initiator.bind(unit.socket);
  sc_core::sc_start(200, sc_core::SC_US);
  if (look)
    look(chip, unit);
  return {chip.cycles(), chip.is_over(), chip.failures(), ReportLog::texts(), monitor.broken};
}

Unit::Answer takes(simulator::Cycles cycles) {
  return [cycles](tlm::tlm_generic_payload&, sc_time& delay) {
    delay += cycles_long(static_cast<double>(cycles));
  };
}

}  // namespace

TEST_CASE(
    "a module answers an ordinary read and write, and has what the program's data put there") {
  std::uint32_t written = 0, kept = 0;
  const Outcome outcome = run({sram(kRead, sram_transfer(0), a(1), 6),
                               alu(sram_transfer(0), sram_transfer(4), Alu::kAdd4, value(0)),
                               sram(kWrite, sram_transfer(0), a(1))},
                              {}, [&](Chip&, Unit& unit) {
                                written = unit.words[0];
                                kept = unit.words[20];
                              });
  CHECK(outcome.is_over);
  CHECK(outcome.failures.empty());
  CHECK(outcome.reports.empty());
  CHECK(outcome.broken.empty());
  CHECK(kept == 8);
  CHECK(written == 7);
}

TEST_CASE("the annotated delay is added to the time of a reference to memory, cycle by cycle") {
  const auto read = sram(kRead, sram_transfer(0), a(1));
  const auto write = sram(kWrite, sram_transfer(0), a(1));
  const auto memory_read = run({sram(kRead, sram_transfer(0), a(2))}).cycles;
  const auto memory_write = run({sram(kWrite, sram_transfer(0), a(2))}).cycles;
  for (const simulator::Cycles latency : {0, 1, 10, 400}) {
    INFO("latency " << latency);
    CHECK(run({read}, takes(latency)).cycles == memory_read + latency);
    CHECK(run({write}, takes(latency)).cycles == memory_write + latency);
  }
}

TEST_CASE("a module that waits takes as long as one that annotates") {
  const auto read = sram(kRead, sram_transfer(0), a(1));
  const Outcome waits = run({read}, [](tlm::tlm_generic_payload&, sc_time& delay) {
    sc_core::wait(delay + cycles_long(50));
    delay = sc_core::SC_ZERO_TIME;
  });
  CHECK(waits.cycles == run({read}, takes(50)).cycles);
  CHECK(waits.broken.empty());
}

TEST_CASE("answers to a thread come in the order of its references") {
  const auto read = [](Code address, Completion completion) {
    return sram(kRead, sram_transfer(0), address, 1, completion);
  };
  const auto cycles =
      run({read(a(1), Completion::kSilent), read(a(2), Completion::kSwap)}, takes(300)).cycles;
  // The memory's own answer would come at once; it comes with the module's.
  CHECK(cycles == run({read(a(1), Completion::kSwap)}, takes(300)).cycles);
}

TEST_CASE("a module may hold the bus for a time of its own") {
  const std::vector<Word> words{sram(kRead, sram_transfer(0), a(1), 1, Completion::kSilent),
                                sram(kRead, sram_transfer(1), a(2))};
  const auto holds = [](unsigned cycles) -> Unit::Answer {
    return [cycles](tlm::tlm_generic_payload& one, sc_time&) {
      one.get_extension<systemc::BusOccupancy>()->hold(cycles_long(cycles));
    };
  };
  // A read of a longword holds it for 2 cycles.
  CHECK(run(words, holds(2)).cycles == run(words).cycles);
  CHECK(run(words, holds(42)).cycles == run(words).cycles + 40);
}

TEST_CASE("references that no device takes are faults of the program, and name the range") {
  const Outcome crosses = run({immed(a(1), kBase + 248), sram(kRead, sram_transfer(0), a(1), 4)});
  REQUIRE(crosses.failures.size() == 1);
  CHECK_THAT(crosses.failures[0], Catch::Contains("crosses the end of a device's range"));
  CHECK(crosses.is_over);
}

TEST_CASE("an error response is reported with the transaction, and the program goes on") {
  const Outcome outcome =
      run({sram(kRead, sram_transfer(0), a(1))}, [](tlm::tlm_generic_payload& one, sc_time&) {
        one.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      });
  REQUIRE(outcome.reports.size() == 1);
  CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: read of 4 bytes at 0x0") &&
                                     Catch::Contains("TLM_ADDRESS_ERROR_RESPONSE"));
  CHECK(outcome.is_over);
}

TEST_CASE("a module that answers before it was asked is named with the transaction") {
  const Outcome outcome =
      run({sram(kRead, sram_transfer(0), a(1), 2)},
          [](tlm::tlm_generic_payload&, sc_time& delay) { delay = sc_core::SC_ZERO_TIME; });
  REQUIRE(outcome.reports.size() == 1);
  CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: read of 8 bytes at 0x0") &&
                                     Catch::Contains("cannot answer before it was asked"));
  CHECK(outcome.is_over);
}

TEST_CASE("a module that never answers is named with the transaction, and the platform goes on") {
  const Outcome outcome =
      run({sram(kWrite, sram_transfer(0), a(1))}, [](tlm::tlm_generic_payload&, sc_time&) {
        const sc_core::sc_event never;
        sc_core::wait(never);
      });
  REQUIRE(outcome.reports.size() == 1);
  CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: write of 4 bytes at 0x0") &&
                                     Catch::Contains("has had no answer for 50 us"));
  CHECK_FALSE(outcome.is_over);
}

TEST_CASE("a range without a module is reported, and memory answers there") {
  simulator::begin_platform();
  const ReportLog log;
  const Component component({program({br(If::kAlways, 0)})}, kRange);
  Chip chip("npu", *component.chip, *component.program);
  sc_core::sc_start(1, sc_core::SC_US);
  REQUIRE(ReportLog::texts().size() == 1);
  CHECK_THAT(ReportLog::texts()[0], Catch::Contains("no module is bound for the range 'unit'"));
}

TEST_CASE("a module at a socket for which the chip has no range is reported, and never asked") {
  simulator::begin_platform();
  const ReportLog log;
  const Component component({program({br(If::kAlways, 0)})});
  Chip chip("npu", *component.chip, *component.program);
  Unit unit("unit");
  chip.sram_device[2].bind(unit.socket);
  sc_core::sc_start(1, sc_core::SC_US);
  REQUIRE(ReportLog::texts().size() == 1);
  CHECK_THAT(ReportLog::texts()[0],
             Catch::Contains("npu.sram_device_2: the chip ixp1200 has no range for it"));
  CHECK(unit.words.empty());
}

TEST_CASE("the states of a chip with a device do not depend on the quantum") {
  const auto states = [](std::uint64_t quantum) {
    simulator::begin_platform();
    const Component component(
        {program({immed(a(1), kBase), sram(kRead, sram_transfer(0), a(1)),
                  alu(sram_transfer(0), sram_transfer(0), Alu::kAdd, value(1)),
                  sram(kWrite, sram_transfer(0), a(1)), br(If::kAlways, 1)}),
         program({immed(a(2), 0x100), sram(kRead, sram_transfer(0), a(2)), br(If::kAlways, 1)})},
        kRange);
    systemc::ChipOptions options;
    options.quantum = quantum;
    Chip chip("npu", *component.chip, *component.program, options);
    Unit unit("unit", takes(33));
    chip.sram_device[0].bind(unit.socket);
    chip.keep_states(500);
    sc_core::sc_start(chip.cycle_time() * 10'000);
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < 20; ++i)
      hashes.push_back(chip.states().at(i).hash);
    // A round takes its two latencies and some 60 cycles of the chip's.
    CHECK(unit.words[0] > 60);
    return hashes;
  };
  const auto lockstep = states(1);
  for (const std::uint64_t quantum : {7, 100, 1024})
    CHECK(states(quantum) == lockstep);
}

}  // namespace nplab::test
