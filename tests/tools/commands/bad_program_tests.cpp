// Simulated programs that fail: exit 3, and the report says which thread did what.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// BV1 on engines 1 to 3 with a hand-written program on engine 4 between it and transmission.
std::string mapping_with(const std::string& program) {
  return "mapping: patched\n"
         "algorithm: bit-vector\n"
         "chip: ixp1200\n"
         "workload: published\n"
         "stages:\n"
         "  - {name: receive, role: receive, engines: [0], threads: 4}\n"
         "  - {name: classify, role: tasks, engines: [1, 2, 3], threads: 4, tasks: [lookup, "
         "intersect, act]}\n"
         "  - {name: patch, role: program, engines: [4], threads: 4, program: " +
         program +
         "}\n"
         "  - {name: transmit, role: transmit, engines: [5], threads: 4}\n"
         "queues:\n"
         "  - {name: received, from: receive, to: classify, per: consumer_thread, entries: 128, "
         "memory: sram}\n"
         "  - {name: judged, from: classify, to: patch, per: shared, entries: 128, memory: sram}\n"
         "  - {name: classified, from: patch, to: transmit, per: producer_thread, entries: 128, "
         "memory: sram}\n";
}

struct FailedRun {
  Outcome outcome;
  nlohmann::json record;
};

FailedRun run_with(const std::string& program, const std::string& text) {
  const ScratchFolder folder;
  (void)folder.write(program, text);
  (void)folder.write("patched.yaml", mapping_with(program));
  Outcome outcome = call_nplab(
      {"run", "patched.yaml", "--packets", "20", "--drain", "--quiet", "--json", "run.json"},
      folder.path());
  INFO(outcome.err);
  REQUIRE(fs::exists(folder.path() / "run.json"));
  return {outcome, read_json(folder.file("run.json"))};
}

}  // namespace

TEST_CASE("a stage that never takes its packets ends in a report of what each thread waits for",
          "[bad_program]") {
  const FailedRun run = run_with("waits.s", read_text(data_file("waits-for-ever.s")));
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("deadlock"));
  for (unsigned thread = 0; thread < 4; ++thread) {
    CHECK_THAT(run.outcome.err,
               Contains("engine 4 thread " + std::to_string(thread) + ": waits for start_receive"));
  }
  CHECK_THAT(run.outcome.err, Contains("engine 5 thread 3: "));
  CHECK(run.record.at("failure").at("kind") == "deadlock");
  CHECK(run.record.at("packets").at("in_flight") == 20);
}

TEST_CASE("a misaligned reference ends the run with engine, thread, word and source line",
          "[bad_program]") {
  const FailedRun run = run_with("misaligned.s", read_text(data_file("misaligned.s")));
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("fault") && Contains("engine 4 thread 0") &&
                                  Contains("word 1") && Contains("misaligned.s:4") &&
                                  Contains("0x102"));
  CHECK(run.record.at("failure").at("kind") == "fault");
}

TEST_CASE("abort() in a stage of C ends the run with its source line", "[bad_program]") {
  const FailedRun run =
      run_with("gives-up.c", "#include <microengine.h>\nint main(void) {\n  abort();\n}\n");
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("abort()") && Contains("engine 4"));
  CHECK_THAT(run.outcome.err, Contains("gives-up.c:3"));
}

TEST_CASE("a program that leaves its last word is a fault that names the engine", "[bad_program]") {
  const FailedRun run = run_with("ends.s", "main#:\n  immed[a0, 1]\n  nop\n");
  CHECK(run.outcome.status == 3);
  CHECK_THAT(run.outcome.err, Contains("fault") && Contains("engine 4 thread 0"));
}

TEST_CASE("a failed run is not reported as one whose checks held", "[bad_program]") {
  const ScratchFolder folder;
  (void)folder.write("misaligned.s", read_text(data_file("misaligned.s")));
  (void)folder.write("patched.yaml", mapping_with("misaligned.s"));
  const Outcome outcome = call_nplab({"run", "patched.yaml", "--packets", "20"}, folder.path());
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("FAILED") && !Contains("every check held"));
}
