// The reassembly of the receive code, on an engine, with receive records that no port of the model
// delivers.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;

namespace {

// The constants of a mapping that the library's headers want, and the record of an mpacket.
const char* kPrelude =
    "#define DIMENSIONS 1\n"
    "#define WORK_SEED 0\n"
    "#define TUNE_POLL_WORK 0\n"
    "#define TUNE_POLL_YIELDS 0\n"
    "#define BUFFERS_BASE 0\n"
    "#define DESCRIPTORS_BASE 0\n"
    "#define COUNTERS_BASE 0\n"
    "#define PORTS 8\n"
    "#include \"reassembly.h\"\n"
    "#define BYTES(n) ((n) << 16)\n"
    "static u32 take(struct receive_state* state, u32 control) {\n"
    "  if (control & RECEIVE_SOP) begin_frame(state);\n"
    "  if (!add_mpacket(state, control)) return 100;\n"
    "  return control & RECEIVE_EOP ? end_frame(state) : 101;\n"
    "}\n"
    "int main(void) {\n"
    "  struct receive_state state = {0, 0, 0};\n"
    "  state.buffer = 2048;\n";

// Runs the statements; what they write on the console.
std::string console_of(const std::string& statements) {
  const ScratchFolder folder;
  (void)folder.write("reassembly.c", kPrelude + statements + "  return 0;\n}\n");
  const Outcome outcome = call_nplab({"exec", "reassembly.c", "--json"}, folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out).at("console");
}

std::string hexadecimal(std::initializer_list<unsigned> values) {
  std::string text;
  for (const unsigned value : values)
    text += fmt::format("0x{:08x}\n", value);
  return text;
}

constexpr unsigned kNoBuffer = 2, kBadFrame = 5;           // DROP_..., packet.h
constexpr unsigned kGood = 8, kNobody = 100, kMore = 101;  // FRAME_GOOD; of take() above

const char* kCounts =
    "  console_hex(state.received_frames); console_hex(state.received_bytes);\n"
    "  console_hex(state.refused_frames); console_hex(state.broken_frames);\n";

}  // namespace

TEST_CASE("the mpackets of a frame make its length, and the last one's bytes are known",
          "[reassembly]") {
  CHECK(console_of(std::string("  console_hex(take(&state, RECEIVE_SOP | BYTES(64)));\n"
                               "  console_hex(take(&state, BYTES(64)));\n"
                               "  console_hex(take(&state, RECEIVE_EOP | BYTES(9)));\n"
                               "  console_hex(state.length); console_hex(state.mpackets);\n"
                               "  console_hex(state.last_bytes);\n") +
                   kCounts) == hexadecimal({kMore, kMore, kGood, 137, 3, 9, 1, 137, 0, 0}));
}

TEST_CASE("a frame that begins before the last one has ended replaces it, which is counted",
          "[reassembly]") {
  CHECK(console_of(std::string("  console_hex(take(&state, RECEIVE_SOP | BYTES(64)));\n"
                               "  console_hex(take(&state, RECEIVE_SOP | BYTES(64)));\n"
                               "  console_hex(take(&state, RECEIVE_EOP | BYTES(10)));\n"
                               "  console_hex(state.length);\n") +
                   kCounts) == hexadecimal({kMore, kMore, kGood, 74, 1, 74, 0, 1}));
}

TEST_CASE("an mpacket without the beginning of a frame is nobody's, which is counted",
          "[reassembly]") {
  CHECK(console_of(std::string("  console_hex(take(&state, BYTES(64)));\n"
                               "  console_hex(take(&state, RECEIVE_EOP | BYTES(64)));\n") +
                   kCounts) == hexadecimal({kNobody, kNobody, 0, 0, 0, 2}));
}

TEST_CASE("an error in the middle of a frame refuses it at its end, and the next frame is good",
          "[reassembly]") {
  CHECK(console_of(
            std::string("  console_hex(take(&state, RECEIVE_SOP | RECEIVE_ERROR | BYTES(64)));\n"
                        "  console_hex(take(&state, RECEIVE_EOP | BYTES(64)));\n"
                        "  console_hex(take(&state, RECEIVE_SOP | RECEIVE_EOP | BYTES(64)));\n") +
            kCounts) == hexadecimal({kMore, kBadFrame, kGood, 1, 64, 1, 0}));
}

TEST_CASE("a frame of 2047 bytes is good and one of 2048 is refused", "[reassembly]") {
  for (const unsigned last : {63u, 64u}) {
    const std::string frame = fmt::format(
        "  u32 i;\n"
        "  take(&state, RECEIVE_SOP | BYTES(64));\n"
        "  for (i = 0; i < 30; ++i) take(&state, BYTES(64));\n"
        "  console_hex(take(&state, RECEIVE_EOP | BYTES({})));\n"
        "  console_hex(state.length);\n",
        last);
    CHECK(console_of(frame) == hexadecimal({last == 63 ? kGood : kBadFrame, 31 * 64 + last}));
  }
}

TEST_CASE("a frame that found no buffer is refused for that at its end", "[reassembly]") {
  CHECK(console_of(std::string("  state.buffer = 0;\n"
                               "  console_hex(take(&state, RECEIVE_SOP | BYTES(64)));\n"
                               "  console_hex(take(&state, RECEIVE_EOP | RECEIVE_ERROR));\n") +
                   kCounts) == hexadecimal({kMore, kNoBuffer, 0, 0, 1, 0}));
}
