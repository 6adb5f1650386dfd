#include "tests/workloads/test_inputs.h"

#include <array>

#include "workloads/traffic/traffic.h"

using namespace nplab;
using namespace nplab::workloads;
using namespace nplab::workloads::testing;

namespace {

std::string little_endian(std::initializer_list<std::uint32_t> words) {
  std::string bytes;
  for (const std::uint32_t word : words) {
    for (int i = 0; i < 4; ++i)
      bytes.push_back(static_cast<char>(word >> 8 * i));
  }
  return bytes;
}

std::string pcap_header(std::uint32_t link_type = 1) {
  return little_endian({0xA1B2C3D4, 0x00040002, 0, 0, 65535, link_type});
}

std::string pcap_record(const std::string& bytes, std::size_t length) {
  return little_endian(
             {0, 0, static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(length)}) +
         bytes;
}

KeyLayout full_layout() {
  Diagnostics diagnostics;
  auto layout =
      make_key_layout(KeyVariant::kIpv4Full, five_tuple_fields(), {"test", 0, 0}, diagnostics);
  REQUIRE(layout);
  return std::move(*layout);
}

std::string errors_of(const std::string& bytes) {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_traffic(input(bytes), 64, diagnostics));
  return diagnostics.to_string();
}

Traffic traffic_from(const std::string& bytes, std::size_t frame_bytes = 64) {
  Diagnostics diagnostics;
  auto traffic = parse_traffic(input(bytes), frame_bytes, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(traffic);
  return std::move(*traffic);
}

Traffic keyed(Traffic traffic, L4Key l4) {
  Diagnostics diagnostics;
  const auto layout = make_key_layout(KeyVariant::kIpv4Full, five_tuple_fields(), {}, diagnostics);
  return std::move(traffic).with_keys(*layout, l4);
}

}  // namespace

TEST_CASE("a header trace becomes frames whose key is its five columns, whatever the protocol") {
  const std::string text =
      "# a comment\n2965753376\t0\t123\t65535\t17\t210\n1 2 3 4 1 -1 x\n5 6 7 8 0\n";
  const Traffic traffic = keyed(traffic_from(text), L4Key::kAlways);
  REQUIRE(traffic.size() == 3);
  CHECK(traffic.kind() == TrafficKind::kHeaderTrace);
  CHECK(traffic.packets()[0].key == Key{2965753376, 0, 123, 65535, 17});
  CHECK(traffic.packets()[1].key == Key{1, 2, 3, 4, 1});
  CHECK(traffic.packets()[2].key == Key{5, 6, 7, 8, 0});
  CHECK(traffic.packets()[0].trace_column == 210);
  CHECK(traffic.packets()[1].trace_column == -1);
  CHECK(traffic.packets()[2].trace_column == std::nullopt);
  for (const Packet& packet : traffic.packets())
    CHECK(packet.frame.size() == 64);
}

TEST_CASE("the frames of a header trace are as long as asked") {
  const Traffic traffic = traffic_from("1 2 3 4 6\n", 256);
  CHECK(traffic.packets()[0].frame.size() == 256);
}

TEST_CASE("a heading of a header trace says where its columns stand") {
  const Traffic traffic =
      keyed(traffic_from("# len SA DA SP DP PROTO (as captured)\n150 1 2 3 4 6\n"), L4Key::kAlways);
  CHECK(traffic.packets()[0].key == Key{1, 2, 3, 4, 6});
}

TEST_CASE("errors of a header trace stand at their lines and columns, all at once") {
  CHECK(errors_of("1 2 3 4 6\n4294967296 2 65536 4 256\n1 2 3 4\n1 x 3 4 -6\n") ==
        "in:2:1: error: source_address 4294967296 does not fit 32 bits (at most 4294967295)\n"
        "in:2:14: error: source_port 65536 does not fit 16 bits (at most 65535)\n"
        "in:2:22: error: protocol 256 does not fit 8 bits (at most 255)\n"
        "in:3:1: error: expected 'SA DA SP DP PROTO', five decimal numbers, found 4 columns\n"
        "in:4:3: error: expected the destination_address as a decimal number, found 'x'\n"
        "in:4:9: error: expected the protocol as a decimal number, found '-6'\n");
  CHECK(errors_of("") ==
        "in:0:0: error: is neither a capture nor a header trace: it has no packets\n");
}

TEST_CASE(
    "a captured packet gets a check sequence and padding, and says whether the capture cut it") {
  const Traffic traffic = traffic_from(pcap_header() + pcap_record(std::string(40, 'x'), 40) +
                                       pcap_record(std::string(100, 'y'), 1500));
  REQUIRE(traffic.size() == 2);
  CHECK(traffic.kind() == TrafficKind::kCapture);
  CHECK(traffic.packets()[0].frame.size() == 64);
  CHECK_FALSE(traffic.packets()[0].cut_by_capture);
  CHECK(traffic.packets()[1].frame.size() == 104);
  CHECK(traffic.packets()[1].cut_by_capture);
  for (const Packet& packet : traffic.packets())
    CHECK(frame_check_sequence(packet.frame) == 0x2144DF1C);
}

TEST_CASE("a datagram that the capture cut ends there, so that a key that was cut is none") {
  const KeyLayout layout = full_layout();
  const Key key{0x0a000001, 0x0a000002, 4000, 80, 6};
  const Frame whole = build_frame(key, layout, 200, 1);
  const auto cut_to = [&](std::size_t bytes) {
    const std::string text(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes));
    const Traffic traffic = traffic_from(pcap_header() + pcap_record(text, 196));
    return traffic.packets().front();
  };
  // Ports end at byte 38, the IP header at byte 34.
  for (const std::size_t bytes : {14, 18, 26, 33, 34, 37}) {
    CAPTURE(bytes);
    CHECK_FALSE(extract(cut_to(bytes).frame, layout, L4Key::kTransport));
  }
  for (const std::size_t bytes : {38, 59, 60, 100}) {
    CAPTURE(bytes);
    CHECK(extract(cut_to(bytes).frame, layout, L4Key::kTransport) == key);
  }
  const Frame ended = cut_to(38).frame;
  CHECK(load_big_endian(ended, 16, 2) == 24);
  std::uint64_t sum = 0;  // RFC 1071: a right header adds up to 0xffff
  for (std::size_t i = 14; i < 34; i += 2)
    sum += load_big_endian(ended, i, 2);
  CHECK((sum & 0xffff) + (sum >> 16) == 0xffff);
  CHECK(load_big_endian(cut_to(60).frame, 16, 2) == 182);  // not padded: as it was
}

TEST_CASE("a pcapng capture is read like a pcap") {
  const std::string section =
      little_endian({0x0A0D0D0A, 28, 0x1A2B3C4D, 0x00000001, 0xFFFFFFFF, 0xFFFFFFFF, 28});
  const std::string interface = little_endian({1, 20, 1, 65535, 20});
  const std::string packet = little_endian({6, 32 + 60, 0, 0, 0, 60, 60}) + std::string(60, 'z') +
                             little_endian({32 + 60});
  const Traffic traffic = traffic_from(section + interface + packet);
  REQUIRE(traffic.size() == 1);
  CHECK(traffic.packets()[0].frame.size() == 64);
  CHECK(traffic.packets()[0].frame[59] == 'z');
}

TEST_CASE("a truncated capture is refused, naming the record it breaks in") {
  const std::string first = pcap_record(std::string(60, 'x'), 60),
                    second = pcap_record(std::string(60, 'y'), 60);
  const std::string whole = pcap_header() + first + second;
  for (const std::size_t missing : {1, 30, 59, 61, 75}) {
    CAPTURE(missing);
    CHECK(errors_of(whole.substr(0, whole.size() - missing)).find("in:0:0: error: record 2: ") ==
          0);
  }
  CHECK(errors_of(whole.substr(0, 10)).find("in:0:0: error: cannot be read as a capture: ") == 0);
}

TEST_CASE("a capture of no packets, of another link type or with oversized frames is refused") {
  CHECK(errors_of(pcap_header()) == "in:0:0: error: the capture holds no packets\n");
  CHECK(errors_of(pcap_header(105)).find("link type IEEE802_11; expected Ethernet (EN10MB)") !=
        std::string::npos);
  const std::string small = pcap_record(std::string(60, 'x'), 60),
                    large = pcap_record(std::string(1519, 'x'), 1519);
  CHECK(errors_of(pcap_header() + small + large)
            .find("in:0:0: error: record 2: 1519 bytes are more than") == 0);
  const Traffic longest = traffic_from(pcap_header() + pcap_record(std::string(1518, 'x'), 1518));
  CHECK(longest.packets()[0].frame.size() == 1522);
}

TEST_CASE("a key trace has hexadecimal keys of any width and no frames") {
  const std::vector<FieldDefinition> fields = {{"a", 64, MatchKind::kExact, {}},
                                               {"b", 8, MatchKind::kRange, {}}};
  Diagnostics diagnostics;
  const auto traffic = parse_key_trace(input("10dd81fedc85344a ff -1\n0 1\n"), fields, diagnostics);
  REQUIRE(traffic);
  CHECK(traffic->packets()[0].key == Key{0x10dd81fedc85344a, 0xFF});
  CHECK(traffic->packets()[0].trace_column == -1);
  CHECK(traffic->packets()[0].frame.empty());
  CHECK_FALSE(parse_key_trace(input("1 100\n1\ng 1\n"), fields, diagnostics));
  CHECK(diagnostics.to_string() ==
        "in:1:3: error: b 100 does not fit 8 bits (at most 255)\n"
        "in:2:1: error: expected 2 fields in a key of this rule set, found 1\n"
        "in:3:1: error: expected the a as a hexadecimal number, found 'g'\n");
}
