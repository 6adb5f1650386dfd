// Hand-assembled receive and transmit on the whole chip: one thread takes frames of one mpacket
// from port 0 and sends them on port 1.
#include <catch2/catch.hpp>

#include "simulator/run/simulation.h"
#include "tests/simulator/bench/bench_chip.h"
#include "tests/simulator/bench/forwarder.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::test {
namespace {

using namespace simulator;
using simulator::test::TestSource;

struct CountVerdicts : VerdictSink {
  void verdict(const workloads::OfferedPacket&, std::optional<std::uint32_t> rule, Cycle) override {
    if (rule == 15u)
      ++count;
  }
  std::uint64_t count = 0;
};

SimulationInputs forwarding(TestSource& source, CountVerdicts& verdicts) {
  SimulationInputs inputs;
  inputs.chip = chip_description("ixp1200");
  inputs.engines.emplace_back(LoadedProgram{forwarder(5), {ContextId(0)}});
  inputs.packets = &source.source;
  inputs.verdicts = &verdicts;
  inputs.watchdog = 100'000;
  return inputs;
}

TEST_CASE("a port at wire rate is forwarded without loss, every frame byte for byte") {
  TestSource source({{0, 64, 0}, {0, 64, 0}, {0, 64, 7}}, 100);
  CountVerdicts verdicts;
  auto inputs = forwarding(source, verdicts);
  inputs.stop.drained = true;
  const auto result = simulate(inputs, Kernel::kNone);
  INFO((result.fault ? result.fault->message : std::string("no fault")));
  INFO((result.deadlock ? result.deadlock->waiting.front() : std::string("no deadlock")));
  CHECK(result.violations == std::vector<std::string>{});
  CHECK(result.frames.received == 300);
  CHECK(result.frames.sent == 300);
  CHECK(result.frames.classified == 300);
  CHECK(verdicts.count == 300);
  CHECK(result.frames_in_flight == 0);
  CHECK(result.ports[0].wire.missed == 0);
  CHECK(result.ports[1].sent.frames == 300);
  CHECK(result.latency.min > 0);
  // 300 slots of 76 bytes and 100 gaps of 7, at 13.2712 cycles a byte from cycle 2000 on, and the
  // last frame's way through.
  CHECK(result.cycles > 2000 + 23'488 * 132'712ull / 10'000);
  CHECK(result.cycles < 2000 + 23'500 * 132'712ull / 10'000 + 1000);
}

TEST_CASE("a run stops at the end of the cycle in which the wanted frame is received") {
  TestSource source({{0, 64, 0}}, 100);
  CountVerdicts verdicts;
  auto inputs = forwarding(source, verdicts);
  inputs.stop.packets_received = 10;
  const auto stopped = simulate(inputs, Kernel::kNone);
  CHECK(stopped.frames.received == 10);
  CHECK(stopped.frames_in_flight == 10 - stopped.frames.sent);

  TestSource again({{0, 64, 0}}, 100);
  inputs.packets = &again.source;
  inputs.stop.packets_received.reset();
  inputs.stop.at = Cycle(stopped.cycles - 1);
  CHECK(simulate(inputs, Kernel::kNone).frames.received == 9);
}

TEST_CASE("silence on the wire is not a deadlock, however long") {
  TestSource source({{0, 64, 0}, {0, 64, 100'000}}, 2);
  CountVerdicts verdicts;
  auto inputs = forwarding(source, verdicts);
  inputs.watchdog = 5'000;  // frames and gap take 1.3 million cycles
  inputs.stop.drained = true;
  const auto result = simulate(inputs, Kernel::kNone);
  CHECK_FALSE(result.deadlock);
  CHECK(result.frames.sent == 4);
}

TEST_CASE("frames that nobody fetches from the device are a deadlock within two watch periods") {
  TestSource source({{0, 64, 0}}, 1'000'000);
  CountVerdicts verdicts;
  auto inputs = forwarding(source, verdicts);
  inputs.engines[0]->image = program({br(If::kAlways, 0)});
  inputs.stop.packets_received = 10;
  const auto result = simulate(inputs, Kernel::kNone);
  REQUIRE(result.deadlock);
  CHECK(result.cycles > 100'000);
  CHECK(result.cycles < 200'200);
}

TEST_CASE("what a thread drops is counted by thread and reason") {
  TestSource source({{0, 64, 0}}, 5);
  CountVerdicts verdicts;
  auto inputs = forwarding(source, verdicts);
  inputs.engines[0]->image.annotations = {{12, isa::Annotation::Kind::kPacketDrop, a(1), value(1)}};
  inputs.stop.packets_received = 4;
  const auto result = simulate(inputs, Kernel::kNone);
  REQUIRE(result.drops.size() == 1);
  CHECK(result.drops[0][static_cast<std::size_t>(DropReason::kQueueFull) - 1] >= 3);
  CHECK(result.drops[0][static_cast<std::size_t>(DropReason::kDenied) - 1] == 0);
}

}  // namespace
}  // namespace nplab::test
