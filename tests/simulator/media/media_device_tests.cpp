#include <catch2/catch.hpp>

#include "simulator/media/media_device.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::simulator {
namespace {

using test::TestSource;

constexpr MediaParameters kParameters{8, test::kLineRate, 256, 256, Cycle(1000), 0, 16384, false};

TEST_CASE("every port has a wire of its own") {
  TestSource source({{0, 64, 0}, {3, 100, 0}, {7, 64, 2}});
  MediaDevice device(kParameters, test::kEightCyclesPerByte, {}, source.source);
  CHECK(device.ports() == 8);
  device.run(Cycle(1000));
  CHECK(device.totals().offered == 0);
  device.run(Cycle(1001));
  CHECK(device.totals().offered == 2);
  CHECK_FALSE(device.exhausted());
  device.run(Cycle(10'000));
  const MediaDevice& after = device;
  CHECK(after.receive(0).ready_cycle(0) == Cycle(1000 + 64 * 8));
  CHECK(after.receive(3).ready_cycle(1) == Cycle(1000 + 100 * 8));
  CHECK(after.receive(7).ready_cycle(0) == Cycle(1000 + 66 * 8));
  CHECK(after.receive(1).exhausted());
  CHECK(device.totals().offered == 3);
}

TEST_CASE("four ports at wire rate offer 100 Mb/s each, counted by slots") {
  TestSource source({{0, 64, 0}, {1, 64, 0}, {2, 64, 0}, {3, 64, 0}}, 1'000'000);
  MediaDevice device(kParameters, 165'890'000, {}, source.source);
  device.run(Cycle(1000 + 165'890'000 / 10));
  // A tenth of a second at 100 Mb/s in slots of 76 bytes: 16447.4 on each port, the last of them
  // begun.
  CHECK(device.totals().offered == 4 * 16'448);
  CHECK(device.totals().missed == 4 * (16'448 - 4));
}

TEST_CASE("ports of 10, 100 and 1000 Mb/s take 80, 8 and 0.8 cycles a byte of a 100 MHz core") {
  const auto [rate, cycles] =
      GENERATE(std::pair{10u, 5120u}, std::pair{100u, 512u}, std::pair{1000u, 52u});
  TestSource source({{0, 64, 0}});
  MediaParameters parameters = kParameters;
  parameters.port_bits_per_second = rate * 1'000'000ull;
  MediaDevice media(parameters, test::kEightCyclesPerByte, {}, source.source);
  CHECK(media.receive(0).next_ready_cycle() == Cycle(1000 + cycles));
}

TEST_CASE("what waits in the buffers is described") {
  TestSource source({{2, 64, 0}});
  MediaDevice device(kParameters, test::kEightCyclesPerByte, {}, source.source);
  device.run(Cycle(2000));
  device.transmit(5).put({64, true, true}, Cycle(1999));
  std::vector<std::string> lines;
  device.describe_waiting(lines);
  CHECK(lines == std::vector<std::string>{"port 2: 64 bytes wait in the receive buffer",
                                          "port 5: 64 bytes wait in the transmit buffer"});
}

}  // namespace
}  // namespace nplab::simulator
