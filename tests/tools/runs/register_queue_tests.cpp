// Queues in registers, between stages that run on the same engines.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// Two stages on each of two engines, two threads of each.
std::string mapping_with(const std::string& memory, const std::string& entries) {
  return "mapping: split\n"
         "algorithm: bit-vector\n"
         "chip: ixp1200\n"
         "workload: published\n"
         "optimize: published\n"
         "stages:\n"
         "  - {name: receive, role: receive, engines: [0], threads: 4}\n"
         "  - {name: front, role: tasks, engines: [1, 2], threads: [[0, 1], [0, 1]], tasks: "
         "[\"lookup[..1]\"]}\n"
         "  - {name: back, role: tasks, engines: [1, 2], threads: [[2, 3], [2, 3]], tasks: "
         "[\"lookup[2..]\", intersect, act]}\n"
         "  - {name: transmit, role: transmit, engines: [5], threads: 4}\n"
         "queues:\n"
         "  - {name: received, from: receive, to: front, per: consumer_thread, entries: 64, "
         "memory: "
         "sram}\n"
         "  - {name: half, from: front, to: back, per: shared, entries: " +
         entries + ", memory: " + memory +
         "}\n"
         "  - {name: classified, from: back, to: transmit, per: producer_thread, entries: 64, "
         "memory: sram}\n";
}

nlohmann::json drained(const std::string& memory, const std::string& entries,
                       const Words& words = {}) {
  const ScratchFolder folder;
  const std::string file = folder.write("split.yaml", mapping_with(memory, entries));
  const auto record =
      record_of(Words{file, "--packets", "600", "--drain", "--arrival", "lossless"} + words);
  check_record(record);
  check_all_classified(record);
  CHECK(record.at("packets").at("in_flight") == 0);
  return record;
}

std::string refusal_of(const std::string& memory, const std::string& entries,
                       const Words& words = {}) {
  const ScratchFolder folder;
  const std::string file = folder.write("split.yaml", mapping_with(memory, entries));
  const Outcome outcome = call_nplab(Words{"check", file} + words);
  CHECK(outcome.status == 2);
  return outcome.err;
}

}  // namespace

TEST_CASE("packets pass through a queue in registers, and none is lost", "[register_queue]") {
  for (const std::string entries : {"1", "2", "4"}) {
    for (const Words& words :
         {Words{}, Words{"--set", "chip.latency_spread={max_delay: 150, seed: 5}"},
          Words{"--set", "queues.half.poll_cycles=40"}, Words{"--set", "optimize=2"}}) {
      INFO(entries << " entries " << (words.empty() ? "" : words.back()));
      const auto record = drained("registers", entries, words);
      CHECK(record.at("packets").at("sent") == 600);
      const auto& half = record.at("queues").at(1);
      CHECK(half.at("memory") == "registers");
      CHECK(half.at("enqueued") == half.at("dequeued"));
      CHECK(half.at("enqueued") == record.at("packets").at("sent"));
    }
  }
}

TEST_CASE("a hand-over in registers takes no reference to memory", "[register_queue]") {
  const auto waits_for_scratch = [](const nlohmann::json& record) {
    std::uint64_t cycles = 0;
    for (const auto& thread : record.at("engines").at(1).at("threads"))
      cycles += thread.at("waiting").value("fbi", std::uint64_t{0});
    return cycles;
  };
  CHECK(waits_for_scratch(drained("registers", "4")) == 0);
  CHECK(waits_for_scratch(drained("scratch", "4")) > 0);
}

TEST_CASE("a queue in registers is refused where no registers are shared or too few",
          "[register_queue]") {
  CHECK_THAT(refusal_of("registers", "8"),
             Contains("queue half does not fit registers: 8 entries x 4 longwords = 32; 24 have "
                      "room"));
  CHECK_THAT(refusal_of("registers", "4", {"--set", "queues.received.memory=registers"}),
             Contains("queue 'received' joins stages 'receive' and 'front', which do not run on "
                      "the same engines"));
  CHECK_THAT(refusal_of("registers", "4", {"--set", "queues.half.wait=signal"}),
             Contains("has consumers that wait for signals; write poll"));
}

TEST_CASE("queues in registers of the same engines share the room", "[register_queue]") {
  const ScratchFolder folder;
  std::string text = mapping_with("registers", "4");
  const auto replace = [&text](const std::string& what, const std::string& by) {
    REQUIRE(text.find(what) != text.npos);
    text.replace(text.find(what), what.size(), by);
  };
  replace("threads: [[2, 3], [2, 3]], tasks: [\"lookup[2..]\", intersect, act]}",
          "threads: [[2], [2]], tasks: [\"lookup[2..]\"]}\n"
          "  - {name: last, role: tasks, engines: [1, 2], threads: [[3], [3]], tasks: [intersect, "
          "act]}");
  replace("{name: classified, from: back,",
          "{name: rest, from: back, to: last, per: shared, entries: 4, memory: registers}\n"
          "  - {name: classified, from: last,");
  const Outcome outcome = call_nplab({"check", folder.write("split.yaml", text)});
  CHECK(outcome.status == 2);
  CHECK_THAT(
      outcome.err,
      Contains("queue rest does not fit registers: 4 entries x 5 longwords and 2 counts = 22, "
               "beside 18 of other queues; the threads of an engine share 32"));
}

TEST_CASE("show tells that a queue is in registers", "[register_queue]") {
  const ScratchFolder folder;
  const std::string file = folder.write("split.yaml", mapping_with("registers", "4"));
  const Outcome outcome = call_nplab({"show", file, "--brief"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("2 rings of 4 entries of 4 longwords in registers") &&
                              Contains("references per hand-over: put 0.00 + get 0.00 = 0.00"));
}
