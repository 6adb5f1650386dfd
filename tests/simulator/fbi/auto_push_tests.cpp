// The automatic push of the ready-bus sequencer. Samples are taken in multiples of 12 cycles; a
// push arrives 8 later.
#include <catch2/catch.hpp>

#include "tests/simulator/fbi/fbi_bench.h"

namespace nplab::simulator::test {
namespace {

using Register = isa::ControlStatusRegister;

constexpr std::uint32_t kOn = 1 << 9;

std::uint32_t control(unsigned thread, unsigned first) {
  return thread | kOn | first << 12;
}

// Written with effect in cycle `at`.
void configure(FbiBench& bench, std::uint32_t value, std::uint64_t at) {
  bench.fast_write(Register::kReceiveReadyCount, value, Cycle(at - kFbiParameters.command_latency));
}

}  // namespace

TEST_CASE(
    "auto_push sends every sample after its start to the thread's registers, with its event") {
  FbiBench bench({});
  configure(bench, control(6, 2), 24);
  bench.run(Cycle(61));
  const ThreadId thread(6);
  REQUIRE(bench.threads.pushes.size() == 3);
  CHECK(bench.threads.pushes[0] == Push{thread, 8 * 2 + 2, {0, 0, 4}, Cycle(44)});
  CHECK(bench.threads.pushes[1] == Push{thread, 8 * 2 + 2, {0, 0, 5}, Cycle(56)});
  CHECK(bench.threads.pushes[2] == Push{thread, 8 * 2 + 2, {0, 0, 6}, Cycle(68)});
  REQUIRE(bench.threads.signals.size() == 3);
  CHECK(bench.threads.signals[0] == Signal{thread, isa::Event::kAutoPush, Cycle(44)});
}

TEST_CASE("auto_push shows a port that has an mpacket at the sample, as reading rcv_rdy_lo does") {
  // The wire of port 3 starts in cycle 1000: 64 bytes of 8 cycles are there in cycle 1512, a
  // multiple of 12.
  FbiBench bench({{3, 64, 0}});
  configure(bench, control(0, 0), 1490);
  bench.run(Cycle(1525));
  REQUIRE(bench.threads.pushes.size() == 3);
  CHECK(bench.threads.pushes[0].longwords[0] == 0);
  CHECK(bench.threads.pushes[1].longwords[0] == 1u << 3);
  CHECK(bench.threads.pushes[1].at == Cycle(1520));
}

TEST_CASE("push_protect is set from the sample until the data have arrived") {
  FbiBench bench({});
  configure(bench, control(0, 0), 24);
  bench.run(Cycle(36));
  const auto state = [&](std::uint64_t at) {
    bench.run(Cycle(at));
    return bench.fbi.input_state(isa::InputState::kPushProtect, Cycle(at));
  };
  CHECK_FALSE(state(36));
  CHECK(state(37));
  CHECK(state(44));
  CHECK_FALSE(state(45));
  CHECK_FALSE(state(48));
  CHECK(state(49));
}

TEST_CASE("auto_push is off at reset and when its bit is cleared, what is under way arrives") {
  FbiBench bench({});
  bench.run(Cycle(100));
  CHECK(bench.threads.pushes.empty());
  CHECK_FALSE(bench.fbi.input_state(isa::InputState::kPushProtect, Cycle(100)));
  configure(bench, control(0, 0), 110);
  configure(bench, 0, 125);
  bench.run(Cycle(300));
  REQUIRE(bench.threads.pushes.size() == 1);
  CHECK(bench.threads.pushes[0].at == Cycle(128));
}

TEST_CASE("an auto_push to a thread or registers that do not exist is a fault") {
  for (const std::uint32_t wrong : {control(24, 0), control(3, 6)}) {
    FbiBench bench({});
    configure(bench, wrong, 24);
    bench.run(Cycle(60));
    REQUIRE(bench.monitor.faults.size() == 1);
    CHECK(bench.monitor.faults[0].kind == Fault::Kind::kIllegalReference);
    CHECK_THAT(bench.monitor.faults[0].message, Catch::Contains("rcv_rdy_cnt"));
    CHECK(bench.threads.pushes.empty());
  }
}

}  // namespace nplab::simulator::test
