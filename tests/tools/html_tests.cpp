// The HTML report as a reader meets it: opened in a browser, charts read back, clicked, zoomed, and held against the
// run record.
#include <catch2/catch.hpp>
#include <map>

#include "tests/tools/browser.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

struct Report {
  json record;
  std::string html;
};

// One run's report, made once.
const Report& bv1_report() {
  static const Report report = [] {
    const ScratchFolder folder;
    const Outcome outcome = call_nplab({"run", "bv1", "--packets", "300", "--timeline", "50000-50999", "--quiet", "--json", folder.file("r.json"), "--html", folder.file("r.html")});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return Report{read_json(folder.file("r.json")), read_text(folder.file("r.html"))};
  }();
  return report;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
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

#define REQUIRE_BROWSER()                                                                                   \
  const auto browser = browser_program();                                                                   \
  if (!browser) {                                                                                           \
    WARN("skipped: no Chromium is installed (tests/packages.txt)");                                         \
    return;                                                                                                 \
  }

}  // namespace

TEST_CASE("the page is one file: nothing in it is loaded from elsewhere", "[html]") {
  const std::string& page = bv1_report().html;
  const std::string html = page.substr(0, page.find("<script>"));  // scripts may name what they do not do
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
  CHECK(found.at("figures") == 12);
  CHECK(found.at("drawn") == found.at("figures"));
  const json& charts = found.at("charts");
  CHECK(charts.at("all-rates").at("bv1") == json{record["rates_mbps"]["receive"], record["rates_mbps"]["transmit"]});
  CHECK(charts.at("all-memory_active").at("bv1").at(0) == record["memory"]["sdram"]["active_pct"]);
  CHECK(charts.at("all-packet_counts").at("bv1").at(3) == record["packets"]["sent"]);
  json stalled = json::array();
  for (const json& engine : record.at("engines")) stalled.push_back(engine.at("stalled_pct"));
  CHECK(charts.at("run0-engine_states").at("stalled") == stalled);
  std::uint64_t causes = 0;
  for (const auto& [name, series] : charts.at("run0-engine_causes").items()) causes += series.at(1).get<std::uint64_t>();
  CHECK(causes == record.at("cycles").at("core"));
  const json& flight = charts.at("run0-queues_over_time").at("in flight");
  CHECK(flight.size() == record.at("samples").at("in_flight").size());
  CHECK(flight.back().at(1) == record.at("samples").at("in_flight").back());
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

TEST_CASE("annotated source adds up to the engine that is chosen, and a link opens the line", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const sources = document.querySelector('.sources');
    const sum = column => [...sources.querySelectorAll('details tr[data-e]')].reduce((all, row) => all + Number(row.querySelectorAll('td.n')[column].textContent), 0);
    found.executing = sum(0);
    const select = sources.querySelector('.engine-choice');
    select.value = '1';
    select.dispatchEvent(new Event('change'));
    found.one = [sum(0), sum(1), sum(2)];
    const link = sources.querySelector('a[href^="#run0-f"]');
    const target = document.getElementById(link.getAttribute('href').slice(1));
    found.before = target.closest('details').open;
    link.click();
    await wait(300);
    found.after = target.closest('details').open;
  )");
  CHECK(found.at("errors") == json::array());
  std::uint64_t executing = 0;
  for (const json& engine : record.at("engines")) executing += engine.at("cycles").at("executing").get<std::uint64_t>();
  CHECK(found.at("executing") == executing);
  const json& one = record.at("engines").at(1).at("cycles");
  CHECK(found.at("one") == json{one.at("executing"), one.at("aborted"), one.at("stalled")});
  CHECK(found.at("before") == false);
  CHECK(found.at("after") == true);
}

TEST_CASE("the timeline accounts for every cycle of every thread, and executing ones are the record's kind", "[html]") {
  const json timeline = bv1_report().record.at("timeline");
  CHECK(timeline.at("from") == 50000);
  CHECK(timeline.at("to") == 51000);
  CHECK(timeline.at("threads").size() == 24);
  const json& states = timeline.at("states");
  std::map<std::uint64_t, std::map<std::uint64_t, int>> running;  // threads that use the engine, by engine and cycle
  for (const json& thread : timeline.at("threads")) {
    const json& from = thread.at("from");
    REQUIRE(from.size() == thread.at("state").size());
    REQUIRE(from.size() == thread.at("place").size());
    CHECK(from.front() == 50000);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string state = states.at(thread.at("state").at(i).get<std::size_t>());
      const std::uint64_t to = (i + 1 < from.size() ? from.at(i + 1) : timeline.at("to")).get<std::uint64_t>();
      CHECK(from.at(i) < to);
      if (state != "executing" && state != "aborted" && state != "stalled") continue;
      for (std::uint64_t cycle = from.at(i); cycle < to; ++cycle) ++running[thread.at("engine")][cycle];
    }
  }
  CHECK(running.size() == 6);
  for (const auto& [engine, cycles] : running)
    for (const auto& [cycle, threads] : cycles) CHECK(threads == 1);
}

TEST_CASE("a slice of the timeline shows its source line, and a source line its slices", "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const figure = document.getElementById('run0-timeline');
    const data = readTimeline(figure);
    const slice = data.slices.find(one => data.states[one[3]] === 'executing' && data.places[one[4]].includes('.c:') && one[2] - one[1] > 3);
    const place = data.places[slice[4]];
    const chart = charts.get(figure);
    chart.dispatchAction({type: 'dataZoom', startValue: slice[1] - 20, endValue: slice[2] + 20});
    chart.getZr().flush();
    const [x, y] = chart.convertToPixel({gridIndex: 0}, [(slice[1] + slice[2]) / 2, slice[0]]);
    for (const event of ['mousedown', 'mouseup', 'click']) chart.getZr().handler.dispatch(event, {zrX: x, zrY: y});
    found.place = place;
    found.shown = figure.querySelector('output').textContent;
    const link = figure.querySelector('output a');
    const row = document.getElementById(link.getAttribute('href').slice(1));
    found.row = row.dataset.p;
    row.querySelector('button.line').click();
    found.chosen = figure.querySelector('output').textContent;
    found.count = data.slices.filter(one => data.places[one[4]] === place).length;
    found.marked = row.classList.contains('chosen');
    row.querySelector('button.line').click();
    found.unmarked = figure.querySelector('output').textContent;
  )");
  CHECK(found.at("errors") == json::array());
  const std::string place = found.at("place");
  CHECK_THAT(found.at("shown").get<std::string>(), Catch::Contains(place) && Catch::Contains("executing"));
  CHECK(found.at("row") == place);
  CHECK_THAT(found.at("chosen").get<std::string>(), Catch::Contains(place + ": " + found.at("count").dump() + " slices"));
  CHECK(found.at("marked") == true);
  CHECK(found.at("unmarked") == "");
}

TEST_CASE("a column head explains itself with the text of nplab explain", "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const term = document.getElementById('term-aborted');
    found.before = term.matches(':popover-open');
    document.querySelector('th[data-c=aborted] button').click();
    found.after = term.matches(':popover-open');
    found.text = term.querySelector('p').textContent.replace(/\s+/g, ' ');
  )");
  CHECK(found.at("before") == false);
  CHECK(found.at("after") == true);
  std::string explained;
  for (const char c : call_nplab({"explain", "aborted"}).out)
    if (c != '\n') explained += c;
    else explained += ' ';
  for (auto at = explained.find("  "); at != std::string::npos; at = explained.find("  ")) explained.erase(at, 1);
  INFO(explained);
  CHECK(explained.find(found.at("text").get<std::string>()) != std::string::npos);
}

TEST_CASE("runs of a comparison stand side by side, and names that look like tags are text", "[html]") {
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
    found.columns = [...document.querySelectorAll('table[data-table=overall] th[data-c]')].map(head => head.firstChild.textContent.trim());
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("heading") == "bv1, <b>&\"x\"");
  CHECK(found.at("columns") == json{"bv1", "<b>&\"x\""});
  CHECK(found.at("charts").at("all-rates").size() == 2);
}
