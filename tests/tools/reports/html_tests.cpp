// The HTML report as a reader meets it: opened in a browser, charts read back, zoomed, printed, and
// held against the run record. Its source and its timeline are html_source_tests.cpp's and
// html_timeline_tests.cpp's.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/support/html_page.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// What the chart of a figure shows: the figures of each series, by its name.
const std::string kReadCharts = R"(
  found.charts = {};
  for (const [figure, chart] of charts) {
    const series = found.charts[figure.id] = {};
    for (const one of chart.getOption().series) series[one.name] = one.data;
  }
  found.drawn = [...document.querySelectorAll('.plot')].filter(plot => plot.querySelector('svg path')).length;
  found.figures = document.querySelectorAll('figure.chart').length;
  found.captions = [...document.querySelectorAll('table')].filter(table => !table.caption).length;
)";

}  // namespace

TEST_CASE("the page is one file: nothing in it is loaded from elsewhere", "[html]") {
  const std::string& page = bv1_report().html;
  const std::string html =
      page.substr(0, page.find("<script>"));  // scripts may name what they do not do
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.size() > 100'000);
  for (const char* loads : {"<link ", "<script src", "<img ", "<iframe", "@import", "url(http"}) {
    INFO(loads);
    CHECK(html.find(loads) == std::string::npos);
  }
  CHECK(page.size() < 4'000'000);
}

TEST_CASE("figures stand in the page's tables in full precision, also without a script", "[html]") {
  const auto& [record, html] = bv1_report();
  const std::string rate = record.at("rates_mbps").at("transmit").dump();
  CHECK(html.find("<tr data-r=\"transmit_rate\">") != std::string::npos);
  CHECK(html.find("data-v=\"" + rate + "\"") != std::string::npos);
  CHECK(occurrences(html, "<table") == occurrences(html, "<caption>"));
}

TEST_CASE("report --html gives the page that run --html gave", "[html]") {
  const ScratchFolder folder;
  const std::string run = folder.write("r.json", bv1_report().record.dump());
  const Outcome outcome = call_nplab({"report", run, "--html", "-"});
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out == bv1_report().html);
}

TEST_CASE("every chart is drawn and shows the record's figures", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, kReadCharts);
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("loaded") == json::array());
  CHECK(found.at("captions") == 0);
  CHECK(found.at("figures") == 10);
  CHECK(found.at("drawn") == found.at("figures"));
  const json& charts = found.at("charts");
  CHECK(charts.at("all-rates").at("bv1") ==
        json{record["rates_mbps"]["receive"], record["rates_mbps"]["transmit"]});
  CHECK(charts.at("all-packet_counts").at("bv1").at(3) == record["packets"]["sent"]);
  const json& causes = charts.at("run0-engine_causes");
  for (const json& engine : record.at("engines")) {
    const std::size_t number = engine.at("id");
    for (const char* use : {"useful", "starved", "blocked"})
      CHECK(causes.at(use).at(number) == engine.at("work_cycles").at(use));
    CHECK(!causes.contains("executing"));
    double all = 0, idle = 0;
    for (const auto& [name, series] : causes.items()) {
      const double cycles = series.at(number);
      all += cycles;
      if (name.starts_with("idle: "))
        idle += cycles;
    }
    CHECK(all == Approx(record.at("cycles").at("core").get<double>()));
    CHECK(idle == Approx(engine.at("cycles").at("idle").get<double>()));
    for (const auto& [cause, cycles] : engine.at("stalled_on").items())
      CHECK(causes.at("stalled: " + cause).at(number) == cycles);
  }
  CHECK(charts.at("run0-thread_states").at("waiting sdram").at(4) ==
        record.at("engines").at(1).at("threads").at(0).at("waiting_on").at("sdram"));
  std::uint64_t within = 0;
  const json& latency = charts.at("all-latency_distribution").at("bv1");
  for (const json& bucket : record.at("latency_histogram")) {
    within += bucket.at("count").get<std::uint64_t>();
    const auto bound = std::find_if(latency.begin(), latency.end(), [&](const json& point) {
      return point.at(0) == bucket.at("to");
    });
    REQUIRE(bound != latency.end());
    CHECK(bound->at(1).get<double>() ==
          Approx(100.0 * within / record.at("packets").at("sent").get<double>()));
  }
  CHECK(latency.back().at(1) == 100);
  const json& flight = charts.at("run0-queues_over_time").at("in flight");
  // At most 240 points: each stands for as many samples, and shows the last of them.
  const json& samples = record.at("samples").at("in_flight");
  const std::size_t stride = (samples.size() + 239) / 240;
  CHECK(flight.size() == samples.size() / stride);
  CHECK(flight.back().at(1) == samples.at(flight.size() * stride - 1));
}

TEST_CASE("a chart over time zooms by its buttons and by keys", "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const figure = document.getElementById('run0-memory_over_time');
    const range = () => { const {start, end} = charts.get(figure).getOption().dataZoom[0]; return [start, end]; };
    const press = key => figure.querySelector('.plot').dispatchEvent(new KeyboardEvent('keydown', {key}));
    found.all = range();
    figure.querySelector('button[aria-label="zoom in"]').click();
    found.in = range();
    press('ArrowRight');
    found.later = range();
    press('0');
    found.again = range();
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("all") == json{0, 100});
  CHECK(found.at("in") == json{25, 75});
  CHECK(found.at("later") == json{37.5, 87.5});
  CHECK(found.at("again") == json{0, 100});
}

TEST_CASE("a page stays far below 20 MB however long the run", "[html]") {
  const ScratchFolder folder;
  const Words run{"run", "bv1", "--packets", "4000", "--quiet"};
  REQUIRE(call_nplab(run + Words{"--html", folder.file("r.html"), "--json", folder.file("r.json")})
              .status == 0);
  const json activity = read_json(folder.file("r.json")).at("activity");
  // What grows with a run's length is bounded: from here on intervals only become longer.
  CHECK(activity.at("interval_cycles") == 256);
  CHECK(activity.at("line_interval_cycles") == 8192);
  CHECK(fs::file_size(folder.file("r.html")) < 6'000'000);
}

TEST_CASE("ours stand beside the published figures, as run --published prints them", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const section = document.querySelector('details.published');
    found.open = section.open;
    found.rows = {};
    for (const row of section.querySelectorAll('tr[data-r]'))
      found.rows[row.dataset.r] = [...row.querySelectorAll('td.n')].map(cell => cell.dataset.v);
    found.far = section.querySelectorAll('tr.far').length;
    found.summary = section.querySelector('summary').textContent;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("open") == false);  // 300 packets against 75000
  const json& transmit = found.at("rows").at("transmit_rate");
  CHECK(transmit.at(0) == "272.5");
  const double ours = record.at("rates_mbps").at("transmit");
  CHECK(std::stod(transmit.at(1).get<std::string>()) == ours);
  CHECK(std::stod(transmit.at(2).get<std::string>()) == Approx(ours - 272.5));
  CHECK(std::stod(transmit.at(3).get<std::string>()) == Approx(ours / 272.5));
  CHECK(found.at("rows").at("5.mips").at(0) == "137");
  CHECK_THAT(found.at("summary").get<std::string>(),
             Catch::Contains(found.at("far").dump() + " of 35 figures"));
  const ScratchFolder folder;
  const Outcome text = call_nplab({"report", folder.write("r.json", record.dump()), "--published"});
  CHECK_THAT(text.out,
             Catch::Contains(found.at("far").dump() + " of 35 figures differ by more than 15 %"));
}

TEST_CASE("printed, the page has its tables and charts, and none of its buttons and closed parts",
          "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const auto text = printed_text(*browser, html);
  if (!text) {
    WARN("skipped: no pdftotext is installed (tests/packages.txt)");
    return;
  }
  for (const std::string there : {"Rates on the wire", "Timeline, cycle by cycle",
                                  "Memory map: bv1", "Most expensive source lines"}) {
    INFO(there);
    CHECK_THAT(*text, Catch::Contains(there));
  }
  // Of a wide table the last column of the last thread is on the paper.
  std::string figures = *text;
  std::erase(figures, ',');  // between groups of three digits
  CHECK_THAT(
      figures,
      Catch::Contains(record.at("engines").at(5).at("threads").at(3).at("idle").at("sram").dump()));
  for (const std::string hidden : {"The numbers", "Keys:", "Formula", "show cycles"}) {
    INFO(hidden);
    CHECK_THAT(*text, !Catch::Contains(hidden));
  }
}

TEST_CASE("causes, what each thread waited for, and references by origin stand in tables",
          "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    found.tables = {};
    for (const name of ['engine_causes', 'thread_states', 'idle_on', 'memory_by_origin']) {
      const table = document.querySelector(`#run0 table[data-table=${name}]`);
      const columns = [...table.tHead.querySelectorAll('th[data-c]')].map(head => head.dataset.c);
      found.tables[name] = {};
      for (const row of table.tBodies[0].rows) {
        const cells = [...row.querySelectorAll('td.n')].map(cell => Number(cell.dataset.v));
        found.tables[name][row.dataset.r] = Object.fromEntries(columns.map((column, i) => [column, cells[i]]));
      }
    }
  )");
  CHECK(found.at("errors") == json::array());
  const json& tables = found.at("tables");
  const auto check_counts = [&tables](const std::string& table, const std::string& row,
                                      const std::string& kind, const json& counts) {
    for (const auto& [cause, cycles] : counts.items())
      CHECK(tables.at(table).at(row).at(kind + "." + cause) == cycles);
  };
  for (const json& engine : record.at("engines")) {
    check_counts("engine_causes", engine.at("id").dump(), "stalled_on", engine.at("stalled_on"));
    check_counts("engine_causes", engine.at("id").dump(), "aborted_by", engine.at("aborted_by"));
    for (const json& thread : engine.at("threads")) {
      const std::string name = engine.at("id").dump() + "." + thread.at("id").dump();
      check_counts("thread_states", name, "waiting_on", thread.at("waiting_on"));
      check_counts("idle_on", name, "idle_on", thread.at("idle"));
    }
  }
  const json& sdram = tables.at("memory_by_origin").at("sdram");
  CHECK(sdram.at("references") == record.at("memory").at("sdram").at("references"));
  CHECK(sdram.at("under_way") == record.at("memory").at("sdram").at("under_way").at("references"));
  CHECK(sdram.at("under_way.longwords") ==
        record.at("memory").at("sdram").at("under_way").at("longwords"));
}

TEST_CASE("every column head but the names of runs and memories, and the unit, explains itself",
          "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const heads = [...document.querySelectorAll('thead th[scope=col]')];
    const plain = ['name', 'line', 'bv1', 'unit', 'value', 'SDRAM', 'SRAM', 'scratch'];
    const isPlain = head => plain.includes(head.firstChild.textContent.trim());
    found.heads = heads.length;
    found.without = heads.filter(head => !isPlain(head) && !head.querySelector('button.why'))
                         .map(head => `${head.closest('table').caption.textContent}: ${head.textContent}`);
    const target = button => document.getElementById(button.getAttribute('popovertarget'));
    found.dangling = [...document.querySelectorAll('button.why')].filter(button => !target(button)).length;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("heads") > 100);
  CHECK(found.at("without") == json::array());
  CHECK(found.at("dangling") == 0);
}

TEST_CASE("a column head explains itself with the text of nplab explain", "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const term = document.getElementById('term-aborted');
    found.before = term.matches(':popover-open');
    document.querySelector('th[data-c=aborted] button.why').click();
    found.after = term.matches(':popover-open');
    found.text = term.querySelector('p').textContent.replace(/\s+/g, ' ');
  )");
  CHECK(found.at("before") == false);
  CHECK(found.at("after") == true);
  std::string explained;
  for (const char c : call_nplab({"explain", "aborted"}).out)
    if (c != '\n')
      explained += c;
    else
      explained += ' ';
  for (auto at = explained.find("  "); at != std::string::npos; at = explained.find("  "))
    explained.erase(at, 1);
  INFO(explained);
  CHECK(explained.find(found.at("text").get<std::string>()) != std::string::npos);
}

TEST_CASE("runs of a comparison stand side by side, and names that look like tags are text",
          "[html]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json other = bv1_report().record;
  other["inputs"]["mapping"]["name"] = "<b>&\"x\".yaml";
  const std::string one = folder.write("1.json", bv1_report().record.dump());
  const std::string two = folder.write("2.json", other.dump());
  const Outcome outcome = call_nplab({"report", one, two, "--html", folder.file("c.html")});
  REQUIRE(outcome.status == 0);
  const json found = probe_page(*browser, read_text(folder.file("c.html")), kReadCharts + R"(
    found.heading = document.querySelector('h1').textContent;
    found.columns = [...document.querySelectorAll('table[data-table=overall] th[data-c]')]
                        .map(head => head.firstChild.textContent.trim());
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("heading") == "bv1, <b>&\"x\"");
  CHECK(found.at("columns") == json{"bv1", "<b>&\"x\""});
  CHECK(found.at("charts").at("all-rates").size() == 2);
  CHECK(found.at("charts").at("all-memory_active").at("bv1").at(0) ==
        other["memory"]["sdram"]["active_pct"]);
}
