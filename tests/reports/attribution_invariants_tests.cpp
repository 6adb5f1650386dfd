#include "reports/analysis/attribution_invariants.h"

#include <catch2/catch.hpp>

#include <functional>

#include "sample_records.h"

namespace nplab::reports {
namespace {

using Broken = std::vector<std::string>;

// The sample with causes, and two lines that hold everything.
RunRecord record_with_causes() {
  RunRecord record = sample_record();
  for (MemoryRecord* unit : {&record.memory.sram, &record.memory.sdram, &record.memory.scratch})
    unit->under_way = ReferenceSum{};
  record.memory.sram.under_way = ReferenceSum{2, 4};
  Engine &receive = record.engines[0], &transmit = record.engines[1];
  receive.stalled_on = {{"command_bus", 20}, {"sram.order_queue", 30}};
  receive.threads[0].waiting_on = {{"sram", 200}};
  receive.threads[0].idle = {{"ready", 50}, {"sram", 100}};
  receive.threads[1].waiting_on = {{"sdram", 100}, {"sram", 300}};
  receive.threads[1].idle = {{"sram", 150}};
  transmit.threads[0].waiting_on = {{"hash", 200}, {"scratch", 300}};
  transmit.threads[0].idle = {{"ready", 250}, {"scratch", 500}};
  transmit.threads[1].idle = {{"off", 750}};
  Line first{0, "rcv.c", 2, false, 600, 200, 50, 600};
  first.stalled_on = receive.stalled_on;
  first.waiting_on = {{"sdram", 100}, {"sram", 500}};
  first.references = {{"sdram", 4}, {"sram", 12}};
  first.longwords = {{"sdram", 32}, {"sram", 44}};
  Line second{1, "xmit.c", 3, false, 250, 0, 0, 500};
  second.waiting_on = {{"hash", 200}, {"scratch", 300}};
  record.lines = {first, second};
  return record;
}

Broken broken_by(const std::function<void(RunRecord&)>& change) {
  RunRecord record = record_with_causes();
  change(record);
  Broken broken;
  check_attribution(record, broken);
  return broken;
}

}  // namespace

TEST_CASE("Causes that add up break nothing, nor does a record without any") {
  CHECK(broken_by([](RunRecord&) {}).empty());
  CHECK(broken_by([](RunRecord& r) { r = sample_record(); }).empty());
}

TEST_CASE("Causes survive the record's text") {
  const RunRecord record = record_with_causes();
  Diagnostics diagnostics;
  const auto read = from_json(to_json(record), "run.json", diagnostics);
  REQUIRE(read);
  CHECK(*read == record);
}

TEST_CASE("Each sum of causes that is broken is one sentence") {
  struct Case {
    std::function<void(RunRecord&)> change;
    Broken sentences;
  };
  const Case cases[] = {
      {[](RunRecord& r) { r.engines[0].stalled_on["sdram.order_queue"] = 1; },
       {"engine 0: stalled cycles by cause add up to 51, but the engine has 50",
        "engine 0: stalled cycles of its source lines on sdram.order_queue add up to 0, but the "
        "engine has 1"}},
      {[](RunRecord& r) { r.engines[1].threads[0].idle["scratch"] = 499; },
       {"engine 1 thread 0: idle cycles by what it did add up to 749, but the engine has 750"}},
      {[](RunRecord& r) { r.engines[1].threads[1].waiting_on["hash"] = 1; },
       {"engine 1 thread 1: waiting cycles by cause add up to 1, but its cycles by event are 0",
        "engine 1: waiting cycles of its source lines on hash add up to 200, but its threads have "
        "201"}},
      {[](RunRecord& r) {
         std::swap(r.lines[1].waiting_on["hash"], r.lines[1].waiting_on["scratch"]);
       },
       {"engine 1: waiting cycles of its source lines on hash add up to 300, but its threads have "
        "200",
        "engine 1: waiting cycles of its source lines on scratch add up to 200, but its threads "
        "have 300"}},
      {[](RunRecord& r) { r.lines[0].stalled = 49; },
       {"engine 0 line rcv.c:2: stalled cycles by cause add up to 50, but the line has 49"}},
      {[](RunRecord& r) { r.lines[0].references["sram"] = 11; },
       {"sram: references of source lines and of the core processor add up to 11, but those served "
        "or under way are 12"}},
      {[](RunRecord& r) { r.memory.sdram.under_way->longwords = 2; },
       {"sdram: longwords of source lines and of the core processor add up to 32, but those served "
        "or under way are 34"}},
  };
  for (const Case& c : cases)
    CHECK(broken_by(c.change) == c.sentences);
}

}  // namespace nplab::reports
