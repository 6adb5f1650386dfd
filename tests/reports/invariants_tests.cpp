#include "reports/analysis/invariants.h"

#include <catch2/catch.hpp>
#include <functional>

#include "sample_records.h"

namespace nplab::reports {
namespace {

using Sentences = std::vector<std::string>;

RunRecord record_with_lines() {
  RunRecord record = sample_record();
  record.lines = {{0, "rcv.c", 12, true, 500, 200, 0, 100},
                  {0, "rcv.c", 13, false, 100, 0, 50, 500},
                  {1, "<generated>", 0, false, 250, 0, 0, 500}};
  return record;
}

struct Violation {
  const char* name;
  std::function<void(RunRecord&)> break_it;
  Sentences sentences;
};

const std::vector<Violation> kViolations = {
    {"an engine's cycles do not add up to the run's",
     [](RunRecord& r) { r.engines[1].cycles.idle = 749; },
     {"engine 1: executing 250 + aborted 0 + stalled 0 + idle 749 = 999, but the run took 1000 "
      "cycles"}},
    {"a thread's cycles do not add up to the run's",
     [](RunRecord& r) { r.engines[0].threads[1].ready = 351; },
     {"engine 0 thread 1: executing 200 + aborted 50 + stalled 0 + ready 351 + waiting 400 + off 0 "
      "= 1001, but the "
      "run took 1000 cycles"}},
    {"a thread's waiting counts",
     [](RunRecord& r) { r.engines[1].threads[1].waiting["pci"] = 1; },
     {"engine 1 thread 1: executing 0 + aborted 0 + stalled 0 + ready 0 + waiting 1 + off 1000 = "
      "1001, but the run "
      "took 1000 cycles",
      "engine 1: waiting cycles of its source lines add up to 500, but its threads have 501"}},
    {"threads execute more than their engine",
     [](RunRecord& r) {
       r.engines[1].threads[1].executing = 1;
       r.engines[1].threads[1].off = 999;
     },
     {"engine 1: executing cycles of its threads add up to 251, but the engine has 250"}},
    {"threads abort more than their engine",
     [](RunRecord& r) {
       r.engines[1].threads[1].aborted = 1;
       r.engines[1].threads[1].off = 999;
     },
     {"engine 1: aborted cycles of its threads add up to 1, but the engine has 0"}},
    {"threads stall more than their engine",
     [](RunRecord& r) {
       r.engines[1].threads[1].stalled = 1;
       r.engines[1].threads[1].off = 999;
     },
     {"engine 1: stalled cycles of its threads add up to 1, but the engine has 0"}},
    {"branch classes do not add up to the aborted cycles",
     [](RunRecord& r) { r.engines[0].aborted_by["br"] = 119; },
     {"engine 0: aborted cycles by branch class add up to 199, but the engine has 200"}},
    {"lines execute less than their engine",
     [](RunRecord& r) { r.lines[0].executing = 499; },
     {"engine 0: executing cycles of its source lines add up to 599, but the engine has 600"}},
    {"lines abort more than their engine",
     [](RunRecord& r) { r.lines[1].aborted = 1; },
     {"engine 0: aborted cycles of its source lines add up to 201, but the engine has 200"}},
    {"lines stall less than their engine",
     [](RunRecord& r) { r.lines[1].stalled = 0; },
     {"engine 0: stalled cycles of its source lines add up to 0, but the engine has 50"}},
    {"lines wait more than their threads",
     [](RunRecord& r) { r.lines[2].waiting = 501; },
     {"engine 1: waiting cycles of its source lines add up to 501, but its threads have 500"}},
    {"a line belongs to no engine",
     [](RunRecord& r) { r.lines.push_back({7, "x.c", 3, false, 0, 0, 0, 0}); },
     {"line x.c:3 belongs to engine 7, which the run does not have"}},
    {"a packet is lost",
     [](RunRecord& r) { r.packets.in_flight = 0; },
     {"packets: 10 received, but sent 6 + denied 1 + no match 1 + dropped at a full queue 1 + "
      "dropped for other reasons 0 + in flight 0 = 9"}},
    {"a packet is counted twice",
     [](RunRecord& r) { r.packets.dropped_other["no_buffer"] = 1; },
     {"packets: 10 received, but sent 6 + denied 1 + no match 1 + dropped at a full queue 1 + "
      "dropped for other reasons 1 + in flight 1 = 11"}},
    {"forwarded packets without a match are not drops",
     [](RunRecord& r) { r.packets.no_match_dropped = 0; },
     {"packets: 10 received, but sent 6 + denied 1 + no match 0 + dropped at a full queue 1 + "
      "dropped for other reasons 0 + in flight 1 = 9"}},
    {"the ports received another number",
     [](RunRecord& r) { r.ports[0].received = 7; },
     {"packets: the ports received 11, but the run counts 10"}},
    {"the ports sent another number",
     [](RunRecord& r) { r.ports[1].sent = 1; },
     {"packets: the ports sent 5, but the run counts 6"}},
    {"a packet is misclassified",
     [](RunRecord& r) { r.packets.misclassified = 3; },
     {"packets: 3 of 8 classified packets got a different rule than the reference classifier's"}},
    {"a packet takes another way",
     [](RunRecord& r) { r.packets.misforwarded = 1; },
     {"packets: 1 of 8 classified packets got the right rule, but the wrong action or port"}},
    {"a frame is altered",
     [](RunRecord& r) { r.packets.altered_frames = 2; },
     {"packets: 2 of 6 sent frames differ from the frame that was received"}},
    {"a frame is sent twice",
     [](RunRecord& r) { r.packets.sent_again = 1; },
     {"packets: 1 of 6 sent frames had been sent before or were never received"}},
};

}  // namespace

TEST_CASE("A sound record breaks no invariant, with and without lines") {
  CHECK(check_invariants(sample_record()).empty());
  CHECK(check_invariants(other_record()).empty());
  CHECK(check_invariants(record_with_lines()).empty());
}

TEST_CASE("Each broken invariant is one sentence with its numbers") {
  for (const Violation& violation : kViolations) {
    SECTION(violation.name) {
      RunRecord record = record_with_lines();
      violation.break_it(record);
      CHECK(check_invariants(record) == violation.sentences);
    }
  }
}

TEST_CASE("All broken invariants are reported at once") {
  RunRecord record = sample_record();
  record.packets.misclassified = 1;
  record.packets.in_flight = 0;
  record.engines[1].cycles.idle = 0;
  CHECK(check_invariants(record).size() == 3);
}

TEST_CASE("Packets without a match that were forwarded are not counted as dropped") {
  RunRecord record = sample_record();
  record.packets.no_match = 3;
  record.packets.no_match_dropped = 1;
  CHECK(check_invariants(record).empty());
}

TEST_CASE("The latency distribution holds the packets that were sent") {
  RunRecord record = sample_record();
  record.latency_histogram = {{96, 103, 4}, {144, 151, 2}};
  CHECK(check_invariants(record).empty());
  record.latency_histogram[0].count = 5;
  CHECK(check_invariants(record) ==
        Sentences{"packets: the latency distribution counts 7, but 6 were sent"});
}

TEST_CASE("Sums are exact where floating point would not be") {
  RunRecord record;
  record.cycles.core = (Count{1} << 60) + 1;
  Engine engine;
  engine.cycles = {Count{1} << 60, 0, 0, 0};
  record.engines = {engine};
  CHECK(check_invariants(record) == Sentences{"engine 0: executing 1152921504606846976 + aborted 0 "
                                              "+ stalled 0 + idle 0 = 1152921504606846976, but "
                                              "the run took 1152921504606846977 cycles"});
}

}  // namespace nplab::reports
