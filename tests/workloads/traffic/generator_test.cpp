#include "tests/workloads/test_inputs.h"

#include <algorithm>
#include <map>
#include <set>

#include "workloads/base/random.h"
#include "workloads/reference/classifier.h"
#include "workloads/traffic/generator.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

GeneratorSpec spec_from(const std::string& text) {
  Diagnostics diagnostics;
  auto spec = parse_generator_spec(text, without_lines("--traffic"), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(spec);
  return std::move(*spec);
}

std::string errors_of(const std::string& text) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_generator_spec(text, without_lines("--traffic"), diagnostics));
  return diagnostics.to_string();
}

const std::string kRules =
    "@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF\n"
    "@11.0.0.0/8 0.0.0.0/0 0 : 65535 53 : 53 0x11/0xFF\n"
    "@12.0.0.0/8 13.0.0.0/8 5 : 6 0 : 65535 0x01/0xFF\n";

KeyLayout plain() {
  Diagnostics diagnostics;
  return *make_key_layout(KeyVariant::kIpv4FiveTuple, five_tuple_fields(), {}, diagnostics);
}

Traffic generated(const std::string& text, std::uint64_t seed = 1) {
  return generate(spec_from(text), rules_from(kRules), plain(), L4Key::kAlways, 64, seed)
      .with_keys(plain(), L4Key::kAlways);
}

std::string bytes_of(const Traffic& traffic) {
  std::string bytes;
  for (const Packet& packet : traffic.packets())
    bytes.append(packet.frame.begin(), packet.frame.end());
  return bytes;
}

std::map<Key, std::size_t> packets_by_header(const Traffic& traffic) {
  std::map<Key, std::size_t> packets;
  for (const Packet& packet : traffic.packets())
    ++packets[*packet.key];
  return packets;
}

double hit_share(const Traffic& traffic, const RuleSet& rules) {
  const ReferenceClassifier classifier(rules);
  const auto hits = std::count_if(
      traffic.packets().begin(), traffic.packets().end(),
      [&](const Packet& packet) { return classifier.classify(*packet.key).has_value(); });
  return static_cast<double>(hits) / static_cast<double>(traffic.size());
}

}  // namespace

TEST_CASE("a generator's SPEC says what it changes and leaves the rest at its defaults") {
  const GeneratorSpec plain_spec = spec_from("gen:");
  CHECK(plain_spec.hit == 1.0);
  CHECK(plain_spec.locality == 0.0);
  CHECK(plain_spec.count == 75000);
  CHECK(plain_spec.sizes.empty());
  const GeneratorSpec spec =
      spec_from("gen:hit=0.25,locality=1,size=128,arrival=poisson:40,count=3");
  CHECK(spec.hit == 0.25);
  CHECK(spec.locality == 1.0);
  CHECK(spec.sizes == std::vector<FrameSize>{{128, 1}});
  CHECK(spec.arrival.process == Arrival::Process::kPoisson);
  CHECK(spec.arrival.rate_mbps == 40);
  CHECK(spec.count == 3);
  CHECK(spec_from("gen:size=imix").sizes == std::vector<FrameSize>{{64, 7}, {594, 4}, {1518, 1}});
}

TEST_CASE("all errors of a SPEC are reported at once, by the option that gave it") {
  CHECK(errors_of("gen:hit=2,localty=0,size=63,arrival=fast,count=0,seed") ==
        "--traffic: error: expected a share of 0 to 1, found '2'\n"
        "--traffic: error: unknown key 'localty' in the generator's SPEC; did you mean "
        "'locality'?\n"
        "--traffic: error: expected a size of 64 to 1518 bytes, imix, or BYTES:WEIGHT+..., "
        "found '63'\n"
        "--traffic: error: expected wire, a rate in Mb/s per port (0.1 to 100), or "
        "poisson:RATE, found 'fast'\n"
        "--traffic: error: expected a count of 1 to 10000000, found '0'\n"
        "--traffic: error: expected KEY=VALUE in the generator's SPEC, found 'seed'\n");
  for (const char* text : {"gen:hit=nan", "gen:hit=", "gen:size=1519", "gen:arrival=101",
                           "gen:arrival=poisson:0", "gen:count=1x"}) {
    CAPTURE(text);
    CHECK(errors_of(text).find("error: expected") != std::string::npos);
  }
}

TEST_CASE(
    "the generator's random words are those that the C++ standard fixes for its Mersenne twister") {
  Random random(5489);
  for (int i = 0; i < 9999; ++i)
    random.word();
  CHECK(random.word() == 9981545732273789042u);  // [rand.predef]: the 10000th word of mt19937_64
}

TEST_CASE("a seed gives the same packets on every platform, and another seed gives others") {
  const std::string spec = "gen:hit=0.5,locality=0.3,size=imix,count=500";
  CHECK(bytes_of(generated(spec, 7)) == bytes_of(generated(spec, 7)));
  CHECK(bytes_of(generated(spec, 7)) != bytes_of(generated(spec, 8)));
  CHECK(sha256_hex(bytes_of(generated(spec, 7))) ==
        "3869f02d445544cf4fa8ca0abb01aec809448285590b50e72ce0ac611ad771a9");
}

TEST_CASE("with hit 1 every packet matches, drawn evenly from the rules") {
  const RuleSet rules = rules_from(kRules);
  const Traffic traffic = generated("gen:count=30000");
  const ReferenceClassifier classifier(rules);
  std::map<RuleIndex, int> drawn;
  for (const Packet& packet : traffic.packets()) {
    const auto rule = classifier.classify(*packet.key);
    REQUIRE(rule);
    ++drawn[*rule];
  }
  for (const auto& [rule, count] : drawn)
    CHECK(std::abs(count - 10000) < 400);  // five standard deviations of 82
}

TEST_CASE("the points of a rule are uniform in its ranges") {
  const RuleSet rules =
      rules_from("fields: [{name: a, bits: 4, at: {byte: 29, bit: 4}}]\nrules: [{a: 3-10}]\n");
  Diagnostics diagnostics;
  const KeyLayout layout = *make_key_layout(KeyVariant::kFixed, rules.fields(), {}, diagnostics);
  std::map<std::uint64_t, int> drawn;
  const Traffic traffic =
      generate(spec_from("gen:count=16000"), rules, layout, L4Key::kAlways, 64, 3)
          .with_keys(layout, L4Key::kAlways);
  for (const Packet& packet : traffic.packets())
    ++drawn[packet.key->at(0)];
  CHECK(drawn.size() == 8);
  for (const auto& [value, count] : drawn)
    CHECK(std::abs(count - 2000) < 210);  // five standard deviations of 42
}

TEST_CASE("the share of hits is the one asked for") {
  const RuleSet rules = rules_from(kRules);
  CHECK(hit_share(generated("gen:hit=0,count=10000"), rules) < 0.01);
  CHECK(hit_share(generated("gen:hit=0.25,count=10000"), rules) == Approx(0.25).margin(0.025));
}

TEST_CASE("locality repeats recent headers, in frames that still differ") {
  const auto distinct_keys = [](const Traffic& traffic) {
    std::set<Key> keys;
    for (const Packet& packet : traffic.packets())
      keys.insert(*packet.key);
    return keys.size();
  };
  CHECK(distinct_keys(generated("gen:locality=0,count=4000")) > 3900);
  const Traffic repeating = generated("gen:locality=0.75,count=4000");
  CHECK(static_cast<double>(distinct_keys(repeating)) == Approx(1000).margin(140));
  CHECK(distinct_keys(generated("gen:locality=1,count=4000")) == 1);
  std::set<Frame> frames;
  for (const Packet& packet : repeating.packets())
    frames.insert(packet.frame);
  CHECK(frames.size() == 4000);
}

TEST_CASE("imix mixes frames of 64, 594 and 1518 bytes as 7 to 4 to 1") {
  std::map<std::size_t, int> sizes;
  const Traffic traffic = generated("gen:size=imix,count=12000");
  for (const Packet& packet : traffic.packets())
    ++sizes[packet.frame.size()];
  REQUIRE(sizes.size() == 3);
  CHECK(std::abs(sizes[64] - 7000) < 275);
  CHECK(std::abs(sizes[594] - 4000) < 260);
  CHECK(std::abs(sizes[1518] - 1000) < 152);
}

TEST_CASE("wire arrival leaves no extra gap, and a constant rate is met on every port") {
  const std::vector<PortId> ports = {PortId(0), PortId(1), PortId(2), PortId(3)};
  const Slot slot{12, 0};
  Traffic traffic = with_arrival(generated("gen:count=400"), {}, slot, ports, 1);
  for (const Packet& packet : traffic.packets())
    CHECK(packet.extra_gap_bytes == 0);

  traffic = with_arrival(std::move(traffic), *parse_arrival("30"), slot, ports, 1);
  std::uint64_t port_2_bytes = 0;  // up to the start of its last packet
  for (std::size_t i = 2; i < 400; i += 4)
    port_2_bytes += traffic.packets()[i].extra_gap_bytes + 76;
  CHECK(static_cast<double>(port_2_bytes - 76) == Approx(99 * 76 / 0.3).margin(1));
  CHECK(traffic.packets()[2].extra_gap_bytes == 0);
  CHECK(traffic.packets()[6].extra_gap_bytes == 177);  // 76 / 0.3 - 76, rounded down
}

TEST_CASE("a rate that the slot cannot carry is the wire's own") {
  const Traffic traffic =
      with_arrival(generated("gen:count=50"), *parse_arrival("100"), {12, 8}, {PortId(0)}, 1);
  for (const Packet& packet : traffic.packets())
    CHECK(packet.extra_gap_bytes == 0);
}

TEST_CASE("Poisson arrivals keep the mean rate and vary as exponential distances do") {
  Random random(3);
  double sum = 0, squares = 0;
  const int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const auto value = static_cast<double>(random.exponential(1 << 20)) / (1 << 20);
    sum += value;
    squares += value * value;
  }
  CHECK(sum / draws == Approx(1).margin(0.016));  // five standard errors
  CHECK(squares / draws == Approx(2).margin(0.08));
  const Arrival arrival = *parse_arrival("poisson:25");
  const Traffic traffic =
      with_arrival(generated("gen:count=20000"), arrival, {12, 0}, {PortId(0)}, 1);
  std::uint64_t bytes = 0;
  std::set<std::uint64_t> gaps;
  for (const Packet& packet : traffic.packets()) {
    bytes += packet.extra_gap_bytes + 76;
    gaps.insert(packet.extra_gap_bytes);
  }
  CHECK(static_cast<double>(bytes) / 20000 == Approx(4 * 76).epsilon(0.04));
  CHECK(gaps.size() > 500);
  CHECK(gaps.count(0) == 1);  // bursts: back to back on the wire
}

TEST_CASE(
    "packets are drawn when they are asked for, and are the same however they are asked for") {
  const auto arriving = [] {
    return with_arrival(generated("gen:count=300,size=imix,locality=0.3", 5),
                        *parse_arrival("poisson:30"), {12, 8}, {PortId(0), PortId(2)}, 7);
  };
  const Traffic all = arriving(), some = arriving();
  const std::vector<Packet>& packets = all.packets();
  const Packet& first = some.packet(0);
  for (const std::size_t index : {17u, 3u, 299u, 18u}) {
    CHECK(some.packet(index).frame == packets[index].frame);
    CHECK(some.packet(index).key == packets[index].key);
    CHECK(some.packet(index).extra_gap_bytes == packets[index].extra_gap_bytes);
  }
  CHECK(&some.packet(0) == &first);  // none moves when others are drawn
  CHECK(some.size() == 300);
}

TEST_CASE("traffic that is changed after some of it was drawn is changed in all its packets") {
  Traffic traffic = generated("gen:count=20");
  (void)traffic.packet(7);
  const Traffic copy = traffic;
  const Traffic moved = std::move(traffic).on_port(PortId(3));
  for (std::size_t i = 0; i != 20; ++i) {
    CHECK(moved.packet(i).arrival_port == PortId(3));
    CHECK_FALSE(copy.packet(i).arrival_port);
    CHECK(moved.packet(i).frame == copy.packet(i).frame);
  }
}

TEST_CASE("with zipf the k-th of the flows has a share in proportion to 1/k^S") {
  std::vector<std::size_t> counts;
  for (const auto& [header, packets] : packets_by_header(generated("gen:zipf=1:4,count=25000")))
    counts.push_back(packets);
  std::sort(counts.rbegin(), counts.rend());
  REQUIRE(counts.size() == 4);  // 12, 6, 4 and 3 of 25 parts
  CHECK(counts[0] == Approx(12000).margin(400));
  CHECK(counts[1] == Approx(6000).margin(400));
  CHECK(counts[2] == Approx(4000).margin(300));
  CHECK(counts[3] == Approx(3000).margin(300));

  INFO("with an exponent of 0 all shares are equal");
  for (const auto& [header, packets] : packets_by_header(generated("gen:zipf=0:10,count=20000")))
    CHECK(packets == Approx(2000).margin(250));
}

TEST_CASE("zipf takes an exponent and a number of flows, and no other model beside it") {
  CHECK(errors_of("gen:zipf=1").find("expected EXPONENT:FLOWS") != std::string::npos);
  CHECK(errors_of("gen:zipf=11:5").find("an exponent of 0 to 10") != std::string::npos);
  CHECK(errors_of("gen:zipf=1:0").find("1 to 1000000 flows") != std::string::npos);
  CHECK(errors_of("gen:zipf=1:5,locality=0.5").find("alternative models") != std::string::npos);
}
