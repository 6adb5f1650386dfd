#include "tests/workloads/test_inputs.h"

#include <array>
#include <cmath>
#include <map>

#include "workloads/base/random.h"
#include "workloads/reference/classifier.h"
#include "workloads/traffic/arrival.h"
#include "workloads/traffic/generator.h"
#include "workloads/traffic/pareto.h"
#include "workloads/traffic/pcap_writer.h"
#include "workloads/traffic/traffic_statistics.h"
#include "workloads/traffic/traffic_writer.h"

using namespace nplab;
using namespace nplab::workloads;
using nplab::workloads::testing::input;
using nplab::workloads::testing::rules_from;

namespace {

const std::string kThreeRules =
    "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF\n"
    "@11.0.0.0/8 0.0.0.0/0 1024 : 65535 53 : 53 0x00/0x00\n"
    "@12.0.0.0/8 13.0.0.0/8 0 : 65535 0 : 65535 0x01/0xFF\n";

KeyLayout tuple_layout(KeyVariant variant = KeyVariant::kIpv4FiveTuple) {
  Diagnostics diagnostics;
  return *make_key_layout(variant, five_tuple_fields(), {}, diagnostics);
}

Traffic drawn_traffic(const std::string& text, const RuleSet& rules, L4Key l4 = L4Key::kAlways) {
  Diagnostics diagnostics;
  const auto spec = parse_generator_spec(text, {"SPEC", 1, 1}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(spec);
  auto traffic = generate(*spec, rules, tuple_layout(), l4, 64, 11).with_keys(tuple_layout(), l4);
  return with_arrival(std::move(traffic), spec->arrival, Slot{}, {PortId(0)}, 11);
}

// An IPv4 datagram of `payload` bytes behind its header, which is `words` longwords long.
std::vector<std::uint8_t> datagram(unsigned words, unsigned fragment, std::size_t payload,
                                   unsigned length_more = 0) {
  std::vector<std::uint8_t> ip(words * 4 + payload);
  ip[0] = static_cast<std::uint8_t>(0x40 | words);
  store_big_endian(ip, 2, 2, ip.size() + length_more);
  store_big_endian(ip, 6, 2, fragment);
  ip[9] = kProtocolUdp;
  return ip;
}

// A frame with the types given (tags and their two bytes among them), then the content.
Packet frame_of(const std::vector<std::uint8_t>& types,
                const std::vector<std::uint8_t>& content = {}) {
  std::vector<std::uint8_t> bytes(kEthernetTypeOffset);
  bytes.insert(bytes.end(), types.begin(), types.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  Packet packet;
  packet.frame = finish_frame(std::move(bytes));
  return packet;
}

TrafficStatistics plain_statistics(const Traffic& traffic) {
  return statistics_of(traffic, nullptr, {});
}

}  // namespace

TEST_CASE("frames are counted by what they carry, after any tags") {
  std::vector<Packet> packets;
  packets.push_back(frame_of({8, 0}, datagram(5, 0, 8)));
  packets.push_back(frame_of({8, 0}, datagram(6, 0x2000, 8)));  // options, first fragment
  packets.push_back(frame_of({8, 0}, datagram(5, 0x2001, 8)));  // later fragment
  packets.push_back(frame_of({8, 0}, datagram(5, 0x4000, 8)));  // may not be fragmented: whole
  packets.push_back(frame_of({0x81, 0, 0, 7, 8, 0}, datagram(5, 0, 8)));       // one tag
  packets.push_back(frame_of({0x88, 0xA8, 0, 7, 0x81, 0, 0, 9, 0x86, 0xDD}));  // two tags, IPv6
  packets.push_back(frame_of({8, 6}));
  packets.push_back(frame_of({0x88, 0xCC}));
  packets.push_back(frame_of({8, 0}, datagram(5, 0, 20, 100)));  // says more than there is
  packets.back().cut_by_capture = true;
  const Traffic traffic(TrafficKind::kCapture, "t", "", std::move(packets));
  const FrameKinds kinds = plain_statistics(traffic).kinds;
  CHECK(kinds.ipv4 == 6);
  CHECK(kinds.ipv6 == 1);
  CHECK(kinds.arp == 1);
  CHECK(kinds.other == 1);
  CHECK(kinds.vlan == 2);
  CHECK(kinds.options == 1);
  CHECK(kinds.first_fragments == 1);
  CHECK(kinds.later_fragments == 1);
  CHECK(kinds.short_datagrams == 1);
  CHECK(kinds.cut_by_capture == 1);
}

TEST_CASE("flows, repeats and hits of a trace are counted") {
  Diagnostics diagnostics;
  auto traffic = parse_traffic(
      input("167772161 1 2 80 6\n167772161 1 2 80 6\n9 9 9 9 9\n167772161 1 2 80 6\n"), 64,
      diagnostics);
  REQUIRE(traffic);
  const RuleSet rules = rules_from(kThreeRules);
  const auto statistics =
      statistics_of(std::move(*traffic).with_keys(tuple_layout(), L4Key::kAlways), &rules, {});
  CHECK(statistics.packets == 4);
  CHECK(statistics.sizes.bytes == 256);
  CHECK(statistics.flows.keyed == 4);
  CHECK(statistics.flows.flows == 2);
  CHECK(statistics.flows.largest == 3);
  CHECK(statistics.flows.repeats_previous == 1);
  CHECK(statistics.flows.repeats_recent == 2);
  REQUIRE(statistics.hits);
  CHECK(statistics.hits->hits == 3);
  CHECK(statistics.hits->rules_hit == 1);
  CHECK_FALSE(statistics.arrival);
}

TEST_CASE("a header of the seventeenth flow ago is not a recent one") {
  std::string text;
  for (int i = 0; i < 17; ++i)
    text += std::to_string(i) + " 1 2 3 4\n";
  Diagnostics diagnostics;
  const auto recent = [&](const std::string& last) {
    auto traffic = parse_traffic(input(text + last), 64, diagnostics);
    REQUIRE(traffic);
    return plain_statistics(std::move(*traffic).with_keys(tuple_layout(), L4Key::kAlways))
        .flows.repeats_recent;
  };
  CHECK(recent("0 1 2 3 4\n") == 0);
  CHECK(recent("1 1 2 3 4\n") == 1);
}

TEST_CASE("generated traffic has the hit share, sizes and locality that were asked for") {
  const RuleSet rules = rules_from(kThreeRules);
  const Traffic traffic = drawn_traffic("gen:hit=0.6,size=64:5+200:3+1518:2,count=20000", rules);
  const auto statistics = statistics_of(traffic, &rules, {});
  // Three rules match hardly any of the headers drawn from all (1 in 10^5 or less).
  CHECK(static_cast<double>(statistics.hits->hits) / 20000 == Approx(0.6).margin(0.015));
  CHECK(static_cast<double>(statistics.sizes.frames.at(64)) / 20000 == Approx(0.5).margin(0.015));
  CHECK(static_cast<double>(statistics.sizes.frames.at(200)) / 20000 == Approx(0.3).margin(0.015));
  CHECK(static_cast<double>(statistics.sizes.frames.at(1518)) / 20000 == Approx(0.2).margin(0.015));
  CHECK(statistics.sizes.frames.size() == 3);
  const auto local = plain_statistics(drawn_traffic("gen:locality=0.7,count=20000", rules));
  CHECK(static_cast<double>(local.flows.repeats_recent) / 20000 == Approx(0.7).margin(0.015));
}

TEST_CASE(
    "under ports of transport protocols, rules of any protocol that ask for ports are still hit") {
  const RuleSet rules = rules_from(kThreeRules);
  const auto statistics =
      statistics_of(drawn_traffic("gen:hit=1,count=3000", rules, L4Key::kTransport), &rules, {});
  CHECK(statistics.hits->hits == 3000);
}

TEST_CASE("bursts have Pareto's tail: P(more than n) = (scale / n)^shape") {
  struct Case {
    std::uint64_t shape, scale;
  };
  for (const auto& [shape, scale] :
       {Case{1000, 100'000}, Case{2000, 1'000'000}, Case{500, 300'000}}) {
    Random random(3);
    constexpr int kDraws = 40000;
    std::map<std::uint64_t, int> over;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t burst = draw_burst({shape, scale}, 1'000'000, random);
      for (const std::uint64_t n : {1u, 2u, 4u, 16u})
        over[n] += burst > n ? 1 : 0;
    }
    for (const std::uint64_t n : {1u, 2u, 4u, 16u}) {
      const double expected =
          std::min(1.0, std::pow(static_cast<double>(scale) * 1e-6 / static_cast<double>(n),
                                 static_cast<double>(shape) * 1e-3));
      CAPTURE(shape, scale, n);
      CHECK(over[n] / double{kDraws} == Approx(expected).margin(0.01));
    }
  }
}

TEST_CASE("a burst is at most what is left, and one without a scale") {
  Random random(1);
  for (int i = 0; i < 200; ++i)
    CHECK(draw_burst({100, 1'000'000'000}, 5, random) == 5);
  for (int i = 0; i < 200; ++i)
    CHECK(draw_burst({}, 5, random) == 1);
}

TEST_CASE("packets of a burst follow each other with the same header") {
  const RuleSet rules = rules_from(kThreeRules);
  const auto statistics = plain_statistics(drawn_traffic("gen:pareto=2:1,count=30000", rules));
  // The mean burst is 1 + the sum of n^-2 = 1 + pi^2 / 6, so all but 1 / 2.645 of the packets
  // repeat their predecessor.
  CHECK(static_cast<double>(statistics.flows.repeats_previous) / 30000 ==
        Approx(0.622).margin(0.015));
}

TEST_CASE("arrival is measured as it was asked for") {
  const RuleSet rules = rules_from(kThreeRules);
  const auto arrival = [&](const std::string& when) {
    const Traffic traffic = drawn_traffic("gen:count=20000,arrival=" + when, rules);
    return *statistics_of(traffic, nullptr, start_times(traffic, Slot{})).arrival;
  };
  const auto wire = arrival("wire");
  CHECK(wire.shortest_ns == 76 * 80);  // 64 bytes and the gap of 12, at 80 ns a byte
  CHECK(wire.longest_ns == 76 * 80);
  CHECK(wire.variation == Approx(0).margin(1e-9));
  CHECK(wire.mbps == Approx(100.0 * 64 / 76));
  const auto constant = arrival("20");
  CHECK(constant.packets_per_second == Approx(20e6 / (76 * 8)).epsilon(1e-3));
  CHECK(constant.variation < 0.01);
  // At a tenth of the line rate hardly any packet waits for the wire, which would even the
  // distances out.
  const auto poisson = arrival("poisson:5");
  CHECK(poisson.packets_per_second == Approx(5e6 / (76 * 8)).epsilon(0.03));
  CHECK(poisson.variation == Approx(1.0).margin(0.06));
}

TEST_CASE("a capture's times are read in nanoseconds and never step back") {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  PcapWriter writer(folder.file("t.pcap"));
  const Packet packet = frame_of({8, 0}, datagram(5, 0, 8));
  for (const std::uint64_t time : {5'000'000'007u, 5'000'000'008u, 7'250'000'000u})
    writer.add(time, packet.frame);
  REQUIRE(writer.commit(diagnostics));
  const auto file = read_input_file(folder.file("t.pcap"), diagnostics);
  REQUIRE(file);
  CHECK(capture_times(*file, diagnostics) == std::vector<std::uint64_t>{0, 1, 2'249'999'993});
}

TEST_CASE("a trace that is written reads back with the rules its headers match") {
  const RuleSet rules = rules_from(kThreeRules);
  const Traffic traffic = drawn_traffic("gen:hit=0.5,count=200", rules);
  Diagnostics diagnostics;
  auto read = parse_traffic(input(trace_text(traffic, rules)), 64, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(read);
  REQUIRE(read->size() == traffic.size());
  const LinearScanClassifier classifier(rules);
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    const Packet& packet = read->packets()[i];
    const auto rule = classifier.classify(*traffic.packets()[i].key);
    CHECK(packet.frame == traffic.packets()[i].frame);
    CHECK(packet.trace_column == (rule ? static_cast<std::int64_t>(rule->value()) : -1));
  }
}

TEST_CASE("a SPEC's lists of sizes and bursts are judged word by word") {
  const auto errors = [](const std::string& text) {
    Diagnostics diagnostics;
    CHECK_FALSE(parse_generator_spec(text, {"SPEC", 1, 1}, diagnostics));
    return diagnostics.to_string();
  };
  CHECK(errors("gen:size=64:1+63:2") ==
        "SPEC:1:15: error: expected a size of 64 to 1518 bytes, imix, or BYTES:WEIGHT+..., found "
        "'63:2'\n");
  CHECK(errors("gen:pareto=1") ==
        "SPEC:1:12: error: expected SHAPE:SCALE, a shape of 0.1 to 100 and a scale of 0 to 1000, "
        "found '1'\n");
  CHECK(errors("gen:pareto=1:1,locality=0.5") ==
        "SPEC:1:1: error: locality, pareto and zipf are alternative models; give one of them\n");
}
