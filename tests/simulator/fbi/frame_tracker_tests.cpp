#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <random>

#include "simulator/fbi/frame_tracker.h"
#include "tests/simulator/media/test_traffic.h"

namespace nplab::simulator {
namespace {

struct Log : VerdictSink, FrameObserver {
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               Cycle) override {
    events.push_back("verdict " + std::to_string(packet.sequence) +
                     (rule ? " rule " + std::to_string(*rule) : " none"));
  }
  void dropped(const workloads::OfferedPacket& packet, DropReason reason, Cycle) override {
    events.push_back("dropped " + std::to_string(packet.sequence) + " " + name_of(reason));
  }
  void sent(const workloads::OfferedPacket& packet, unsigned port, Cycle) override {
    events.push_back("sent " + std::to_string(packet.sequence) + " port " + std::to_string(port));
  }
  void received(unsigned port, Cycle at, std::span<const std::uint8_t> frame) override {
    events.push_back("rx " + std::to_string(port) + " " + std::to_string(at.number()) + " " +
                     std::to_string(frame.size()));
  }
  void sent(unsigned port, Cycle at, std::span<const std::uint8_t> frame) override {
    events.push_back("tx " + std::to_string(port) + " " + std::to_string(at.number()) + " " +
                     std::to_string(frame.size()));
  }
  std::vector<std::string> events;
};

// Two ports, 64 KB of SDRAM, frames of 100 bytes: two mpackets.
struct Bench {
  Bench() : source(std::vector<test::TestFrame>(1, {0, 100, 0}), 1'000'000), tracker(2, 1 << 16) {
    tracker.set_verdict_sink(&log);
    tracker.set_observer(&log);
  }

  struct Arrived {
    workloads::OfferedPacket packet;
    std::uint64_t arrival = 0;
    std::uint32_t address = 0;
  };

  Arrived next_frame(std::uint32_t address) {
    return {*source.source.next(workloads::PortId(0)), arrivals++, address};
  }
  void first_mpacket(const Arrived& frame, unsigned port, Cycle at) {
    receive(port, {frame.packet.frame.first(64), true, false, false, frame.packet, frame.arrival},
            frame.address, at);
  }
  void last_mpacket(const Arrived& frame, unsigned port, Cycle at) {
    receive(port, {frame.packet.frame.subspan(64), false, true, false, frame.packet, frame.arrival},
            frame.address + 64, at);
  }
  Arrived receive_frame(std::uint32_t address, Cycle at = Cycle(100), unsigned port = 0) {
    const Arrived frame = next_frame(address);
    first_mpacket(frame, port, at);
    last_mpacket(frame, port, at);
    return frame;
  }
  void send_frame(const Arrived& frame, Cycle at = Cycle(300), unsigned port = 1) {
    tracker.send(tracker.frame_at(frame.address), port, {frame.packet.frame.first(64), true, false},
                 Cycle(at.number() - 20), at);
    tracker.send(tracker.frame_at(frame.address), port,
                 {frame.packet.frame.subspan(64), false, true}, at, at);
  }

  test::TestSource source;
  FrameTracker tracker;
  Log log;
  std::uint64_t arrivals = 0;

 private:
  void receive(unsigned port, const Mpacket& mpacket, std::uint32_t address, Cycle at) {
    tracker.receive(port, 3, mpacket, Cycle(at.number() - 20), at);
    tracker.tag(address, static_cast<std::uint32_t>(mpacket.bytes.size()),
                tracker.frame_in_receive_fifo(3), at);
  }
};

TEST_CASE(
    "a frame's life: received with its last mpacket, judged, forwarded, sent with its last "
    "mpacket") {
  Bench bench;
  const auto frame = bench.next_frame(2048);
  bench.first_mpacket(frame, 0, Cycle(100));
  CHECK(bench.tracker.counters().received == 0);
  bench.last_mpacket(frame, 0, Cycle(200));
  CHECK(bench.tracker.counters().received == 1);
  bench.tracker.verdict(2048, 7, Cycle(250));
  bench.tracker.forward(2048, 1, Cycle(251));
  CHECK(bench.tracker.in_flight() == 1);
  bench.send_frame(frame, Cycle(300));
  CHECK(bench.tracker.counters().sent == 1);
  CHECK(bench.tracker.counters().classified == 1);
  CHECK(bench.tracker.in_flight() == 0);
  CHECK(bench.tracker.latency().min() == 100);
  CHECK(bench.tracker.received_on(0).first_start == Cycle(80));
  CHECK(bench.tracker.received_on(0).bytes == 100);
  CHECK(bench.tracker.sent_on(1).first_start == Cycle(280));
  CHECK(bench.tracker.sent_on(1).frames == 1);
  CHECK(bench.tracker.violations() == 0);
  CHECK(bench.log.events == std::vector<std::string>{"rx 0 200 100", "verdict 0 rule 7",
                                                     "tx 1 300 100", "sent 0 port 1"});
}

TEST_CASE("every drop reason has its count and no verdict means no rule") {
  Bench bench;
  for (std::uint32_t reason = 1; reason <= kDropReasons; ++reason) {
    bench.receive_frame(2048);
    bench.tracker.verdict(2048, std::nullopt, Cycle(200));
    bench.tracker.drop(2048, reason, Cycle(201));
    CHECK(bench.tracker.counters().dropped_for(static_cast<DropReason>(reason)) == 1);
    CHECK(bench.tracker.in_flight() == 0);
  }
  CHECK(bench.log.events[1] == "verdict 0 none");
  CHECK(bench.log.events[2] == "dropped 0 queue_full");
  CHECK(bench.tracker.violations() == 0);
}

TEST_CASE(
    "a frame without a buffer is dropped by its RFIFO element, and counts once it is all "
    "received") {
  Bench bench;
  const auto frame = bench.next_frame(2048);
  bench.first_mpacket(frame, 0, Cycle(100));
  bench.tracker.drop(FrameTracker::kReceiveFifoAddress + 64 * 3, 2, Cycle(120));
  CHECK(bench.tracker.counters().dropped_for(DropReason::kNoBuffer) == 0);
  bench.last_mpacket(frame, 0, Cycle(200));
  CHECK(bench.tracker.counters().received == 1);
  CHECK(bench.tracker.counters().dropped_for(DropReason::kNoBuffer) == 1);
  CHECK(bench.tracker.violations() == 0);
}

TEST_CASE("a buffer used again holds the new frame only") {
  Bench bench;
  const auto first = bench.receive_frame(2048);
  bench.tracker.drop(2048, 1, Cycle(150));
  const auto second = bench.receive_frame(2048);
  bench.tracker.verdict(2048, 1, Cycle(200));
  CHECK(bench.log.events.back() == "verdict 1 rule 1");
  bench.send_frame(second);
  CHECK(bench.tracker.violations() == 0);
  bench.send_frame(first);
  CHECK(bench.tracker.violations(FrameViolation::kFinishedFrame) == 1);
  CHECK(bench.tracker.counters().sent == 1);
  CHECK(bench.tracker.counters().sent_again == 1);
}

TEST_CASE("a frame sent with other bytes counts as altered and as sent") {
  Bench bench;
  bench.receive_frame(2048);
  const std::vector<std::uint8_t> zeros(100);
  bench.tracker.send(bench.tracker.frame_at(2048), 1, {zeros, true, true}, Cycle(280), Cycle(300));
  CHECK(bench.tracker.counters().altered == 1);
  CHECK(bench.tracker.counters().sent == 1);
  CHECK(bench.tracker.counters().sent_again == 0);
}

TEST_CASE("what must not happen to a frame is counted and reported once") {
  struct Case {
    FrameViolation kind;
    std::function<void(Bench&)> act;
    std::string message;
  };
  const std::vector<Case> cases = {
      {FrameViolation::kUnknownFrame, [](Bench& b) { b.tracker.verdict(0x4000, 1, Cycle(9)); },
       "cycle 9: a verdict at 0x00004000, where no frame lies"},
      {FrameViolation::kUnknownFrame, [](Bench& b) { b.tracker.drop(0xfffffff0, 1, Cycle(9)); },
       "cycle 9: a drop at 0xfffffff0, where no frame lies"},
      {FrameViolation::kSecondVerdict,
       [](Bench& b) {
         b.receive_frame(2048);
         b.tracker.verdict(2048, 1, Cycle(200));
         b.tracker.verdict(2048, 1, Cycle(201));
       },
       "cycle 201: a second verdict on packet 0"},
      {FrameViolation::kFinishedFrame,
       [](Bench& b) {
         b.send_frame(b.receive_frame(2048));
         b.tracker.drop(2048, 1, Cycle(400));
       },
       "cycle 400: a drop at 0x00000800, whose frame is already sent or dropped"},
      {FrameViolation::kBytesDiffer,
       [](Bench& b) {
         b.receive_frame(2048);
         const std::vector<std::uint8_t> zeros(100);
         b.tracker.send(b.tracker.frame_at(2048), 1, {zeros, true, true}, Cycle(280), Cycle(300));
       },
       "cycle 300: packet 0 was sent with other bytes than were received"},
      {FrameViolation::kSentBeforeReceived,
       [](Bench& b) {
         const auto frame = b.next_frame(2048);
         b.first_mpacket(frame, 0, Cycle(100));
         b.tracker.send(b.tracker.frame_at(2048), 1, {frame.packet.frame.first(64), true, true},
                        Cycle(280), Cycle(300));
       },
       "cycle 300: packet 0 was sent before it was received"},
      {FrameViolation::kWrongPort,
       [](Bench& b) {
         const auto frame = b.receive_frame(2048);
         b.tracker.forward(2048, 0, Cycle(200));
         b.send_frame(frame);
       },
       "cycle 300: packet 0 was sent on port 1, forwarded to port 0"},
      {FrameViolation::kBrokenFraming,
       [](Bench& b) {
         const auto frame = b.receive_frame(2048);
         b.tracker.send(b.tracker.frame_at(2048), 1, {frame.packet.frame.first(64), true, false},
                        Cycle(280), Cycle(300));
         b.send_frame(frame, Cycle(400));
       },
       "cycle 400: port 1 got an mpacket out of its frame's order"},
      {FrameViolation::kBadDropReason,
       [](Bench& b) {
         b.receive_frame(2048);
         b.tracker.drop(2048, 7, Cycle(200));
       },
       "cycle 200: a drop for reason 7"},
  };
  for (const Case& c : cases) {
    Bench bench;
    c.act(bench);
    INFO(c.message);
    CHECK(bench.tracker.violations(c.kind) == 1);
    CHECK(bench.tracker.violations() == 1);
    CHECK(bench.tracker.violation_messages() == std::vector<std::string>{c.message});
    CHECK(bench.tracker.in_flight() == bench.tracker.counters().outstanding());
  }
}

TEST_CASE("a frame that leaves after a later one of its port is counted as reordered") {
  Bench bench;
  const auto first = bench.receive_frame(2048);
  const auto second = bench.receive_frame(4096);
  const auto third = bench.receive_frame(6144);
  bench.send_frame(second);
  bench.send_frame(first);
  CHECK(bench.tracker.counters().reordered == 1);
  bench.send_frame(third);
  CHECK(bench.tracker.counters().reordered == 1);
  CHECK(bench.tracker.counters().overtaken == 1);
}

TEST_CASE("a frame that leaves by another port than a later one is reordered among its input's") {
  Bench bench;
  const auto first = bench.receive_frame(2048);
  const auto second = bench.receive_frame(4096);
  bench.send_frame(second, Cycle(300), 1);
  bench.send_frame(first, Cycle(400), 0);
  CHECK(bench.tracker.counters().reordered == 0);
  CHECK(bench.tracker.counters().overtaken == 1);
}

TEST_CASE("frames are conserved under random operations") {
  std::mt19937 random(3);
  Bench bench;
  std::map<std::uint32_t, Bench::Arrived> held;
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t dropped = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t address = 2048 * (random() % 32);
    const Cycle at(100 + i);
    const auto frame = held.find(address);
    if (frame == held.end()) {
      held.emplace(address, bench.receive_frame(address, at));
      ++received;
    } else if (random() % 3 == 0) {
      bench.tracker.verdict(address, i, at);
      bench.tracker.drop(address, 1 + random() % kDropReasons, at);
      held.erase(frame);
      ++dropped;
    } else {
      bench.send_frame(frame->second, at, random() % 2);
      held.erase(frame);
      ++sent;
    }
    REQUIRE(bench.tracker.in_flight() == held.size());
    REQUIRE(bench.tracker.counters().outstanding() == held.size());
  }
  CHECK(bench.tracker.counters().received == received);
  CHECK(bench.tracker.counters().sent == sent);
  CHECK(bench.tracker.latency().samples() == sent);
  CHECK(received == sent + dropped + held.size());
  CHECK(bench.tracker.violations() == 0);
}

TEST_CASE("frames in flight are described, the oldest first") {
  Bench bench;
  bench.receive_frame(2048, Cycle(500));
  bench.receive_frame(4096, Cycle(400), 1);
  bench.tracker.verdict(4096, 0, Cycle(600));
  std::vector<std::string> lines;
  bench.tracker.describe_in_flight(5, lines);
  CHECK(lines ==
        std::vector<std::string>{"packet 1 from port 1, received in cycle 400, is not sent",
                                 "packet 0 from port 0, received in cycle 500, has no verdict"});
}

TEST_CASE("a frame's classification takes from the first read of its bytes to its verdict") {
  Bench bench;
  bench.receive_frame(2048);
  bench.receive_frame(4096);
  bench.tracker.read(2056, Cycle(150));
  bench.tracker.read(2112, Cycle(170));  // of the same frame
  bench.tracker.read(8192, Cycle(180));  // of none
  bench.tracker.verdict(2048, 7, Cycle(250));
  bench.tracker.verdict(4096, 7, Cycle(260));  // which nobody read
  CHECK(bench.tracker.classification().samples() == 1);
  CHECK(bench.tracker.classification().max() == 100);
}

}  // namespace
}  // namespace nplab::simulator
