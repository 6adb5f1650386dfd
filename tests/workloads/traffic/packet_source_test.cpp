#include "tests/workloads/test_inputs.h"

#include "workloads/traffic/packet_source.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

Traffic packets(std::size_t count) {
  std::vector<Packet> packets(count);
  for (std::size_t i = 0; i < count; ++i)
    packets[i].frame = finish_frame({static_cast<std::uint8_t>(i)});
  return {TrafficKind::kGenerated, "test", "", std::move(packets)};
}

// Sequence numbers that `port` gets, at most `most` of them.
std::vector<std::uint64_t> sequences(PacketSource& source, unsigned port, std::size_t most = 100) {
  std::vector<std::uint64_t> all;
  while (all.size() < most) {
    const auto packet = source.next(PortId(port));
    if (!packet)
      break;
    all.push_back(packet->sequence);
  }
  return all;
}

using Sequences = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("packet i arrives on port i mod n, whichever port is asked first") {
  const Traffic traffic = packets(10);
  TrafficSource source(traffic, {PortId(0), PortId(1), PortId(2), PortId(3)}, 10);
  CHECK(sequences(source, 3) == Sequences{3, 7});
  CHECK(sequences(source, 0) == Sequences{0, 4, 8});
  CHECK(sequences(source, 1) == Sequences{1, 5, 9});
  CHECK(sequences(source, 4).empty());
}

TEST_CASE("ports take their turns in the order in which they are listed") {
  const Traffic traffic = packets(4);
  TrafficSource source(traffic, {PortId(5), PortId(2)}, 4);
  CHECK(sequences(source, 5) == Sequences{0, 2});
  CHECK(sequences(source, 2) == Sequences{1, 3});
}

TEST_CASE("traffic shorter than the limit repeats from its start and keeps counting") {
  const Traffic traffic = packets(3);
  TrafficSource source(traffic, {PortId(0), PortId(1)}, 8);
  CHECK(sequences(source, 0) == Sequences{0, 2, 4, 6});
  const auto second = source.next(PortId(1));
  const auto fourth = source.next(PortId(1));
  REQUIRE(fourth);
  CHECK(second->traffic_index == 1);
  CHECK(fourth->sequence == 3);
  CHECK(fourth->traffic_index == 0);
  CHECK(fourth->frame.data() == traffic.packets()[0].frame.data());
}

TEST_CASE("without a limit traffic repeats endlessly") {
  const Traffic traffic = packets(1);
  TrafficSource source(traffic, {PortId(0)}, std::nullopt);
  CHECK(sequences(source, 0, 50).size() == 50);
}

TEST_CASE(
    "a file a port gives each port its own packets, in order, with sequence numbers of their own") {
  std::vector<Traffic> parts;
  parts.push_back(packets(2).on_port(PortId(1)));
  parts.push_back(packets(3).on_port(PortId(6)));
  const Traffic traffic = Traffic::joined(std::move(parts));
  CHECK(traffic.size() == 5);
  TrafficSource source(traffic, {PortId(1), PortId(6)}, 10);
  CHECK(sequences(source, 1) == Sequences{0, 1, 5, 6});
  CHECK(sequences(source, 6) == Sequences{2, 3, 4, 7, 8, 9});
}
