// Modules at the SRAM device sockets that talk in the phases of the base protocol.
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "tests/simulator/systemc/device_bench.h"

namespace nplab::test {
namespace {

using systemc::Chip;

// What a module does with a request, in cycles after it came; nothing: it never does.
struct Plan {
  std::optional<double> taken = 0;
  std::optional<double> answered = 0;
};

// A memory whose END_REQ and BEGIN_RESP come when the test says. It may hold an answer back.
class PhasedUnit : public sc_core::sc_module, public DeviceMemory {
 public:
  using Planner = std::function<Plan(PhasedUnit&, tlm::tlm_generic_payload&)>;
  PhasedUnit(const sc_core::sc_module_name& name, Planner planner)
      : sc_module(name), planner_(std::move(planner)) {
    socket.register_nb_transport_fw(this, &PhasedUnit::take);
    socket.register_transport_dbg(this, &PhasedUnit::debug);
  }
  ~PhasedUnit() override {
    for (tlm::tlm_generic_payload* one : kept_)
      one->release();
  }
  PhasedUnit(const PhasedUnit&) = delete;
  PhasedUnit& operator=(const PhasedUnit&) = delete;

  tlm_utils::simple_target_socket<PhasedUnit> socket{"socket"};
  std::size_t requests = 0;
  std::vector<tlm::tlm_generic_payload*> held;  // requests that a planner answers later

  void say(tlm::tlm_generic_payload& one, const tlm::tlm_phase& phase, const sc_time& after) {
    one.acquire();
    kept_.insert(&one);
    events_.notify(one, phase, after);
  }

 private:
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload& one, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::BEGIN_REQ)
      return tlm::TLM_ACCEPTED;
    ++requests;
    const Plan plan = planner_(*this, one);
    if (plan.taken)
      say(one, tlm::END_REQ, delay + cycles_long(*plan.taken));
    if (plan.answered)
      say(one, tlm::BEGIN_RESP, delay + cycles_long(*plan.answered));
    return tlm::TLM_ACCEPTED;
  }
  void happen(tlm::tlm_generic_payload& one, const tlm::tlm_phase& phase) {
    tlm::tlm_phase said = phase;
    sc_time delay = sc_core::SC_ZERO_TIME;
    if (phase == tlm::BEGIN_RESP) {
      move(one);
      one.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    socket->nb_transport_bw(one, said, delay);
    kept_.erase(kept_.find(&one));
    one.release();
  }
  unsigned debug(tlm::tlm_generic_payload& one) {
    move(one);
    return one.get_data_length();
  }
  Planner planner_;
  std::multiset<tlm::tlm_generic_payload*> kept_;  // once for each phase that is to come
  tlm_utils::peq_with_cb_and_phase<PhasedUnit> events_{this, &PhasedUnit::happen};
};

PhasedUnit::Planner always(Plan plan) {
  return [plan](PhasedUnit&, tlm::tlm_generic_payload&) { return plan; };
}

struct Outcome {
  std::uint64_t cycles = 0;
  bool is_over = false;
  std::vector<std::string> failures, reports, broken;
  std::vector<std::uint64_t> hashes;
  std::map<std::uint64_t, std::uint32_t> words;
};

struct Settings {
  std::uint64_t quantum = 0;
  std::uint64_t states_each = 0;
  simulator::Mode mode = simulator::Mode::kWindows;
  double cycles = 40'000;
};

isa::ProgramImage with_registers(std::vector<Word> words, bool ends = true) {
  words.insert(words.begin(), {immed(a(1), kDeviceBase), immed(a(2), 0x100)});
  if (ends)
    words.push_back(kill());
  return program(words);
}

Outcome run(const std::vector<isa::ProgramImage>& images, const PhasedUnit::Planner& planner,
            const Settings& settings = {}) {
  simulator::begin_platform();
  const ReportLog log;
  const Component component(images, kDeviceRange, settings.mode);
  systemc::ChipOptions options;
  options.answer_limit = sc_time(50, sc_core::SC_US);
  options.quantum = settings.quantum;
  Chip chip("npu", *component.chip, *component.program, options);
  PhasedUnit unit("unit", planner);
  BaseProtocolMonitor monitor("monitor");
  chip.sram_device[0].bind(monitor.target);
  monitor.initiator.bind(unit.socket);
  chip.use_phases(0);
  if (settings.states_each != 0)
    chip.keep_states(settings.states_each);
  sc_core::sc_start(cycles_long(settings.cycles));
  Outcome outcome{chip.cycles(),      chip.is_over(), chip.failures(),
                  ReportLog::texts(), monitor.broken, {},
                  unit.words};
  for (const Chip::State& state : chip.states())
    outcome.hashes.push_back(state.hash);
  return outcome;
}

Outcome run(const std::vector<Word>& words, Plan plan) {
  return run({with_registers(words)}, always(plan));
}

const Word kReadDevice = sram(kSramRead, sram_transfer(0), a(1));
const Word kWriteDevice = sram(kSramWrite, sram_transfer(0), a(1));
const Word kReadMemory = sram(kSramRead, sram_transfer(0), a(2));

// The same words with a module that annotates its latency.
class AnnotatingUnit : public sc_core::sc_module, public DeviceMemory {
 public:
  AnnotatingUnit(const sc_core::sc_module_name& name, double latency)
      : sc_module(name), latency_(latency) {
    socket.register_b_transport(this, &AnnotatingUnit::take);
  }
  tlm_utils::simple_target_socket<AnnotatingUnit> socket{"socket"};

 private:
  void take(tlm::tlm_generic_payload& one, sc_time& delay) {
    move(one);
    one.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += cycles_long(latency_);
  }
  double latency_;
};

enum class Transport { kBlocking, kPhases };
std::uint64_t annotated_cycles(const std::vector<Word>& words, double latency,
                               Transport transport = Transport::kBlocking) {
  simulator::begin_platform();
  const Component component({with_registers(words)}, kDeviceRange);
  Chip chip("npu", *component.chip, *component.program);
  AnnotatingUnit unit("unit", latency);
  chip.sram_device[0].bind(unit.socket);
  if (transport == Transport::kPhases)
    chip.use_phases(0);
  sc_core::sc_start(cycles_long(40'000));
  CHECK(chip.is_over());
  return chip.cycles();
}

}  // namespace

TEST_CASE("an answer in phases comes in the cycle of one that is annotated with the same latency") {
  for (const double latency : {1, 10, 33, 400}) {
    INFO("latency " << latency);
    for (const Word& reference : {kReadDevice, kWriteDevice}) {
      const Outcome outcome = run({reference}, {0, latency});
      CHECK(outcome.is_over);
      CHECK(outcome.broken.empty());
      CHECK(outcome.reports.empty());
      CHECK(outcome.cycles == annotated_cycles({reference}, latency));
    }
  }
}

TEST_CASE("a module that has blocking transport alone is asked in phases as well") {
  const std::vector<Word> words{kReadDevice, kWriteDevice, kReadDevice};
  CHECK(annotated_cycles(words, 70, Transport::kPhases) == annotated_cycles(words, 70));
}

TEST_CASE("references are under way at a module at once, and a thread has its answers in order") {
  const std::vector<Word> both{sram(kSramRead, sram_transfer(0), a(1), 1, Completion::kSilent),
                               sram(kSramRead, sram_transfer(1), a(1))};
  const auto one_after_the_other = [](double first, double second) -> PhasedUnit::Planner {
    return [first, second](PhasedUnit& unit, tlm::tlm_generic_payload&) {
      return Plan{0, unit.requests == 1 ? first : second};
    };
  };
  const auto cycles = [&](double first, double second) {
    return run({with_registers(both)}, one_after_the_other(first, second)).cycles;
  };
  CHECK(cycles(300, 300) == annotated_cycles(both, 300));
  // The second has its answer long before, and waits for the first.
  CHECK(cycles(300, 5) == run({kReadDevice}, {0, 300}).cycles);
}

TEST_CASE("an answer of the memory waits for a module's that the thread asked for before") {
  const std::vector<Word> both{sram(kSramRead, sram_transfer(0), a(1), 1, Completion::kSilent),
                               kReadMemory};
  CHECK(run(both, {0, 300}).cycles == run({kReadDevice}, {0, 300}).cycles);
}

TEST_CASE("a request that the module has not taken holds the bus") {
  const std::vector<Word> both{sram(kSramRead, sram_transfer(0), a(1), 1, Completion::kSilent),
                               kReadMemory};
  const auto at_once = run(both, {0, 0}).cycles;
  const auto later = [&](double taken) { return run(both, {taken, taken}).cycles; };
  CHECK(at_once == annotated_cycles(both, 0));
  // The next reference is chosen in steps of the unit's clock, two cycles.
  CHECK(later(1) == at_once + 2);
  CHECK(later(2) == at_once + 2);
  CHECK(later(60) == at_once + 60);
}

TEST_CASE("a module answers one reference when another one comes") {
  // The read of engine 0 is answered when engine 1 has written: blocking transport would stand
  // still.
  const PhasedUnit::Planner planner = [](PhasedUnit& unit, tlm::tlm_generic_payload& one) {
    if (one.is_read()) {
      unit.held.push_back(&one);
      return Plan{0, {}};
    }
    for (tlm::tlm_generic_payload* const before : unit.held)
      unit.say(*before, tlm::BEGIN_RESP, cycles_long(20));
    unit.held.clear();
    return Plan{0, 10};
  };
  std::vector<Word> writes(200, nop());
  writes.push_back(immed(sram_transfer(0), 42));
  writes.push_back(kWriteDevice);
  const Outcome outcome =
      run({with_registers(
               {kReadDevice, alu(sram_transfer(1), sram_transfer(0), Alu::kAdd, value(1)),
                alu(a(3), a(1), Alu::kAdd, value(4)), sram(kSramWrite, sram_transfer(1), a(3))}),
           with_registers(writes)},
          planner);
  CHECK(outcome.is_over);
  CHECK(outcome.reports.empty());
  CHECK(outcome.broken.empty());
  CHECK(outcome.cycles > 200);
  CHECK(outcome.words.at(0) == 42);
  CHECK(outcome.words.at(4) == 43);
}

TEST_CASE("the states of a chip with a module in phases depend neither on quantum nor on windows") {
  // Times that differ from request to request, and that fall between cycles.
  const PhasedUnit::Planner planner = [](PhasedUnit& unit, tlm::tlm_generic_payload&) {
    const auto number = static_cast<double>(unit.requests);
    return Plan{std::fmod(number * 3.7, 17), 17 + std::fmod(number * 29.3, 90)};
  };
  const isa::ProgramImage counts =
      with_registers({kReadDevice, alu(sram_transfer(0), sram_transfer(0), Alu::kAdd, value(1)),
                      kWriteDevice, br(If::kAlways, 2)},
                     false);
  const isa::ProgramImage both =
      with_registers({sram(kSramRead, sram_transfer(0), a(1), 1, Completion::kSilent),
                      sram(kSramRead, sram_transfer(1), a(2)), br(If::kAlways, 2)},
                     false);
  const isa::ProgramImage memory = with_registers({kReadMemory, br(If::kAlways, 2)}, false);
  const auto states = [&](std::uint64_t quantum, simulator::Mode mode) {
    const Outcome outcome = run({counts, both, memory}, planner, {quantum, 250, mode, 10'500});
    CHECK(outcome.broken.empty());
    CHECK(outcome.reports.empty());
    REQUIRE(outcome.hashes.size() >= 40);
    CHECK(outcome.words.at(0) > 20);
    return std::vector(outcome.hashes.begin(), outcome.hashes.begin() + 40);
  };
  const auto lockstep = states(1, simulator::Mode::kLockstep);
  CHECK(std::set(lockstep.begin(), lockstep.end()).size() == lockstep.size());
  for (const std::uint64_t quantum : {1, 7, 100, 1024, 5000}) {
    INFO("quantum " << quantum);
    CHECK(states(quantum, simulator::Mode::kWindows) == lockstep);
  }
}

TEST_CASE("a module that never answers is named, and the other threads go on") {
  const Outcome outcome =
      run({with_registers({kReadDevice}),
           with_registers({kReadMemory, kReadMemory, alu(a(3), a(1), Alu::kAdd, value(4)),
                           sram(kSramWrite, sram_transfer(0), a(3))})},
          [](PhasedUnit&, tlm::tlm_generic_payload& one) {
            return one.is_read() ? Plan{0, {}} : Plan{0, 5};
          });
  REQUIRE(outcome.reports.size() == 1);
  CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: read of 4 bytes at 0x0 has "
                                                 "had no answer for 50 us: no BEGIN_RESP"));
  CHECK_FALSE(outcome.is_over);
  CHECK(outcome.words.count(4) == 1);
}

TEST_CASE("an answer in phases that comes before its request is named with the transaction") {
  // The module takes no notice of the annotated delay: the chip is ahead of the kernel's time.
  const Outcome outcome =
      run({with_registers({kReadDevice})}, [](PhasedUnit& unit, tlm::tlm_generic_payload& one) {
        unit.say(one, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
        return Plan{{}, {}};
      });
  REQUIRE(outcome.reports.size() == 1);
  CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: read of 4 bytes at 0x0") &&
                                     Catch::Contains("cannot answer before it was asked"));
  REQUIRE(outcome.broken.size() == 1);
  CHECK_THAT(outcome.broken[0], Catch::Contains("before the time of the one before"));
  CHECK(outcome.is_over);
}

TEST_CASE("a module's phases that break the base protocol are named with the transaction") {
  struct Case {
    PhasedUnit::Planner planner;
    const char* report;
    const char* rule;  // that the monitor finds
  };
  const auto also = [](const tlm::tlm_phase& phase, double after) -> PhasedUnit::Planner {
    return [phase, after](PhasedUnit& unit, tlm::tlm_generic_payload& one) {
      unit.say(one, phase, cycles_long(after));
      return Plan{0, 200};
    };
  };
  for (const Case& one : std::vector<Case>{
           {also(tlm::END_REQ, 150), "END_REQ comes once", "END_REQ does not follow BEGIN_REQ"},
           {also(tlm::END_RESP, 150), "phase END_RESP", "neither END_REQ nor BEGIN_RESP"},
           {also(tlm::BEGIN_RESP, 150), "awaits nothing of this transaction",
            "a phase comes without a request"}}) {
    INFO(one.report);
    const Outcome outcome = run({with_registers({kReadDevice})}, one.planner);
    REQUIRE(outcome.reports.size() == 1);
    CHECK_THAT(outcome.reports[0], Catch::Contains("npu.sram_device_0: read of 4 bytes at 0x0") &&
                                       Catch::Contains("breaks the base protocol") &&
                                       Catch::Contains(one.report));
    REQUIRE(outcome.broken.size() == 1);
    CHECK_THAT(outcome.broken[0], Catch::Contains(one.rule));
    CHECK(outcome.is_over);
  }
}

}  // namespace nplab::test
