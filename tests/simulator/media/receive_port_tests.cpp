#include <catch2/catch.hpp>
#include <random>

#include "simulator/media/receive_port.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::simulator {
namespace {

using test::TestFrame;
using test::TestSource;

// A port 0 of 8 core cycles a byte, a buffer of 256 bytes, a gap of 12 bytes; the wire starts in
// cycle 1000.
struct Bench {
  explicit Bench(const std::vector<TestFrame>& frames, Offering offering = Offering::kWire,
                 workloads::Slot slot = {}, std::uint64_t repetitions = 1)
      : source(frames, repetitions),
        port(workloads::PortId(0), WireClock(test::kEightCyclesPerByte, test::kLineRate), 256, slot,
             offering, Cycle(1000), source.source) {}

  // Takes the front mpacket out in cycle `at`.
  Mpacket take(Cycle at) {
    port.advance(at);
    const Mpacket mpacket = port.front();
    port.release(at);
    return mpacket;
  }

  TestSource source;
  ReceivePort port;
};

TEST_CASE("an mpacket is ready in the cycle after its 64th byte's last") {
  Bench bench({{0, 64, 0}});
  bench.port.advance(Cycle(999));
  CHECK(bench.port.ready_cycle(0) == Cycle::never());
  CHECK(bench.port.next_ready_cycle() == Cycle(1000 + 64 * 8));
  bench.port.advance(Cycle(1000));
  CHECK(bench.port.ready_cycle(0) == Cycle(1000 + 64 * 8));
  CHECK(bench.port.counters().offered == 1);
}

TEST_CASE("frames follow each other at the distance of their slot") {
  const auto [preamble, extra] = GENERATE(std::pair{0u, 0u}, std::pair{8u, 0u}, std::pair{8u, 20u});
  Bench bench({{0, 64, 0}, {0, 64, extra}}, Offering::kWire, workloads::Slot{12, preamble});
  bench.port.advance(Cycle(1'000'000));
  CHECK(bench.port.ready_cycle(0) == Cycle(1000 + (preamble + 64) * 8));
  CHECK(bench.port.ready_cycle(1) ==
        Cycle(1000 + (preamble + 64 + 12 + extra + preamble + 64) * 8));
}

TEST_CASE("a frame is cut into mpackets of 64 bytes with its ends marked") {
  struct Case {
    std::size_t frame;
    std::vector<std::size_t> mpackets;
  };
  const auto c =
      GENERATE(Case{64, {64}}, Case{65, {64, 1}}, Case{128, {64, 64}}, Case{200, {64, 64, 64, 8}});
  Bench bench({{0, c.frame, 0}});
  std::vector<std::uint8_t> joined;
  for (std::size_t i = 0; i < c.mpackets.size(); ++i) {
    const Mpacket mpacket = bench.take(Cycle(100'000));
    CHECK(mpacket.bytes.size() == c.mpackets[i]);
    CHECK(mpacket.start_of_packet == (i == 0));
    CHECK(mpacket.end_of_packet == (i + 1 == c.mpackets.size()));
    CHECK_FALSE(mpacket.error);
    joined.insert(joined.end(), mpacket.bytes.begin(), mpacket.bytes.end());
  }
  CHECK(joined == bench.source.traffic.packets()[0].frame);
  CHECK(bench.port.exhausted());
}

TEST_CASE("a short last mpacket is ready when the frame ends") {
  Bench bench({{0, 70, 0}});
  bench.port.advance(Cycle(5000));
  CHECK(bench.port.ready_cycle(0) == Cycle(1000 + 64 * 8));
  CHECK(bench.port.ready_cycle(1) == Cycle(1000 + 70 * 8));
}

TEST_CASE("a frame that finds no room is missed completely, and the wire goes on") {
  Bench bench({{0, 64, 0}}, Offering::kWire, {}, 6);
  constexpr std::uint64_t kSlot = 76 * 8;
  bench.port.advance(Cycle(1000 + 4 * kSlot));
  CHECK(bench.port.buffered_bytes() == 256);
  CHECK(bench.port.counters().offered == 5);
  CHECK(bench.port.counters().missed == 1);
  bench.take(Cycle(1000 + 4 * kSlot + 1));
  bench.port.advance(Cycle(1000 + 5 * kSlot));
  CHECK(bench.port.counters().missed == 1);
  CHECK(bench.port.ready_cycle(3) == Cycle(1000 + 5 * kSlot + 512));
}

TEST_CASE("room given back before the first byte comes is in time, in its cycle it is not") {
  static constexpr std::uint64_t kFifth = 1000 + 4 * 76 * 8;
  const auto [released, missed] = GENERATE(std::pair{kFifth - 1, 0u}, std::pair{kFifth, 1u});
  Bench bench({{0, 64, 0}}, Offering::kWire, {}, 5);
  bench.take(Cycle(released));
  bench.port.advance(Cycle(kFifth));
  CHECK(bench.port.counters().missed == missed);
}

TEST_CASE("a frame that overflows half-way ends in error and its rest is lost") {
  Bench bench({{0, 400, 0}, {0, 64, 0}});
  bench.port.advance(Cycle(1000 + (400 + 12) * 8 - 1));
  CHECK(bench.port.counters().truncated == 1);
  CHECK(bench.port.counters().missed == 0);
  CHECK(bench.port.counters().offered == 1);
  for (unsigned i = 0; i < 4; ++i) {
    const Mpacket mpacket = bench.take(Cycle(1000 + (400 + 12) * 8 - 1));
    CHECK(mpacket.end_of_packet == (i == 3));
    CHECK(mpacket.error == (i == 3));
  }
  bench.port.advance(Cycle(1000 + (400 + 12) * 8));
  CHECK(bench.port.ready_cycle(0) == Cycle(1000 + (400 + 12 + 64) * 8));
}

TEST_CASE("a frame of a length that no frame may have is received completely and ends in error") {
  const auto [bytes, illegal] = GENERATE(std::pair{63u, true}, std::pair{64u, false},
                                         std::pair{1518u, false}, std::pair{1519u, true});
  TestSource source({{0, bytes, 0}}, 1);
  ReceivePort port(workloads::PortId(0), WireClock(test::kEightCyclesPerByte, test::kLineRate), 256,
                   {}, Offering::kLossless, Cycle(1000), source.source, {64, 1518});
  std::size_t came = 0;
  for (bool ended = false; !ended;) {
    const Cycle ready = port.next_ready_cycle();
    port.advance(ready);
    const Mpacket mpacket = port.front();
    came += mpacket.bytes.size();
    ended = mpacket.end_of_packet;
    CHECK(mpacket.error == (ended && illegal));
    port.release(ready);
  }
  CHECK(came == bytes);
  CHECK(port.counters().illegal == (illegal ? 1 : 0));
  CHECK(port.counters().offered == 1);
}

TEST_CASE("the cycle of the first overflow is kept") {
  Bench bench({{0, 64, 0}, {0, 64, 0}, {0, 64, 0}, {0, 64, 0}, {0, 64, 0}, {0, 64, 0}});
  bench.port.advance(Cycle(1000 + 4 * (64 + 12) * 8 - 1));
  CHECK_FALSE(bench.port.first_overflow());
  bench.port.advance(Cycle(100'000));
  // Four frames fill the buffer; the first byte of the fifth finds it full.
  CHECK(bench.port.first_overflow() == Cycle(1000 + 4 * (64 + 12) * 8));
}

TEST_CASE("a long frame passes a small buffer when it is emptied in time") {
  Bench bench({{0, 1518, 0}});
  std::size_t bytes = 0;
  bool ended = false;
  while (!ended) {
    const Cycle ready = bench.port.next_ready_cycle();
    const Mpacket mpacket = bench.take(ready + 32);
    bytes += mpacket.bytes.size();
    ended = mpacket.end_of_packet;
    CHECK_FALSE(mpacket.error);
  }
  CHECK(bytes == 1518);
}

TEST_CASE("lossless: the wire waits for room and goes on in the cycle of the release") {
  Bench bench({{0, 64, 0}}, Offering::kLossless, {}, 6);
  bench.port.advance(Cycle(50'000));
  CHECK(bench.port.counters().offered == 4);
  CHECK(bench.port.ready_cycle(4) == Cycle::never());
  bench.take(Cycle(50'000));
  bench.port.advance(Cycle(50'000));
  CHECK(bench.port.counters().offered == 5);
  CHECK(bench.port.ready_cycle(3) == Cycle(50'000 + 512));
  CHECK(bench.port.counters().missed == 0);
}

TEST_CASE(
    "lossless: a frame longer than the buffer comes through complete however late it is taken") {
  Bench bench({{0, 1000, 0}}, Offering::kLossless);
  Cycle at(20'000);
  std::size_t bytes = 0;
  while (!bench.port.exhausted()) {
    at = std::max(at + 3000, bench.port.next_ready_cycle());
    const Mpacket mpacket = bench.take(at);
    bytes += mpacket.bytes.size();
    CHECK_FALSE(mpacket.error);
  }
  CHECK(bytes == 1000);
}

TEST_CASE(
    "a 100 Mb/s port against a 165.89 MHz core does not drift by a cycle over a million frames") {
  constexpr std::uint64_t kCore = 165'890'000;
  TestSource source({{0, 64, 0}}, 1'000'000);
  ReceivePort port(workloads::PortId(0), WireClock(kCore, test::kLineRate), 256, {},
                   Offering::kWire, Cycle(77), source.source);
  Cycle ready;
  while (!port.exhausted()) {
    ready = port.next_ready_cycle();
    port.advance(ready);
    port.release(ready);
  }
  const std::uint64_t bytes = 999'999ull * 76 + 64;
  const auto exact =
      77 +
      (static_cast<unsigned __int128>(bytes) * 8 * kCore + test::kLineRate - 1) / test::kLineRate;
  CHECK(ready.number() == static_cast<std::uint64_t>(exact));
  CHECK(port.counters().missed == 0);
}

TEST_CASE("when a port catches up does not change what comes about") {
  const auto offering = GENERATE(Offering::kWire, Offering::kLossless);
  const std::vector<TestFrame> frames = {
      {0, 64, 0}, {0, 300, 5}, {0, 65, 0}, {0, 64, 40}, {0, 1000, 0}};
  Bench lazy(frames, offering, {}, 200);
  Bench eager(frames, offering, {}, 200);
  std::mt19937 random(11);
  Cycle at(1000);
  for (int i = 0; i < 3000; ++i) {
    const Cycle next = at + 1 + random() % 900;
    for (; at < next; ++at)
      eager.port.advance(at);
    lazy.port.advance(at);
    eager.port.advance(at);
    if (lazy.port.ready_cycle(0) <= at) {
      lazy.port.release(at);
      eager.port.release(at);
    }
    StateHash a;
    StateHash b;
    lazy.port.hash(a);
    eager.port.hash(b);
    REQUIRE(a.value() == b.value());
  }
  CHECK((offering == Offering::kWire) == (lazy.port.counters().truncated > 0));
  CHECK((offering == Offering::kWire) == (lazy.port.counters().missed > 0));
}

}  // namespace
}  // namespace nplab::simulator
