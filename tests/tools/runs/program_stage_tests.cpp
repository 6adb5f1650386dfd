// Stages that run a program written by hand, and variables of programs in a mapping.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const char* kOneRule =
    "fields:\n"
    "  - {name: source_address, bits: 8, match: range, at: {byte: 29, bit: 0}}\n"
    "rules:\n"
    "  - {name: all, source_address: 0-255, action: allow}\n";

std::string mapping_with(const std::string& program, const std::string& more = "") {
  return "mapping: by-hand\n"
         "algorithm: linear-search\n"
         "chip: ixp1200\n"
         "workload: published\n"
         "stages:\n"
         "  - {name: receive, role: receive, engines: [0], threads: 4}\n"
         "  - {name: hand, role: program, engines: [1, 2], threads: 4, program: " +
         program +
         "}\n"
         "  - {name: transmit, role: transmit, engines: [5], threads: 4}\n"
         "queues:\n"
         "  - {name: received, from: receive, to: hand, per: consumer_thread, entries: 64, memory: "
         "sram}\n"
         "  - {name: classified, from: hand, to: transmit, per: producer_thread, entries: 64, "
         "memory: sram}\n" +
         more;
}

// Judges every packet by the first rule's number in the table. `count` is kept in a global
// variable.
std::string forwarder(const std::string& count) {
  return "#include \"layout.h\"\n" + count +
         "int main(void) {\n"
         "  const u32 in = received_ring(STAGE_RANK, 0);\n"
         "  const u32 out = classified_ring(STAGE_RANK, 0);\n"
         "  for (;;) {\n"
         "    u32 buffer, info;\n"
         "    while (!received_get(in, &buffer, &info)) ctx_swap_voluntary();\n"
         "    packet_verdict(buffer, *(SPACE_RULES u32 *)(TABLE_RULES + "
         "RECORD_RULE(DIMENSIONS)));\n"
         "    COUNT\n"
         "    while (!classified_put(out, buffer, info)) ctx_swap_voluntary();\n"
         "  }\n"
         "}\n";
}

Outcome run_by_hand(const ScratchFolder& folder, const std::string& program,
                    const Words& words = {}) {
  (void)folder.write("one.rules.yaml", kOneRule);
  (void)folder.write("hand.c", program);
  (void)folder.write("by-hand.yaml", mapping_with("hand.c"));
  return call_nplab(
      Words{"run", "by-hand.yaml", "--rules", "one.rules.yaml", "--traffic", "gen:count=100",
            "--packets", "100", "--arrival", "lossless", "--drain", "--quiet", "--json", "r.json"} +
          words,
      folder.path());
}

}  // namespace

TEST_CASE("a program in C directly after receive finds its queues and tables by name",
          "[program_stage]") {
  const ScratchFolder folder;
  const Outcome outcome = run_by_hand(folder, "#define COUNT\n" + forwarder(""));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto record = read_json(folder.file("r.json"));
  check_record(record);
  check_all_classified(record);
  CHECK(record.at("packets").at("sent") == 100);
  bool has_line = false;
  for (const auto& line : record.at("lines"))
    has_line = has_line || line.at("file") == "hand.c";
  CHECK(has_line);
}

TEST_CASE("a queue at a stage written by hand cannot wait for signals", "[program_stage]") {
  const ScratchFolder folder;
  const Outcome outcome = run_by_hand(folder, "#define COUNT\n" + forwarder(""),
                                      {"--set", "queues.received.wait=signal"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("wait: signal: queue 'received' has stage 'hand', which is "
                                   "written by hand and neither sends nor awaits signals; write "
                                   "poll"));
}

TEST_CASE("a program's global variables lie apart from queues and tables", "[program_stage]") {
  const ScratchFolder folder;
  for (const char* space : {"__sram", "__scratch"}) {
    INFO(space);
    const std::string variable =
        std::string("static volatile ") + space + " u32 seen[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n";
    const Outcome outcome =
        run_by_hand(folder, "#define COUNT seen[STAGE_RANK & 7] += 1;\n" + forwarder(variable));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    check_all_classified(read_json(folder.file("r.json")));
  }
}

TEST_CASE("variables larger than their area are refused with the arithmetic", "[program_stage]") {
  const ScratchFolder folder;
  const std::string variable = "static volatile __scratch u32 seen[100];\n";
  const Outcome outcome =
      run_by_hand(folder, "#define COUNT seen[info & 63] += 1;\n" + forwarder(variable));
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("engine 1") &&
                              Contains("400 bytes of global variables in scratch") &&
                              Contains("4 threads x 64 = 256") && Contains("variables:"));
}

TEST_CASE("a larger area takes the variables that did not fit", "[program_stage]") {
  const ScratchFolder folder;
  const std::string variable = "static volatile __scratch u32 seen[100];\n";
  const Outcome outcome =
      run_by_hand(folder, "#define COUNT seen[info & 63] += 1;\n" + forwarder(variable),
                  {"--set", "variables.scratch=104"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("frames that scratch has no room for lie in SRAM", "[program_stage]") {
  const ScratchFolder folder;
  const std::string locals =
      "#define COUNT volatile u32 big[40]; big[info & 31] = info; info += big[info & 31] - info;\n";
  const Outcome outcome = run_by_hand(folder, locals + forwarder(""));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  check_all_classified(read_json(folder.file("r.json")));
  const Outcome refused =
      run_by_hand(folder, locals + forwarder(""), {"--set", "variables.sram=64"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("4 frames of 256 bytes in scratch, which has 64 a thread") &&
                              Contains("4 frames of 256 bytes in sram, which has 64 a thread"));
}

TEST_CASE("a program in assembly may name the places of its queues and tables", "[program_stage]") {
  const ScratchFolder folder;
  (void)folder.write("one.rules.yaml", kOneRule);
  (void)folder.write("by-hand.yaml",
                     mapping_with("hand.s", "memory: {sram: {received: 0x1000}}\n"));
  (void)folder.write("hand.s",
                     "main#:\n  immed[a0, %lo(QUEUE_RECEIVED_BASE)]\n  br[main#]\n  nop\n");
  const Words check{"check",          "by-hand.yaml", "--rules",
                    "one.rules.yaml", "--traffic",    "gen:count=10"};
  const Outcome good = call_nplab(check, folder.path());
  INFO(good.err);
  CHECK(good.status == 0);
  (void)folder.write("hand.s",
                     "main#:\n  immed[a0, %lo(QUEUE_RECIEVED_BASE)]\n  br[main#]\n  nop\n");
  const Outcome bad = call_nplab(check, folder.path());
  CHECK(bad.status == 2);
  CHECK_THAT(bad.err, Contains("QUEUE_RECIEVED_BASE"));
}
