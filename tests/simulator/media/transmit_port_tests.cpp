#include <catch2/catch.hpp>

#include "simulator/media/transmit_port.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::simulator {
namespace {

constexpr OutgoingMpacket kWhole{64, true, true};

// 8 core cycles a byte, a buffer of 256 bytes.
TransmitPort make_port(workloads::Slot slot = {}) {
  return TransmitPort(WireClock(test::kEightCyclesPerByte, test::kLineRate), 256, slot);
}

TEST_CASE("an mpacket holds its room until its last byte has left") {
  TransmitPort port = make_port();
  port.put(kWhole, Cycle(100));
  CHECK(port.room(Cycle(100)) == 192);
  CHECK(port.room(Cycle(100 + 64 * 8 - 1)) == 192);
  CHECK(port.room(Cycle(100 + 64 * 8)) == 256);
}

TEST_CASE("frames leave at the distance of their slot") {
  const auto slot = GENERATE(workloads::Slot{12, 0}, workloads::Slot{12, 8});
  TransmitPort port = make_port(slot);
  for (int i = 0; i < 4; ++i)
    port.put(kWhole, Cycle(0));
  for (unsigned frame = 0; frame < 4; ++frame) {
    const Cycle gone(
        (frame * (slot.preamble_bytes + 64 + slot.gap_bytes) + slot.preamble_bytes + 64) * 8);
    CHECK(port.room(Cycle(gone.number() - 1)) == 64 * frame);
    CHECK(port.room(gone) == 64 * (frame + 1));
  }
}

TEST_CASE("the first cycle with room is known when the buffer is full") {
  TransmitPort port = make_port();
  for (int i = 0; i < 4; ++i)
    port.put(kWhole, Cycle(0));
  CHECK(port.room_cycle(64, Cycle(10)) == Cycle(512));
  CHECK(port.room_cycle(65, Cycle(10)) == Cycle((76 + 64) * 8));
  CHECK(port.room_cycle(64, Cycle(700)) == Cycle(700));
}

TEST_CASE("the mpackets of one frame leave without a gap, and a late one is counted") {
  TransmitPort port = make_port();
  port.put({64, true, false}, Cycle(0));
  port.put({64, false, false}, Cycle(512));
  CHECK(port.underruns() == 0);
  port.put({10, false, true}, Cycle(1024 + 5));
  CHECK(port.underruns() == 1);
  CHECK(port.room(Cycle(1024 + 5 + 79)) == 246);
  CHECK(port.empty(Cycle(1024 + 5 + 80)));
}

TEST_CASE("a port that is always full sends exactly one slot after the other") {
  TransmitPort port = make_port();
  Cycle at(0);
  for (int i = 0; i < 10'000; ++i) {
    at = port.room_cycle(64, at);
    port.put(kWhole, at);
  }
  CHECK(at == Cycle((9'995 * 76 + 64) * 8));
}

}  // namespace
}  // namespace nplab::simulator
