// The way of an mpacket from a port into the RFIFO, to the cycle. IX cycles begin in core cycles 0,
// 3, 5, 8, 10, ...
#include <catch2/catch.hpp>

#include "tests/simulator/fbi/fbi_bench.h"

namespace nplab::simulator {
namespace {

using isa::Event;
using isa::InputState;
using Register = isa::ControlStatusRegister;
using test::FbiBench;
using test::Signal;

std::uint32_t control(unsigned port, unsigned element, const char* marks, unsigned bytes) {
  const std::string_view text(marks);
  const auto bit = [text](char c, unsigned position) {
    return std::uint32_t{text.find(c) != text.npos} << position;
  };
  return port | element << 4 | bit('S', 8) | bit('E', 9) | bit('!', 10) | bit('0', 11) |
         bytes << 16;
}

TEST_CASE("a request for an mpacket that is ready moves it over the IX bus in 5 + 8 IX cycles") {
  FbiBench bench({{3, 64, 0}});
  bench.request(3, 2, 9, Cycle(1604));
  bench.fbi.run(Cycle(1638));
  // From IX cycle 642 (core 1605) to 655 (core 1637.5, so 1638).
  CHECK(bench.fbi.next_event() == Cycle(1638));
  CHECK(bench.fbi.earliest_receipt() == Cycle(1638));
  CHECK(bench.tracker.counters().received == 0);
  bench.fbi.run(Cycle(1639));
  CHECK(bench.tracker.counters().received == 1);
  CHECK(bench.monitor.progressed == std::vector<Cycle>{Cycle(1638)});
  CHECK(bench.tracker.received_on(3).first_start == Cycle(1605));
  CHECK(bench.tracker.received_on(3).bytes == 64);
  CHECK(bench.threads.signals ==
        std::vector<Signal>{{ThreadId(9), Event::kStartReceive, Cycle(1644)}});
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(1650), ThreadId(9)) ==
        control(3, 2, "SE", 64));
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(1660), ThreadId(8)) == 0);
}

TEST_CASE("the RFIFO holds the bytes, the first one most significant") {
  FbiBench bench({{0, 64, 0}});
  bench.request(0, 15, 0, Cycle(1600));
  bench.fbi.run(Cycle(1700));
  bench.reference(isa::Operation::kRFifoRd, 8, 64 * 15 + 32, Cycle(1700));
  bench.fbi.run(Cycle(1710));
  const auto& frame = bench.source.traffic.packets()[0].frame;
  const auto& read = bench.threads.pushes.back();
  CHECK(read.at == Cycle(1704 + 8 + 8));
  REQUIRE(read.longwords.size() == 8);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(read.longwords[i] == workloads::load_big_endian(frame, 32 + 4 * i, 4));
}

TEST_CASE("a short last mpacket takes 5 IX cycles and one for every 8 bytes begun") {
  FbiBench bench({{0, 73, 0}});
  bench.request(0, 0, 0, Cycle(2000));
  bench.request(0, 1, 1, Cycle(2002));
  bench.fbi.run(Cycle(2100));
  // First: IX 800 to 813 (core 2000 to 2032.5); second: 9 bytes, IX 813 to 820 (core 2050).
  CHECK(bench.threads.signals ==
        std::vector<Signal>{{ThreadId(0), Event::kStartReceive, Cycle(2033 + 6)},
                            {ThreadId(1), Event::kStartReceive, Cycle(2050 + 6)}});
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(2100), ThreadId(0)) ==
        control(0, 0, "S", 64));
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(2110), ThreadId(1)) ==
        control(0, 1, "E", 9));
  CHECK(bench.tracker.received_on(0).bytes == 73);
}

TEST_CASE(
    "a request waits for an mpacket that is ready within the time-out, in its last cycle too") {
  // Ready in cycle 1512; a request waits 10 cycles.
  const auto [requested, answered, marks, bytes] =
      GENERATE(std::tuple{1502u, 1545u + 6, "SE", 64u}, std::tuple{1501u, 1511u + 6, "0", 0u});
  FbiBench bench({{0, 64, 0}});
  bench.request(0, 4, 2, Cycle(requested));
  bench.fbi.run(Cycle(1700));
  // 1512 is not an IX cycle's start: from 605 (core 1512.5, so 1513) to 618 (core 1545).
  CHECK(bench.threads.signals ==
        std::vector<Signal>{{ThreadId(2), Event::kStartReceive, Cycle(answered)}});
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(1700), ThreadId(2)) ==
        control(0, 4, marks, bytes));
}

TEST_CASE("requests are served in order: one that waits holds back those after it") {
  FbiBench bench({{0, 64, 0}});
  bench.request(5, 0, 0, Cycle(2000));  // nothing ever comes on port 5
  bench.request(0, 1, 1, Cycle(2002));
  bench.fbi.run(Cycle(2100));
  CHECK(bench.threads.signals ==
        std::vector<Signal>{{ThreadId(0), Event::kStartReceive, Cycle(2010 + 6)},
                            {ThreadId(1), Event::kStartReceive, Cycle(2043 + 6)}});
}

TEST_CASE("a frame cut off by a full buffer is received in error") {
  FbiBench bench({{0, 400, 0}});
  for (unsigned i = 0; i < 4; ++i)
    bench.request(0, i, i, Cycle(10'000 + 2 * i));
  bench.fbi.run(Cycle(11'000));
  CHECK(bench.value_of(Register::kReceiveControl, Cycle(11'000), ThreadId(3)) ==
        control(0, 3, "E!", 64));
  CHECK(bench.tracker.counters().received == 1);
  CHECK(bench.tracker.received_on(0).bytes == 256);
  CHECK(bench.media.totals().truncated == 1);
}

TEST_CASE(
    "rec_req_avail holds while more entries are free than the margin, and an overrun is a fault") {
  FbiParameters quick = test::kFbiParameters;
  quick.csr_cycles = 1;
  FbiBench bench({}, 1, Offering::kWire, quick);
  for (unsigned i = 0; i < 9; ++i) {
    bench.fast_write(Register::kReceiveRequest, 5, Cycle(100));
    bench.fbi.run(Cycle(105 + i));
    CHECK(bench.fbi.input_state(InputState::kReceiveRequestAvailable, Cycle(105 + i)) ==
          (i + 1 < 4));
    CHECK(bench.monitor.faults.size() == (i < 8 ? 0 : 1));
  }
  CHECK(bench.monitor.faults[0].kind == Fault::Kind::kQueueOverrun);
  CHECK(bench.monitor.faults[0].at == Cycle(112));
}

TEST_CASE("software sees an mpacket at the sampling point at which it is ready, not before") {
  // Ready in cycle 1512, which is sampling point 126; a byte of extra gap makes it 1520, seen at
  // 1524.
  const auto [gap, first_seen] = GENERATE(std::pair{0u, 1512u}, std::pair{1u, 1524u});
  FbiBench bench({{6, 64, gap}});
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(first_seen - 5)) == 0);
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(first_seen - 3)) == 1u << 6);
}

TEST_CASE(
    "a port whose mpacket is claimed by a request is not ready from the next sampling point on") {
  FbiBench bench({{0, 64, 0}, {0, 64, 0}});
  bench.request(0, 0, 0, Cycle(1601));
  // Point 1596 was before the claim, 1608 is behind it.
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(1600)) == 1);
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(1604)) == 0);
  // The second mpacket is ready in cycle 1512 + 608 = 2120, seen at 2124.
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(2117)) == 0);
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(2120)) == 1);
}

TEST_CASE("a point that passed while nobody looked is sampled as it was") {
  FbiBench bench({{0, 64, 0}});
  bench.request(0, 0, 0, Cycle(1609));
  // Read in cycle 1612: the last point is 1608, before the request.
  CHECK(bench.value_of(Register::kReceiveReady, Cycle(1608)) == 1);
  CHECK(bench.value_of(Register::kReceiveReadyCount, Cycle(1610)) == 1608 / 12 + 1);
}

}  // namespace
}  // namespace nplab::simulator
