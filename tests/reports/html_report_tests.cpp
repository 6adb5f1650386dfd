// Pages and graphs from a record alone; how they look in a browser is
// tests/tools/reports/html_tests.cpp's.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "reports/analysis/run_difference.h"
#include "reports/analysis/stage_graph.h"
#include "reports/analysis/stage_use.h"
#include "reports/glossary/glossary.h"
#include "reports/html/elements.h"
#include "reports/html/html_report.h"
#include "sample_records.h"

namespace nplab::reports {

namespace {

using Catch::Contains;
using Catch::StartsWith;

RunRecord record_with_stages() {
  RunRecord record = sample_record();
  record.stages = {{"rcv", "receive", {{0, 0}, {0, 1}}, {}, ""},
                   {"look", "tasks", {{1, 0}, {1, 1}}, {"lookup[0]"}, ""}};
  record.queues = {{"found", 4, 3, 9, 8, 2, 1, "rcv", "look", "sram"}};
  record.samples.interval_cycles = 256;
  record.samples.queues = {{"found", {2, 4, 0}}};
  return record;
}

}  // namespace

TEST_CASE(
    "The wait in a queue is its mean length times the run's cycles over the entries taken out") {
  const RunRecord record = record_with_stages();
  CHECK(mean_wait(record, record.queues[0]) == Approx(2.0 * 1000 / 8));
  QueueRecord untouched = record.queues[0];
  untouched.dequeued = 0;
  CHECK(mean_wait(record, untouched) == 0);
}

TEST_CASE("The stage graph names threads, tasks, shares, rates, waits and drops") {
  const std::string dot = stage_graph_dot(record_with_stages());
  // 600 of engine 0's 1000 cycles execute; 8 entries in 10 us are 800 thousand a second.
  CHECK_THAT(dot, Contains("\"rcv\" [label=\"rcv\\nengine 0, 2 threads\\nexecuting 60.0 %\"]"));
  CHECK_THAT(dot, Contains("\"rcv\" -> \"look\" [label=\"found (sram)\\n800.0 thousand/s\\n2.0 "
                           "waiting, 250 cycles\\n2 dropped\"]"));
  CHECK_THAT(dot, Contains("lookup[0]"));
  CHECK(stage_graph_dot(sample_record()).empty());
}

TEST_CASE("The stage graph is drawn as an SVG element, what is not a graph gives nothing") {
  const std::string svg = drawn_svg(stage_graph_dot(record_with_stages()));
  CHECK(svg.starts_with("<svg"));
  CHECK_THAT(svg, Contains("thousand/s"));
  CHECK(drawn_svg("this is not a graph").empty());
}

TEST_CASE("Names from a record are text on the page, whatever is in them") {
  RunRecord record = record_with_stages();
  record.engines[0].role = "<script>alert(1)</script>";
  record.workload = {"a < b & \"c\""};
  record.lines = {{0, "x<y>.c", 1, false, 600, 200, 50, 600},
                  {1, "<generated>", 0, false, 250, 0, 0, 500}};
  record.sources = {{"x<y>.c", "if (a < b && c) return \"</code>\";\n"}};
  const std::string html = render_html({record});
  CHECK_THAT(html, !Contains("<script>alert") && !Contains("</code>\"") && !Contains("x<y>"));
  CHECK_THAT(html, Contains("a &lt; b &amp; &quot;c&quot;"));
  CHECK_THAT(html, Contains("if (a &lt; b &amp;&amp; c) return &quot;&lt;/code&gt;&quot;;"));
}

TEST_CASE("A run that failed says so at the head of the page, with its details") {
  RunRecord record = sample_record();
  record.failure =
      Failure{"deadlock", "no progress since cycle 7", {"engine 0 thread 1 waits for sram"}};
  CHECK_THAT(render_html({record}), Contains("verdict broken") &&
                                        Contains("no progress since cycle 7") &&
                                        Contains("engine 0 thread 1 waits for sram"));
}

TEST_CASE("Integer parts of figures stand in groups of three digits, fractions do not") {
  for (const auto& [text, grouped] :
       {std::pair{"999", "999"}, std::pair{"1000", "1,000"},
        std::pair{"-12345.6789", "-12,345.6789"}, std::pair{"1234567", "1,234,567"},
        std::pair{"sram 1234, sdram 99", "sram 1,234, sdram 99"}})
    CHECK(html::with_separators(text) == grouped);
}

TEST_CASE("The page of a comparison holds the sentences of diff, from each run to the best one") {
  RunRecord slow = sample_record();
  RunRecord fast = sample_record();
  slow.inputs.mapping.name = "slow.yaml";
  fast.inputs.mapping.name = "fast.yaml";
  slow.packets.sent = fast.packets.sent - 2;
  slow.rates_mbps.transmit = fast.rates_mbps.transmit / 2;
  slow.memory.sram.references += 5;
  const std::string html = render_html({fast, slow});
  CHECK_THAT(html, Contains("<h3>From slow to fast</h3>") && !Contains("<h3>From fast"));
  const auto sentences = difference_sentences(slow, fast);
  REQUIRE(sentences.size() >= 3);
  CHECK_THAT(sentences[0], StartsWith("Transmit rises by"));
  for (const std::string& sentence : sentences)
    CHECK_THAT(html, Contains("<li>" + html::escaped(sentence) + "</li>"));
  std::string flat = render_difference(slow, fast, {});
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  for (const std::string& sentence : sentences)
    CHECK_THAT(flat, Contains(sentence));
}

TEST_CASE("The numbers of the stage graph are the shares of its stages' engines") {
  RunRecord record = record_with_stages();
  for (Engine& engine : record.engines) {
    engine.useful_pct = engine.executing_pct - 1;
    engine.starved_pct = 1;
    engine.blocked_pct = engine.lock_spin_pct = 0;
  }
  const Table table = stage_use_table(record);
  REQUIRE(table.rows.size() == 2);
  for (std::size_t stage = 0; stage < 2; ++stage) {
    double sum = 0;
    for (const Cell& cell : table.rows[stage].cells)
      sum += std::get<double>(cell.value);
    CHECK(sum == Approx(100));
  }
  CHECK(std::get<double>(table.rows[0].cells[0].value) == Approx(59));
  CHECK(stage_use_table(record_with_stages()).rows.empty());  // an older record
}

TEST_CASE("Units stand in the heads of columns, and in a column of their own where rows differ") {
  html::Elements elements;
  const Table columns{"t",
                      "T",
                      {{"a", "a"}, {"b", "b"}, {"c", "c"}},
                      {{"r", "r", {{1.0, "cycles", 0}, {Count{3}, "", 0}, {2.0, "%", 0}}}}};
  const std::string html = elements.table(columns, "T");
  CHECK_THAT(html, Contains("<small>cycles</small>") && Contains("<small>%</small>") &&
                       !Contains("class=\"unit\""));
  const Table rows{
      "t", "T", {{"a", "a"}}, {{"r", "r", {{1.0, "cycles", 0}}}, {"s", "s", {{2.0, "%", 0}}}}};
  CHECK_THAT(elements.table(rows, "T"), Contains("class=\"unit\"") && Contains("<td>%</td>"));
}

TEST_CASE("What only a later run has stands among its like, not at the end of the table") {
  RunRecord one = sample_record();
  one.tables = {{"rules", "sram", 144, 270}};
  RunRecord two = sample_record();
  two.tables = {{"vectors", "sdram", 56, 30}};
  const std::string html = render_html({one, two});
  const auto at = [&](const char* row) {
    return html.find(std::string("<tr data-r=\"") + row + "\">");
  };
  REQUIRE(at("references_per_packet.vectors") != std::string::npos);
  CHECK(at("references_per_packet") < at("references_per_packet.vectors"));
  CHECK(at("references_per_packet.vectors") < at("table_bytes"));
  CHECK(at("table_bytes") < at("table_bytes.vectors"));
}

TEST_CASE("No two terms of the glossary share a name, and each says all there is to say") {
  std::set<std::string> names;
  for (const Term& term : glossary()) {
    INFO(term.id);
    CHECK(names.insert(term.id).second);
    for (const std::string& name : term.also) {
      INFO(name);
      CHECK(names.insert(name).second);
    }
    for (const std::string& text :
         {term.kind, term.title, term.unit, term.text, term.formula, term.moves})
      CHECK(!text.empty());
  }
  CHECK(names.size() > 80);
}

}  // namespace nplab::reports
