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
    const Outcome outcome = call_nplab({"run", "bv1", "--packets", "300", "--timeline", "1000-1499", "--timeline",
                                        "50000-50999", "--quiet", "--json", folder.file("r.json"), "--html",
                                        folder.file("r.html")});
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

TEST_CASE("the timeline accounts for every cycle of every thread in its ranges", "[html]") {
  const json timeline = bv1_report().record.at("timeline");
  CHECK(timeline.at("from") == 1000);
  CHECK(timeline.at("to") == 51000);
  CHECK(timeline.at("ranges") == json::parse(R"([{"from": 1000, "to": 1500}, {"from": 50000, "to": 51000}])"));
  CHECK(timeline.at("threads").size() == 24);
  const json& states = timeline.at("states");
  std::map<std::uint64_t, std::map<std::uint64_t, int>> running;  // threads that use the engine, by engine and cycle
  for (const json& thread : timeline.at("threads")) {
    const json& from = thread.at("from");
    REQUIRE(from.size() == thread.at("state").size());
    REQUIRE(from.size() == thread.at("place").size());
    CHECK(from.front() == 1000);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string state = states.at(thread.at("state").at(i).get<std::size_t>());
      const std::uint64_t to = (i + 1 < from.size() ? from.at(i + 1) : timeline.at("to")).get<std::uint64_t>();
      CHECK(from.at(i) < to);
      CHECK((state == "unobserved") == (from.at(i) == 1500 && to == 50000));
      if (state != "executing" && state != "aborted" && state != "stalled") continue;
      for (std::uint64_t cycle = from.at(i); cycle < to; ++cycle) ++running[thread.at("engine")][cycle];
    }
  }
  CHECK(running.size() == 6);
  for (const auto& [engine, cycles] : running)
    for (const auto& [cycle, threads] : cycles) CHECK(threads == 1);
}

TEST_CASE("ranges of a timeline that overlap, or are none, are refused", "[html]") {
  const ScratchFolder folder;
  const Outcome overlap = call_nplab({"run", "bv1", "--timeline", "100-200", "--timeline", "200-300", "--html",
                                      folder.file("r.html")});
  CHECK(overlap.status == 2);
  CHECK_THAT(overlap.err, Catch::Contains("--timeline 200-300") && Catch::Contains("behind the one before"));
  CHECK(call_nplab({"run", "bv1", "--timeline", "100", "--html", folder.file("r.html")}).status == 2);
  CHECK(!fs::exists(folder.file("r.html")));
}

TEST_CASE("the timeline's intervals of every level add up to the record", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const {data} = timelines.get(document.getElementById('run0-timeline'));
    const sums = levels => levels.map(level => level.reduce((sum, value) => sum + value, 0));
    found.levels = data.levels;
    for (const kind of ['engine', 'thread', 'bus']) found[kind] = {};
    for (const row of data.rows) {
      if (!found[row.kind]) continue;
      found[row.kind][row.label] = Object.fromEntries(row.parts.map(part => [part.state, sums(part.levels)]));
    }
  )");
  CHECK(found.at("errors") == json::array());
  const std::size_t levels = found.at("levels");
  CHECK(levels > 1);
  const auto each_level = [levels](const json& count) { return json(std::vector<json>(levels, count)); };
  for (const json& engine : record.at("engines")) {
    const json& row = found.at("engine").at("engine " + engine.at("id").dump());
    for (const char* state : {"executing", "aborted", "stalled"})
      CHECK(row.at(state) == each_level(engine.at("cycles").at(state)));
    for (const json& thread : engine.at("threads")) {
      const json& states = found.at("thread").at(engine.at("id").dump() + "." + thread.at("id").dump());
      for (const char* state : {"executing", "aborted", "stalled", "ready"})
        CHECK(states.value(state, each_level(0)) == each_level(thread.at(state)));
      for (const auto& [event, cycles] : thread.at("waiting").items())
        CHECK(states.at("waiting " + event) == each_level(cycles));
    }
  }
  for (const std::string memory : {"sram", "sdram"}) {
    const json& cycles = record.at("memory").at(memory).at("active_cycles");
    CHECK(found.at("bus").at(memory + " bus").at("active") == each_level(cycles));
  }
}

TEST_CASE("near, the timeline shows slices; far, intervals with their shares and the costliest lines", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const figure = document.getElementById('run0-timeline');
    const view = timelines.get(figure), chart = () => charts.get(figure);
    const output = figure.querySelector('output');
    const click = (label, cycle) => {
      const row = view.data.rows.findIndex(one => one.label === label);
      const [x] = chart().convertToPixel({gridIndex: 0}, [cycle, label]);
      const y = view.area.y + (row + 0.5) * view.area.rowHeight;
      for (const event of ['mousedown', 'mouseup', 'click']) chart().getZr().handler.dispatch(event, {zrX: x, zrY: y});
      return output.textContent;
    };
    found.ranges = view.exactRanges().length;
    found.far = click('1.0', 30000);
    const target = link => document.getElementById(link.getAttribute('href').slice(1)).dataset.p;
    found.links = [...output.querySelectorAll('a')].map(target);
    found.interval = view.at(view.data.rows.findIndex(one => one.label === '1.0'), 30000);
    found.queue = click('sram order queue', 30000);
    figure.querySelector('button[aria-label="show cycles 50000 to 50999"]').click();
    found.zoomed = [Math.round(view.area.from), Math.round(view.area.to)];
    found.exact = view.exactRanges();
    found.bus = click('sram bus', 50500);
    found.slices = view.data.rows.find(one => one.label === 'engine 1').slices.filter(slice => slice.from >= 50000);
    const {x, y, width, height} = view.area;
    found.painted = new Set(chart().getZr().painter.getLayer(0).ctx.getImageData(x, y, width, height).data).size;
    const before = performance.now();
    for (let i = 0; i < 20; ++i) view.paint({...view.area});
    found.paint_ms = (performance.now() - before) / 20;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("ranges") == 0);
  const json& interval = found.at("interval");
  CHECK(interval.at("from") <= 30000);
  CHECK(interval.at("to") > 30000);
  std::uint64_t cycles = 0;
  for (const json& count : interval.at("counts")) cycles += count.at(1).get<std::uint64_t>();
  CHECK(cycles == interval.at("to").get<std::uint64_t>() - interval.at("from").get<std::uint64_t>());
  CHECK_THAT(found.at("far").get<std::string>(),
             Catch::StartsWith("thread 1.0, cycles ") && Catch::Contains("engine 1 busy with"));
  CHECK(found.at("links").size() >= 3);
  const auto& queues = record.at("activity").at("queues");
  const auto is_wanted = [](const json& one) { return one.at("name") == "sram.order_queue"; };
  const std::string entries = std::find_if(queues.begin(), queues.end(), is_wanted)->at("entries").dump();
  CHECK_THAT(found.at("queue").get<std::string>(), Catch::Contains(" of " + entries + " entries, mean of "));
  CHECK(found.at("zoomed") == json{50000, 51000});
  CHECK(found.at("exact") == json::parse(R"([{"from": 50000, "to": 51000}])"));
  CHECK_THAT(found.at("bus").get<std::string>(), Catch::EndsWith("taken") || Catch::EndsWith("free"));
  std::uint64_t end = 50000;
  for (const json& slice : found.at("slices")) {
    CHECK(slice.at("from") >= end);
    end = slice.at("to");
  }
  CHECK(end <= 51000);
  CHECK(found.at("slices").size() > 100);
  CHECK(found.at("painted") > 20);
  CHECK(found.at("paint_ms").get<double>() < 100);
}

TEST_CASE("keys alone lead from row to row, from slice to slice and to the source line", "[html]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const figure = document.getElementById('run0-timeline');
    const view = timelines.get(figure), plot = figure.querySelector('.plot');
    const press = key => plot.dispatchEvent(new KeyboardEvent('keydown', {key, cancelable: true}));
    const shown = () => figure.querySelector('output').textContent;
    view.showRange({from: 50000, to: 51000});
    press('ArrowDown');
    found.first = shown();
    press('ArrowDown');
    found.second = shown();
    found.visited = [];
    for (let i = 0; i < 40; ++i) {
      press('.');
      found.visited.push([view.cursor.cycle, shown()]);
    }
    press(',');
    found.back = [view.cursor.cycle, shown()];
    found.focusable = plot.tabIndex;
    for (let i = 0; i < 40 && !figure.querySelector('output a'); ++i) press('.');
    const link = figure.querySelector('output a');
    press('Enter');
    await wait(300);
    found.hash = [location.hash, link.getAttribute('href')];
  )");
  CHECK(found.at("errors") == json::array());
  CHECK_THAT(found.at("first").get<std::string>(), Catch::StartsWith("engine 0"));
  CHECK_THAT(found.at("second").get<std::string>(), Catch::StartsWith("thread 0.0"));
  const json& visited = found.at("visited");
  for (std::size_t i = 1; i < visited.size(); ++i) CHECK(visited[i].at(0) > visited[i - 1].at(0));
  CHECK(found.at("back").at(0) < visited.back().at(0));
  CHECK(found.at("back").at(1) == visited[visited.size() - 2].at(1));
  CHECK(found.at("focusable") == 0);
  CHECK(found.at("hash").at(0) == found.at("hash").at(1));
}

TEST_CASE("a slice shows its source line, and a source line its slices and its share of the run", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const figure = document.getElementById('run0-timeline');
    const view = timelines.get(figure);
    const threads = view.data.rows.map((row, number) => ({...row, number})).filter(row => row.kind === 'thread');
    const all = threads.flatMap(row => row.slices.map(slice => ({...slice, row: row.number})));
    const slice = all.find(one => one.state === 'executing' && one.place.includes('.c:') && one.to - one.from > 3);
    view.showRange({from: slice.from - 20, to: slice.to + 20});
    const [x] = charts.get(figure).convertToPixel({gridIndex: 0}, [(slice.from + slice.to) / 2, slice.row]);
    const y = view.area.y + (slice.row + 0.5) * view.area.rowHeight;
    const {handler} = charts.get(figure).getZr();
    for (const event of ['mousedown', 'mouseup', 'click']) handler.dispatch(event, {zrX: x, zrY: y});
    found.place = slice.place;
    found.shown = figure.querySelector('output').textContent;
    const row = document.getElementById(figure.querySelector('output a').getAttribute('href').slice(1));
    found.row = row.dataset.p;
    row.querySelector('button.line').click();
    found.chosen = figure.querySelector('output').textContent;
    found.count = all.filter(one => one.place === slice.place).length;
    found.marked = row.classList.contains('chosen');
    const own = view.data.lines.filter(line => line.place === slice.place);
    found.busy = own.map(line => [line.engine, line.busy.reduce((sum, value) => sum + value, 0)]);
    row.querySelector('button.line').click();
    found.unmarked = figure.querySelector('output').textContent;
  )");
  CHECK(found.at("errors") == json::array());
  const std::string place = found.at("place");
  CHECK_THAT(found.at("shown").get<std::string>(), Catch::Contains(place) && Catch::Contains("executing"));
  CHECK(found.at("row") == place);
  CHECK_THAT(found.at("chosen").get<std::string>(), Catch::Contains(place + ": " + found.at("count").dump() + " slices"));
  std::map<std::uint64_t, std::uint64_t> busy;
  for (const json& line : record.at("lines")) {
    if (line.at("file").get<std::string>() + ":" + line.at("line").dump() != place) continue;
    for (const char* state : {"executing", "aborted", "stalled"})
      busy[line.at("engine")] += line.at(state).get<std::uint64_t>();
  }
  CHECK(!busy.empty());
  CHECK(found.at("busy").size() == busy.size());
  for (const json& line : found.at("busy")) CHECK(busy[line.at(0)] == line.at(1));
  CHECK(found.at("marked") == true);
  CHECK(found.at("unmarked") == "");
}

TEST_CASE("an engine whose threads were never in some state is drawn like the others", "[html]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json record = bv1_report().record;
  for (json& thread : record.at("activity").at("threads")) {
    json& states = thread.at("states");
    if (thread.at("engine") != 0) continue;
    for (std::size_t i = states.size(); i-- > 0;)
      if (states[i].at("state") == "stalled") states.erase(i);
  }
  const Outcome outcome = call_nplab({"report", folder.write("r.json", record.dump()), "--html", "-"});
  const json found = probe_page(*browser, outcome.out, R"(
    const {data, area} = timelines.get(document.getElementById('run0-timeline'));
    found.parts = data.rows[0].parts.map(part => part.state);
    found.painted = area !== undefined && area.rowHeight > 0;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("parts") == json{"executing", "aborted"});
  CHECK(found.at("painted") == true);
}

TEST_CASE("a record whose timeline knows no ranges and no activity still shows its slices", "[html]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json old = bv1_report().record;
  old.erase("activity");
  for (const char* key : {"ranges", "queues"}) old.at("timeline").erase(key);
  const std::string run = folder.write("r.json", old.dump());
  const Outcome outcome = call_nplab({"report", run, "--html", "-"});
  REQUIRE(outcome.status == 0);
  const json found = probe_page(*browser, outcome.out, R"(
    const {data} = timelines.get(document.getElementById('run0-timeline'));
    found.span = [data.from, data.to];
    found.slices = data.rows.reduce((sum, row) => sum + row.slices.length, 0);
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("span") == json{1000, 51000});
  CHECK(found.at("slices") > 1000);
}

TEST_CASE("a page stays far below 20 MB however long the run", "[html]") {
  const ScratchFolder folder;
  const Words run{"run", "bv1", "--packets", "4000", "--quiet"};
  REQUIRE(call_nplab(run + Words{"--html", folder.file("r.html"), "--json", folder.file("r.json")}).status == 0);
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
  CHECK_THAT(found.at("summary").get<std::string>(), Catch::Contains(found.at("far").dump() + " of 35 figures"));
  const ScratchFolder folder;
  const Outcome text = call_nplab({"report", folder.write("r.json", record.dump()), "--published"});
  CHECK_THAT(text.out, Catch::Contains(found.at("far").dump() + " of 35 figures are further than 15 %"));
}

TEST_CASE("printed, the page has its tables and charts, and none of its buttons and closed parts", "[html]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const auto text = printed_text(*browser, html);
  if (!text) {
    WARN("skipped: no pdftotext is installed (tests/packages.txt)");
    return;
  }
  for (const std::string there : {"Rates on the wire", "What everything did, cycle by cycle", "Memory map: bv1",
                                  "The costliest source lines"}) {
    INFO(there);
    CHECK_THAT(*text, Catch::Contains(there));
  }
  // Of the widest table the last column of the last thread is on the paper.
  CHECK_THAT(*text, Catch::Contains(record.at("engines").at(5).at("threads").at(3).at("waiting").at("sram").dump()));
  for (const std::string hidden : {"The numbers", "Keys:", "Formula", "show cycles"}) {
    INFO(hidden);
    CHECK_THAT(*text, !Catch::Contains(hidden));
  }
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
