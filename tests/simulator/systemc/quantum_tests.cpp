// Chips that talk through sockets: what depends on the quantum, and what does not.
#include <catch2/catch.hpp>

#include "tests/simulator/systemc/platform.h"

namespace nplab::test {
namespace {

using systemc::Chip;

constexpr std::uint64_t kStatePeriod = 4'000;
constexpr unsigned kFrames = 60;

// A sender, a chip, a wire, another chip and a wire.
struct TwoChips {
  TwoChips(std::uint64_t quantum, const sc_time& latency, const sc_time& pause)
      : first("first", *component.chip, *component.program, options(quantum)),
        second("second", *component.chip, *component.program, options(quantum)),
        between("between", latency),
        sender("sender", [this, latency, pause](Initiator&) { send(latency, pause); }) {
    sender.socket.bind(into_first.target);
    into_first.initiator.bind(first.port[0].rx);
    first.port[1].tx.bind(from_first.target);
    from_first.initiator.bind(between.in);
    between.out.bind(into_second.target);
    into_second.initiator.bind(second.port[0].rx);
    second.port[1].tx.bind(from_second.target);
    from_second.initiator.bind(last.in);
    first.keep_states(kStatePeriod);
    second.keep_states(kStatePeriod);
  }
  static systemc::ChipOptions options(std::uint64_t quantum) {
    systemc::ChipOptions options;
    options.quantum = quantum;
    return options;
  }
  // Frames are handed over `latency` before they begin.
  void send(const sc_time& latency, const sc_time& pause) {
    for (unsigned i = 0; i < kFrames; ++i) {
      FrameTransaction frame(test_frame(i));
      sc_time delay = latency;
      sender.socket->b_transport(frame.payload, delay);
      sc_core::wait(pause);
    }
  }

  Component component{{forwarder(5)}};
  Chip first, second;
  Wire between, last{"last"};
  Initiator sender;
  BaseProtocolMonitor into_first{"into_first"}, from_first{"from_first"},
      into_second{"into_second"}, from_second{"from_second"};
};

struct Outcome {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> states;
  std::vector<sc_time> sent;
  std::vector<std::string> reports, broken;
  std::uint64_t quantum = 0;
  std::uint64_t received = 0;
};

Outcome run(std::uint64_t quantum, double latency_us, double pause_us = 7.3) {
  simulator::begin_platform();
  const ReportLog log;
  TwoChips platform(quantum, sc_time(latency_us, sc_core::SC_US),
                    sc_time(pause_us, sc_core::SC_US));
  sc_core::sc_start(600, sc_core::SC_US);
  Outcome outcome;
  for (const Chip* chip : {&platform.first, &platform.second})
    for (const Chip::State& state : chip->states())
      if (state.cycle <= 90'000)
        outcome.states.emplace_back(state.cycle, state.hash);
  for (const Wire::Taken& one : platform.last.taken)
    outcome.sent.push_back(one.at);
  outcome.reports = ReportLog::texts();
  for (const BaseProtocolMonitor* monitor :
       {&platform.into_first, &platform.from_first, &platform.into_second, &platform.from_second}) {
    CHECK(monitor->transactions > 0);
    outcome.broken.insert(outcome.broken.end(), monitor->broken.begin(), monitor->broken.end());
  }
  outcome.quantum = platform.second.quantum();
  outcome.received = platform.second.counters().received;
  return outcome;
}

}  // namespace

TEST_CASE("with latencies of the quantum or more, states and times do not depend on the quantum") {
  // 8 us are 1,327 cycles.
  const Outcome lockstep = run(1, 8);
  CHECK(lockstep.received == kFrames);
  CHECK(lockstep.states.size() == 2 * (90'000 / kStatePeriod));
  CHECK(lockstep.reports.empty());
  for (const std::uint64_t quantum : {2, 37, 256, 1024, 1300}) {
    INFO("quantum " << quantum);
    const Outcome outcome = run(quantum, 8);
    CHECK(outcome.states == lockstep.states);
    CHECK(outcome.sent == lockstep.sent);
    CHECK(outcome.reports.empty());
    CHECK(outcome.broken.empty());
    CHECK(outcome.quantum == quantum);
  }
}

TEST_CASE("a chip whose accesses come too late shortens its quantum, and says so once") {
  const Outcome outcome = run(5'000, 8);
  CHECK(outcome.quantum < 5'000);
  REQUIRE(outcome.reports.size() == 2);  // each chip once
  CHECK_THAT(outcome.reports[0], Catch::Contains("/nplab/quantum: first.port_0.rx") &&
                                     Catch::Contains("shortened from 5000 to"));
  CHECK_THAT(outcome.reports[1], Catch::Contains("second.port_0.rx"));
}

TEST_CASE("TLM's global quantum is the chip's, where it is set") {
  simulator::begin_platform();
  const Component component({forwarder(5)});
  tlm::tlm_global_quantum::instance().set(sc_time(1, sc_core::SC_US));
  const Chip with("with", *component.chip, *component.program);
  systemc::ChipOptions options;
  options.quantum = 20;
  const Chip own("own", *component.chip, *component.program, options);
  tlm::tlm_global_quantum::instance().set(sc_core::SC_ZERO_TIME);
  const Chip without("without", *component.chip, *component.program);
  CHECK(with.quantum() == 165);
  CHECK(own.quantum() == 20);
  CHECK(without.quantum() == systemc::ChipOptions::kUsualQuantum);
}

}  // namespace nplab::test
