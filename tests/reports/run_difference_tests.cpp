#include "reports/analysis/run_difference.h"

#include <catch2/catch.hpp>

#include "sample_records.h"

namespace nplab::reports {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  INFO(text);
  return text.find("\n" + line + "\n") != std::string::npos;
}

// The sample with a line whose text is known; the other mapping's generated file has it at another
// place.
RunRecord with_line(RunRecord record, const std::string& mapping, Count number, Count executing) {
  record.inputs.mapping.name = mapping;
  std::string text(number - 1, '\n');
  record.lines = {{0, mapping + "-engine0.c", number, false, executing, 0, 0, 0}};
  record.sources = {{mapping + "-engine0.c", text + "  spin();\n"}};
  return record;
}

}  // namespace

TEST_CASE("A run does not differ from itself") {
  const std::string text = render_difference(sample_record(), sample_record(), {});
  CHECK(has_line(text, "Transmit stays at 1500.0 thousand packets/s."));
  CHECK(text.find("difference      before") == std::string::npos);
  CHECK(has_line(text, "  no difference"));
}

TEST_CASE(
    "Rates are reported in sentences, in thousand packets per second since the first start of "
    "packet") {
  RunRecord after = sample_record();
  after.packets.sent = 3;
  const std::string text = render_difference(sample_record(), after, {});
  CHECK(
      has_line(text, "Transmit falls by 750.0 thousand packets/s, from 1500.0 to 750.0, -50.0 %."));
}

TEST_CASE("Engine cycles are ranked by the size of their difference per packet sent") {
  RunRecord after = sample_record();
  after.engines[0].cycles.stalled += 120;
  after.engines[1].cycles.idle -= 60;
  const std::string text = render_difference(sample_record(), after, {});
  CHECK(has_line(text,
                 " difference      before       after\n"
                 "      +20.0         8.3        28.3  engine 0 stalled\n"
                 "      -10.0       125.0       115.0  engine 1 idle"));
}

TEST_CASE("Rows beyond the number asked for are counted") {
  RunRecord after = sample_record();
  after.engines[0].cycles.stalled += 120;
  after.engines[1].cycles.idle -= 60;
  CHECK(has_line(render_difference(sample_record(), after, {1}),
                 "                                     ... 1 more"));
}

TEST_CASE("A line that moved between the generated programs of two mappings is one line") {
  const RunRecord before = with_line(sample_record(), "one", 3, 60);
  CHECK(render_difference(before, with_line(sample_record(), "two", 7, 60), {}).find("spin()") ==
        std::string::npos);
  CHECK(has_line(render_difference(before, with_line(sample_record(), "two", 7, 120), {}),
                 "      +10.0        10.0        20.0  engine0.c  spin();"));
}

TEST_CASE("Runs that sent nothing are compared per packet received") {
  RunRecord before = sample_record();
  before.packets.sent = 0;
  RunRecord after = before;
  after.engines[0].cycles.stalled += 50;
  CHECK(has_line(render_difference(before, after, {}),
                 "       +5.0         5.0        10.0  engine 0 stalled"));
}

TEST_CASE(
    "A run that a memory bounds is reported by that memory, with what a packet moves and from "
    "which line") {
  RunRecord before = with_line(sample_record(), "one", 3, 60);
  for (MemoryRecord* unit : {&before.memory.sram, &before.memory.sdram, &before.memory.scratch})
    unit->under_way = ReferenceSum{};
  before.lines[0].longwords = {{"sdram", 24}};
  RunRecord after = before;
  after.lines[0].longwords = {{"sdram", 24}};
  after.packets.sent = 3;
  after.memory.sdram.active_cycles = 960;
  after.memory.sdram.active_pct = 96;
  const std::string text = render_difference(before, after, {});
  INFO(text);
  CHECK(has_line(text,
                 "Transmit falls because SDRAM bounds the later run (its bus is busy for 96.0 % "
                 "of the time), and each\n"
                 "packet sent takes 299.2 more cycles of it (320.0 instead of 20.8). +2.0 SDRAM "
                 "quadwords per packet\n"
                 "sent, 4.0 instead of 2.0: +2.0 from one-engine0.c:3 (spin();)."));
}

TEST_CASE(
    "Stalled cycles are reported with the queue and the line, idle ones with what the threads wait "
    "for") {
  RunRecord before = with_line(sample_record(), "one", 3, 60);
  for (MemoryRecord* unit : {&before.memory.sram, &before.memory.sdram, &before.memory.scratch})
    unit->under_way = ReferenceSum{};
  RunRecord after = before;
  after.engines[0].stalled_on = {{"command_bus", 12}, {"sram.order_queue", 120}};
  after.lines[0].stalled_on = after.engines[0].stalled_on;
  after.engines[1].cycles.idle = 600;
  after.engines[1].threads[0].idle = {{"ready", 150}, {"scratch", 450}};
  after.engines[1].threads[1].idle = {{"off", 600}};
  const std::string text = render_difference(before, after, {});
  INFO(text);
  CHECK(has_line(text,
                 "Engine 0 (rcv) stalls for 22.0 more cycles per packet sent, +20.0 of them on "
                 "sram.order_queue: +20.0\n"
                 "from one-engine0.c:3 (spin();)."));
  CHECK(has_line(text,
                 "Engine 1 (xmit) is idle for 100.0 more cycles per packet sent, +75.0 of them its "
                 "threads waiting for\n"
                 "scratch."));
  CHECK(
      has_line(text, "      +20.0         0.0        20.0  engine 0 stalled on sram.order_queue"));
}

}  // namespace nplab::reports
