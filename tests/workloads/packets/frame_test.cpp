#include "tests/workloads/test_inputs.h"

#include "workloads/packets/frame.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

KeyLayout five_tuple_layout() {
  Diagnostics diagnostics;
  return *make_key_layout(KeyVariant::kIpv4FiveTuple, five_tuple_fields(), {}, diagnostics);
}

}  // namespace

TEST_CASE("the frame check sequence is IEEE 802.3's CRC-32") {
  const std::string digits = "123456789";  // the usual check value of CRC catalogues
  CHECK(frame_check_sequence(std::vector<std::uint8_t>(digits.begin(), digits.end())) ==
        0xCBF43926);
}

TEST_CASE(
    "a frame is padded to 60 bytes and ends with its check sequence, least significant byte "
    "first") {
  const Frame frame = finish_frame({1, 2, 3});
  REQUIRE(frame.size() == 64);
  CHECK(frame[2] == 3);
  CHECK(frame[3] == 0);
  CHECK(frame_check_sequence(frame) ==
        0x2144DF1C);  // what a receiver's CRC over a whole frame comes to
  CHECK(finish_frame(std::vector<std::uint8_t>(61)).size() == 65);
}

TEST_CASE("a built frame is an IPv4 datagram with a right checksum and length") {
  for (const std::size_t bytes : {64, 65, 594, 1518}) {
    CAPTURE(bytes);
    const Frame frame =
        build_frame({0x0A000001, 0x0B000002, 1234, 80, 17}, five_tuple_layout(), bytes, 5);
    REQUIRE(frame.size() == bytes);
    CHECK(load_big_endian(frame, 12, 4) == 0x08004500);
    CHECK(load_big_endian(frame, 16, 2) == bytes - 18);
    std::uint64_t sum = 0;
    for (std::size_t i = 14; i < 34; i += 2)
      sum += load_big_endian(frame, i, 2);
    CHECK((sum & 0xFFFF) + (sum >> 16) == 0xFFFF);
    CHECK(load_big_endian(frame, 38, 2) == bytes - 38);  // UDP's own length
    CHECK(frame_check_sequence(frame) == 0x2144DF1C);
  }
}

TEST_CASE("frames of one key differ by their serial number") {
  const Key key = {1, 2, 3, 4, 17};
  const Frame first = build_frame(key, five_tuple_layout(), 64, 1);
  const Frame second = build_frame(key, five_tuple_layout(), 64, 2);
  CHECK(first != second);
  CHECK(load_big_endian(second, 52, 8) == 2);
}

TEST_CASE(
    "a fixed key is read back from its frame, even where it lies over the checksum or the serial "
    "number") {
  Diagnostics diagnostics;
  const std::vector<FieldDefinition> fields = {
      {"checksum", 16, MatchKind::kRange, FramePosition{24, 0}},
      {"low", 4, MatchKind::kRange, FramePosition{29, 4}},
      {"payload", 64, MatchKind::kRange, FramePosition{51, 3}}};
  const KeyLayout layout = *make_key_layout(KeyVariant::kFixed, fields, {}, diagnostics);
  const Key key = {0x1234, 0xB, 0xFEDCBA9876543210};
  CHECK(extract(build_frame(key, layout, 64, 99), layout, L4Key::kAlways) == key);
}
