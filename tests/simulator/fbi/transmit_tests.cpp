// The way of an mpacket from the TFIFO to a port, to the cycle. IX cycles begin in core cycles 0,
// 3, 5, 8, 10, ...
#include <catch2/catch.hpp>

#include "tests/simulator/fbi/fbi_bench.h"

namespace nplab::simulator {
namespace {

using Register = isa::ControlStatusRegister;
using test::FbiBench;
using test::kWholeFrame;

TEST_CASE("a valid element leaves over the IX bus in 5 + 8 IX cycles and the pointer goes on") {
  FbiBench bench({});
  bench.transmit(0, kWholeFrame | 5, Cycle(100));
  CHECK(bench.fbi.next_event() == Cycle(133));  // IX 40 to 53, core 132.5
  CHECK(bench.value_of(Register::kTransmitPointer, Cycle(120)) == 0);
  CHECK(bench.tracker.sent_on(5).first_start == std::nullopt);
  bench.fbi.run(Cycle(134));
  CHECK(bench.tracker.sent_on(5).first_start == Cycle(100));
  CHECK(bench.value_of(Register::kTransmitPointer, Cycle(130)) == 1);
  CHECK(bench.media.transmit(5).room(Cycle(134)) == 192);
  CHECK(bench.monitor.progressed == std::vector<Cycle>{Cycle(133)});
}

TEST_CASE("elements leave in order: one that is valid early waits for those before it") {
  FbiBench bench({});
  bench.transmit(1, kWholeFrame | 2, Cycle(100));
  CHECK(bench.fbi.next_event() == Cycle::never());
  bench.transmit(0, kWholeFrame | 1, Cycle(500));
  bench.fbi.run(Cycle(1000));
  CHECK(bench.tracker.sent_on(1).first_start == Cycle(500));
  CHECK(bench.tracker.sent_on(2).first_start == Cycle(533));
  CHECK(bench.value_of(Register::kTransmitPointer, Cycle(1000)) == 2);
}

TEST_CASE("an element marked to skip is passed without the bus") {
  FbiBench bench({});
  bench.transmit(1, kWholeFrame | 2, Cycle(100));
  bench.transmit(0, 1u << 10, Cycle(500));
  bench.fbi.run(Cycle(1000));
  CHECK(bench.tracker.sent_on(2).first_start == Cycle(500));
  CHECK(bench.value_of(Register::kTransmitPointer, Cycle(1000)) == 2);
}

TEST_CASE("the walk wraps after the last element, and the pointer's upper bits count on") {
  FbiBench bench({});
  for (unsigned i = 0; i < 17; ++i)
    bench.transmit(i % 16, kWholeFrame | (i % 8), Cycle(1000 + 1000 * i));
  bench.fbi.run(Cycle(20'000));
  CHECK(bench.value_of(Register::kTransmitPointer, Cycle(20'000)) == 17);
  CHECK(bench.monitor.faults.empty());
}

TEST_CASE("an element waits for room in its port's buffer, and those after it wait too") {
  FbiBench bench({});
  for (unsigned i = 0; i < 5; ++i)
    bench.transmit(i, kWholeFrame, Cycle(100 + 50 * i));
  bench.transmit(5, kWholeFrame | 1, Cycle(350));
  bench.fbi.run(Cycle(644));
  // The first mpacket is at the port in cycle 133 and has left by 133 + 512 = 645.
  CHECK(bench.tracker.sent_on(1).first_start == std::nullopt);
  CHECK((bench.value_of(Register::kTransmitReady, Cycle(640)) & 3) == 2);
  bench.fbi.run(Cycle(645));
  CHECK(bench.media.transmit(0).room(Cycle(644)) == 0);
  bench.fbi.run(Cycle(2000));
  // Given at 645 (IX 258), at the port in IX 271 (core 677.5), and the next follows at once.
  CHECK(bench.tracker.sent_on(1).first_start == Cycle(678));
}

TEST_CASE("receive and transmit take turns when both want the IX bus") {
  FbiBench bench({{0, 64, 0}, {1, 64, 0}, {2, 64, 0}});
  bench.transmit(1, kWholeFrame | 1, Cycle(1600));
  bench.request(0, 0, 0, Cycle(2000));
  bench.request(1, 1, 1, Cycle(2002));
  bench.fbi.run(Cycle(2010));
  bench.transmit(0, kWholeFrame, Cycle(2020));
  bench.fbi.run(Cycle(2200));
  // 2000 to 2033 receive, to 2065 transmit, to 2098 receive, to 2130 transmit.
  CHECK(bench.tracker.received_on(0).first_start == Cycle(2000));
  CHECK(bench.tracker.sent_on(0).first_start == Cycle(2033));
  CHECK(bench.tracker.received_on(1).first_start == Cycle(2065));
  CHECK(bench.tracker.sent_on(1).first_start == Cycle(2098));
}

TEST_CASE("a validated element with a wrong control longword, or still valid, is a fault") {
  const auto control = GENERATE(8u | 64u << 16, 0u, 65u << 16);
  FbiBench bench({});
  bench.transmit(3, control, Cycle(100));
  REQUIRE(bench.monitor.faults.size() == 1);
  CHECK(bench.monitor.faults[0].kind == Fault::Kind::kIllegalReference);
  bench.transmit(4, kWholeFrame, Cycle(200));
  bench.transmit(4, kWholeFrame, Cycle(300));
  REQUIRE(bench.monitor.faults.size() == 2);
  CHECK(bench.monitor.faults[1].at == Cycle(300));
}

TEST_CASE("what waits in the FBI is described") {
  FbiBench bench({});
  bench.transmit(3, kWholeFrame, Cycle(100));
  bench.request(0, 0, 0, Cycle(200));
  bench.fbi.run(Cycle(201));
  bench.read_register(Register::kCycleCount, Cycle(201), ThreadId(6));
  std::vector<std::string> lines;
  bench.fbi.describe_waiting(lines);
  CHECK(lines == std::vector<std::string>{
                     "fbi.queue: a reference of engine 1 thread 2, word 17",
                     "receive machine: 1 requests wait",
                     "transmit machine: element 3 is valid, the machine is at element 0"});
}

}  // namespace
}  // namespace nplab::simulator
