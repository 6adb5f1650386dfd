#include "reports/analysis/causes.h"

#include <catch2/catch.hpp>

#include "reports/analysis/record_tables.h"
#include "reports/tables/table.h"
#include "sample_records.h"

namespace nplab::reports {

TEST_CASE("Counts by name are reported greatest first") {
  CHECK(counts_text({{"command_bus", 3}, {"sram.capacity", 12}, {"sram.order_queue", 3}}) ==
        "sram.capacity 12, command_bus 3, sram.order_queue 3");
  CHECK(counts_text({}).empty());
}

TEST_CASE("Idle cycles by cause are the mean over the threads that ever ran, and add up to idle") {
  Engine engine;
  engine.cycles.idle = 90;
  engine.threads = {
      Thread{0, 0, 0, 0, 0, {}, 0, {}, {{"sram", 60}, {"ready", 30}}},
      Thread{1, 0, 0, 0, 0, {}, 0, {}, {{"sram", 30}, {"off", 60}}},  // ended in the run
      Thread{2, 0, 0, 0, 0, {}, 0, {}, {{"off", 90}}}};
  CHECK(idle_by_cause(engine) ==
        std::map<std::string, double>{{"off", 30}, {"ready", 15}, {"sram", 45}});
  engine.threads = {Thread{0, 0, 0, 0, 0, {}, 0, {}, {{"off", 90}}},
                    Thread{1, 0, 0, 0, 0, {}, 0, {}, {{"off", 90}}}};
  CHECK(idle_by_cause(engine) == std::map<std::string, double>{{"off", 90}});
  engine.threads = {Thread{0, 0, 0, 0, 0, {{"sram", 90}}, 0}};
  CHECK(idle_by_cause(engine).empty());
}

TEST_CASE("Tables by cause have a column a cause, and none where the record tells none") {
  RunRecord record = sample_record();
  const auto table = [&record](const std::string& id) {
    for (const Table& one : all_tables_of(record))
      if (one.id == id)
        return one;
    return Table{};
  };
  for (const char* id : {"stalled_on", "waiting_on", "idle_on", "memory_by_origin", "line_causes"})
    CHECK(table(id).rows.empty());
  record.engines[0].stalled_on = {{"command_bus", 20}, {"sram.order_queue", 30}};
  record.engines[0].threads[1].waiting_on = {{"sdram", 100}, {"sram", 300}};
  record.engines[1].threads[0].idle = {{"scratch", 700}, {"ready", 50}};
  record.memory.sdram.under_way = ReferenceSum{1, 8};
  record.memory.sram.under_way = ReferenceSum{};
  record.memory.sram.by_core = ReferenceSum{3, 7};
  record.lines = {{0,
                   "rcv.c",
                   4,
                   true,
                   0,
                   0,
                   50,
                   0,
                   {{"command_bus", 20}, {"sram.order_queue", 30}},
                   {},
                   {{"sram", 5}},
                   {}}};
  CHECK(std::get<Count>(table("stalled_on").find("0", "stalled_on.sram.order_queue")->value) == 30);
  CHECK(std::get<Count>(table("stalled_on").find("1", "stalled_on.command_bus")->value) == 0);
  CHECK(std::get<Count>(table("waiting_on").find("0.1", "waiting_on.sram")->value) == 300);
  CHECK(table("waiting_on").find("1.1", "waiting_on.sram") == nullptr);  // off throughout
  CHECK(std::get<Count>(table("idle_on").find("1.0", "idle_on.scratch")->value) == 700);
  CHECK(std::get<Count>(table("memory_by_origin").find("sdram", "under_way.longwords")->value) ==
        8);
  CHECK(std::get<Count>(table("memory_by_origin").find("sram", "by_core")->value) == 3);
  CHECK(std::get<Count>(table("line_causes")
                            .find("0.rcv.c:4.poll.stalled_on.sram.order_queue", "value")
                            ->value) == 30);
  CHECK(std::get<Count>(
            table("line_causes").find("0.rcv.c:4.poll.references.sram", "value")->value) == 5);
}

}  // namespace nplab::reports
