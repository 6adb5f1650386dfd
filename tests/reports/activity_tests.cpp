// Activity over a whole run: its text, and what must add up.
#include <catch2/catch.hpp>

#include "reports/analysis/invariants.h"
#include "reports/html/html_report.h"
#include "reports/record/activity.h"
#include "reports/record/run_record.h"
#include "sample_records.h"

namespace nplab::reports {
namespace {

using Catch::Contains;

CountSeries series(const std::string& text) {
  const auto parsed = parse_count_series(text);
  REQUIRE(parsed);
  return *parsed;
}

// The sample's run of 1000 cycles in intervals of 256, with everything that it says of threads 0.0
// and 1.0.
RunRecord record_with_activity() {
  RunRecord record = sample_record();
  record.lines = {{0, "rcv.c", 12, false, 600, 200, 50, 600},
                  {1, "xmit.c", 7, false, 100, 0, 0, 300},
                  {1, "xmit.c", 7, true, 150, 0, 0, 200}};
  Activity activity;
  activity.interval_cycles = 256;
  activity.threads = {{0,
                       0,
                       {{"executing", series("100*4")},
                        {"aborted", series("50*3 0")},
                        {"stalled", series("50 0*3")},
                        {"waiting sram", series("56 56 56 32")},
                        {"ready", series("0 50 50 100")}}},
                      {1,
                       0,
                       {{"executing", series("0 100 100 50")},
                        {"waiting fbi", series("200 100 100*2")},
                        {"ready", series("56*3 82")}}}};
  activity.memory = {{"sram", series("125*4"), series("0 5 5 0")},
                     {"sdram", series("125 0*3"), series("4 0*3")}};
  activity.queues = {{"sram.order_queue", 24, series("0 3 1 0")}};
  activity.line_interval_cycles = 512;
  activity.lines = {
      {0, "rcv.c:12", series("300*2"), series("100*2"), series("50 0"), series("600 0")},
      {1, "xmit.c:7", series("0 250"), series("0*2"), series("0*2"), series("250*2")}};
  activity.engines = {{0, series("300*2"), series("0*2"), series("0*2"), series("0*2"),
                       series("100*2"), series("50 0")},
                      {1, series("0 100"), series("0 150"), series("0*2"), series("0*2"),
                       series("0*2"), series("0*2")}};
  record.lines[2].work = "starved";
  record.engines[0].work_cycles = WorkCycles{600, 0, 0, 0};
  record.engines[1].work_cycles = WorkCycles{100, 150, 0, 0};
  record.activity = activity;
  return record;
}

}  // namespace

TEST_CASE("A series of counts is short where counts repeat, and reads back the same") {
  CHECK(to_text({{12, 0, 0, 0, 4}}) == "12 0*3 4");
  CHECK(to_text({}).empty());
  CHECK(to_text({{18446744073709551615u, 7, 7}}) == "18446744073709551615 7*2");
  for (const CountSeries& one :
       {CountSeries{{12, 0, 0, 0, 4}}, CountSeries{{}}, CountSeries{{1}}, CountSeries{{5, 5, 6}}})
    CHECK(parse_count_series(to_text(one)) == one);
}

TEST_CASE("What is not a series of counts is refused, and so is one too long for any run") {
  for (const char* text : {"x", "1 -2", "1*", "1*x", "1,2", "1*2*3", " 1", "1  2", "0*99999999999",
                           "18446744073709551616"}) {
    INFO(text);
    CHECK(!parse_count_series(text));
  }
}

TEST_CASE("Activity reads back from a record's text") {
  Diagnostics diagnostics;
  const RunRecord record = record_with_activity();
  const auto read = from_json(to_json(record), "run.json", diagnostics);
  CHECK(diagnostics.to_string() == "");
  REQUIRE(read);
  CHECK(read->activity == record.activity);
  std::string text = to_json(record);
  text.replace(text.find("\"100*4\""), 7, "\"100*x\"");
  CHECK(!from_json(text, "run.json", diagnostics));
  CHECK_THAT(diagnostics.to_string(),
             Contains("activity.threads[0].states[0].cycles: expected a series of counts"));
}

TEST_CASE("Activity that adds up to the run breaks no invariant") {
  CHECK(check_activity(sample_record()).empty());
  CHECK(check_activity(record_with_activity()) == std::vector<std::string>{});
  CHECK(check_invariants(record_with_activity()) == std::vector<std::string>{});
}

TEST_CASE("Each way in which activity does not add up is told") {
  const auto broken = [](auto change) {
    RunRecord record = record_with_activity();
    change(*record.activity);
    std::string text;
    for (const std::string& sentence : check_invariants(record))
      text += sentence + "\n";
    return text;
  };
  // One cycle from an interval to the next: the sums hold, the intervals do not.
  CHECK_THAT(broken([](Activity& a) {
               ++a.threads[0].states[0].cycles.values[0];
               --a.threads[0].states[0].cycles.values[1];
             }),
             Contains("thread 0.0 has 257 of 256 cycles in interval 0"));
  // From a state to another: the intervals hold, the sums do not.
  CHECK_THAT(broken([](Activity& a) {
               ++a.threads[0].states[0].cycles.values[0];
               --a.threads[0].states[1].cycles.values[0];
             }),
             Contains("thread 0.0's states do not add up"));
  CHECK_THAT(broken([](Activity& a) { a.threads[1].states[0].cycles.values.pop_back(); }),
             Contains("thread 1.0 is not in exactly one state in every cycle"));
  CHECK_THAT(broken([](Activity& a) { a.threads[1].thread = 7; }),
             Contains("thread 1.7's states do not add up"));
  CHECK_THAT(broken([](Activity& a) { --a.memory[0].active_cycles.values[1]; }),
             Contains("sram's intervals do not add up"));
  CHECK_THAT(broken([](Activity& a) { ++a.memory[1].references.values[1]; }),
             Contains("sdram's intervals do not add up"));
  CHECK_THAT(broken([](Activity& a) { ++a.lines[0].waiting.values[1]; }),
             Contains("the source lines' intervals do not add up"));
  CHECK_THAT(broken([](Activity& a) { --a.engines[1].starved.values[1]; }),
             Contains("engine 1's intervals do not add up"));
  CHECK_THAT(broken([](Activity& a) { ++a.engines[0].aborted.values[1]; }),
             Contains("engine 0's intervals do not add up"));
  CHECK_THAT(broken([](Activity& a) { a.lines.pop_back(); }),
             Contains("the source lines' intervals do not add up"));
}

TEST_CASE("A page has a run's activity, and names in it are data") {
  RunRecord record = record_with_activity();
  record.activity->lines[0].place = "</script>x.c:1";
  const std::string html = render_html({record});
  CHECK_THAT(html, Contains("data-cycles=\"1000\"") && Contains("\"interval_cycles\":256") &&
                       !Contains("</script>x.c"));
  CHECK_THAT(render_html({sample_record()}), !Contains("<figure class=\"timeline\""));
}

TEST_CASE("coarser intervals hold the same cycles, and a queue's depth at their ends") {
  Activity activity;
  activity.interval_cycles = 10;
  activity.line_interval_cycles = 20;
  activity.threads = {{0, 1, {{"executing", {{1, 2, 3, 4, 5}}}}}};
  activity.memory = {{"sram", {{10, 0, 5, 5, 1}}, {{1, 1, 1, 1, 1}}}};
  activity.queues = {{"q", 8, {{3, 7, 2, 0, 6}}}};
  activity.lines = {{0, "a.c:1", {{1, 2, 3}}, {{0, 0, 0}}, {{0, 0, 1}}, {{4, 5, 6}}}};
  const Activity two = coarser(activity, 2, 3);
  CHECK(two.interval_cycles == 20);
  CHECK(two.line_interval_cycles == 60);
  CHECK(two.threads[0].states[0].cycles.values == std::vector<std::uint64_t>{3, 7, 5});
  CHECK(two.memory[0].active_cycles.values == std::vector<std::uint64_t>{10, 10, 1});
  CHECK(two.memory[0].references.values == std::vector<std::uint64_t>{2, 2, 1});
  CHECK(two.queues[0].depth.values == std::vector<std::uint64_t>{7, 0, 6});
  CHECK(two.lines[0].executing.values == std::vector<std::uint64_t>{6});
  CHECK(two.lines[0].waiting.values == std::vector<std::uint64_t>{15});
  CHECK(coarser(activity, 1, 1) == activity);
}

}  // namespace nplab::reports
