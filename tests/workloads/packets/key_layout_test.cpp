#include "tests/workloads/test_inputs.h"

#include "workloads/packets/frame.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

KeyLayout layout_of(KeyVariant variant, const std::vector<FieldDefinition>& fields) {
  Diagnostics diagnostics;
  auto layout = make_key_layout(variant, fields, {}, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(layout);
  return std::move(*layout);
}
KeyLayout plain() {
  return layout_of(KeyVariant::kIpv4FiveTuple, five_tuple_fields());
}
KeyLayout full() {
  return layout_of(KeyVariant::kIpv4Full, five_tuple_fields());
}

const Key kUdpKey = {0x0A000001, 0x0B000002, 1234, 80, 17};

// A frame with the header of kUdpKey and `options` 4-byte words of IP options, cut to `bytes`
// without check sequence.
Frame frame_with_options(unsigned options, std::size_t bytes = 96) {
  const Frame built = build_frame(kUdpKey, plain(), 64, 0);
  Frame frame(built.begin(), built.begin() + 34);
  frame.insert(frame.end(), 4 * options, 1);  // "no operation"
  frame[14] = static_cast<std::uint8_t>(0x45 + options);
  frame.insert(frame.end(), built.begin() + 34, built.begin() + 60);
  frame.resize(bytes);
  store_big_endian(frame, 16, 2, bytes - 14);
  return finish_frame(std::move(frame));
}

}  // namespace

TEST_CASE("the 5-tuple of a frame is read from its IPv4 and transport headers") {
  const Frame frame = build_frame(kUdpKey, plain(), 64, 7);
  CHECK(extract(frame, plain(), L4Key::kTransport) == kUdpKey);
  CHECK(extract(frame, full(), L4Key::kAlways) == kUdpKey);
}

TEST_CASE(
    "ports count for TCP, UDP and SCTP alone under l4 key transport, for every protocol under "
    "always") {
  for (const std::uint64_t protocol : {6, 17, 132, 1, 47, 50, 0, 255}) {
    CAPTURE(protocol);
    const Key key = {1, 2, 3, 4, protocol};
    const Frame frame = build_frame(key, plain(), 64, 0);
    const bool has_ports = protocol == 6 || protocol == 17 || protocol == 132;
    CHECK(extract(frame, plain(), L4Key::kTransport) ==
          (has_ports ? key : Key{1, 2, 0, 0, protocol}));
    CHECK(extract(frame, plain(), L4Key::kAlways) == key);
  }
}

TEST_CASE("a later fragment has ports 0 under transport, a first fragment its ports") {
  Frame frame = build_frame(kUdpKey, plain(), 64, 0);
  store_big_endian(frame, 20, 2, 0x2000);  // more fragments, offset 0
  CHECK(extract(frame, plain(), L4Key::kTransport) == kUdpKey);
  store_big_endian(frame, 20, 2, 0x0001);
  CHECK(extract(frame, plain(), L4Key::kTransport) == Key{0x0A000001, 0x0B000002, 0, 0, 17});
  CHECK(extract(frame, plain(), L4Key::kAlways) == kUdpKey);
}

TEST_CASE(
    "under fragments a later fragment has no ports, and other packets are as under transport") {
  Frame frame = build_frame(kUdpKey, plain(), 64, 0);
  CHECK(extract(frame, plain(), L4Key::kFragments) == kUdpKey);
  store_big_endian(frame, 20, 2, 0x2000);  // more fragments, offset 0
  CHECK(extract(frame, plain(), L4Key::kFragments) == kUdpKey);
  make_later_fragment(frame);
  CHECK(extract(frame, plain(), L4Key::kFragments) ==
        Key{0x0A000001, 0x0B000002, kNoPort, kNoPort, 17});
  const Frame icmp = build_frame({1, 2, 3, 4, 1}, plain(), 64, 0);
  CHECK(extract(icmp, plain(), L4Key::kFragments) == Key{1, 2, 0, 0, 1});
}

TEST_CASE("a frame made into a later fragment is as long as before and has right check sums") {
  Frame frame = build_frame(kUdpKey, plain(), 70, 3);
  make_later_fragment(frame);
  REQUIRE(frame.size() == 70);
  CHECK(load_big_endian(frame, 20, 2) == 185);
  std::uint64_t sum = 0;
  for (std::size_t i = 14; i < 34; i += 2)
    sum += load_big_endian(frame, i, 2);
  CHECK((sum & 0xFFFF) + (sum >> 16) == 0xFFFF);
  const Frame again = finish_frame(Frame(frame.begin(), frame.end() - 4));
  CHECK(again == frame);
}

TEST_CASE("IP options are parsed by ipv4_full, and match nothing with ipv4_5tuple") {
  for (const unsigned options : {1u, 5u, 10u}) {
    CAPTURE(options);
    const Frame frame = frame_with_options(options);
    CHECK(extract(frame, full(), L4Key::kTransport) == kUdpKey);
    CHECK(extract(frame, plain(), L4Key::kTransport) == std::nullopt);
  }
}

TEST_CASE("a frame that is not IPv4, or whose header length is too small, has no key") {
  const auto changed = [](std::size_t offset, std::uint64_t value, std::size_t bytes) {
    Frame frame = build_frame(kUdpKey, plain(), 64, 0);
    store_big_endian(frame, offset, bytes, value);
    return extract(frame, full(), L4Key::kTransport);
  };
  CHECK(changed(12, 0x0800, 2) == kUdpKey);
  CHECK(changed(12, 0x86DD, 2) == std::nullopt);
  CHECK(changed(12, 0x8100, 2) == std::nullopt);
  CHECK(changed(14, 0x65, 1) == std::nullopt);
  CHECK(changed(14, 0x44, 1) == std::nullopt);
}

TEST_CASE("a datagram that stops before the end of its header or ports has no key") {
  const auto with_length = [](std::uint64_t total_length, L4Key l4, std::uint64_t protocol) {
    Frame frame = build_frame({1, 2, 3, 4, protocol}, plain(), 64, 0);
    store_big_endian(frame, 16, 2, total_length);
    return extract(frame, plain(), l4);
  };
  CHECK(with_length(24, L4Key::kTransport, 6) == Key{1, 2, 3, 4, 6});
  CHECK(with_length(23, L4Key::kTransport, 6) == std::nullopt);
  CHECK(with_length(20, L4Key::kTransport, 1) == Key{1, 2, 0, 0, 1});
  CHECK(with_length(19, L4Key::kTransport, 1) == std::nullopt);
  CHECK(with_length(23, L4Key::kAlways, 1) == std::nullopt);

  // Fifteen words of header end at byte 74, their ports at 78: by the frame's end, not by the
  // length it claims.
  Frame frame = frame_with_options(10, 78);
  CHECK(extract(frame, full(), L4Key::kTransport) == kUdpKey);
  Frame cut = frame_with_options(10, 77);
  store_big_endian(cut, 16, 2, 1000);
  CHECK(extract(cut, full(), L4Key::kTransport) == std::nullopt);
}

TEST_CASE("a layout without ports reads a datagram that has none, whatever the l4 key") {
  const auto& fields = five_tuple_fields();
  const KeyLayout layout = layout_of(KeyVariant::kIpv4FiveTuple, {fields[4], fields[1]});
  CHECK_FALSE(layout.reads_ports());
  Frame frame = build_frame({17, 0x0B000002}, layout, 64, 0);
  store_big_endian(frame, 16, 2, 20);
  CHECK(extract(frame, layout, L4Key::kAlways) == Key{17, 0x0B000002});
}

TEST_CASE("fixed fields are read at their bits, most significant first, from any frame") {
  const KeyLayout layout =
      layout_of(KeyVariant::kFixed, {{"low", 4, MatchKind::kRange, FramePosition{1, 4}},
                                     {"straddling", 10, MatchKind::kRange, FramePosition{2, 7}},
                                     {"wide", 64, MatchKind::kRange, FramePosition{4, 1}}});
  Frame frame(64, 0);
  frame[1] = 0xA5;
  frame[2] = 0x01;
  frame[3] = 0xFF;
  frame[4] = 0x80;   // bit 0: behind "straddling", before "wide"
  frame[12] = 0x80;  // the last bit of "wide"
  CHECK(extract(frame, layout, L4Key::kTransport) == Key{5, 0x3FF, 1});
}

TEST_CASE(
    "a field without a place cannot be fixed, and one that is not a header field cannot be read "
    "from IPv4") {
  Diagnostics diagnostics;
  const std::vector<FieldDefinition> fields = {{"source_address", 32, MatchKind::kRange, {}},
                                               {"protocol", 4, MatchKind::kRange, {}},
                                               {"vlan", 12, MatchKind::kRange, {}}};
  CHECK_FALSE(make_key_layout(KeyVariant::kFixed, fields, {"w.yaml", 3, 6}, diagnostics));
  CHECK(diagnostics.errors().size() == 3);
  CHECK(diagnostics.to_string().find(
            "w.yaml:3:6: error: a fixed key needs the place of field 'source_address'") == 0);
  Diagnostics others;
  CHECK_FALSE(make_key_layout(KeyVariant::kIpv4Full, fields, {}, others));
  CHECK(others.errors().size() == 2);
}
