// The timeline of the HTML report: intervals and slices held against the record, by mouse and by
// keys.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/tools/support/html_page.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

// Of a series as a record has it: `12 0*3 4`.
std::vector<std::uint64_t> values_of(const std::string& series) {
  std::vector<std::uint64_t> values;
  std::istringstream words(series);
  for (std::string word; words >> word;) {
    const auto star = word.find('*');
    values.insert(values.end(), star == std::string::npos ? 1 : std::stoul(word.substr(star + 1)),
                  std::stoull(word.substr(0, star)));
  }
  return values;
}

}  // namespace

TEST_CASE("the timeline accounts for every cycle of every thread in its ranges",
          "[html_timeline]") {
  const json timeline = bv1_report().record.at("timeline");
  CHECK(timeline.at("from") == 1000);
  CHECK(timeline.at("to") == 51000);
  CHECK(timeline.at("ranges") ==
        json::parse(R"([{"from": 1000, "to": 1500}, {"from": 50000, "to": 51000}])"));
  CHECK(timeline.at("threads").size() == 24);
  const json& states = timeline.at("states");
  std::map<std::uint64_t, std::map<std::uint64_t, int>>
      running;  // threads that use the engine, by engine and cycle
  for (const json& thread : timeline.at("threads")) {
    const json& from = thread.at("from");
    REQUIRE(from.size() == thread.at("state").size());
    REQUIRE(from.size() == thread.at("place").size());
    CHECK(from.front() == 1000);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string state = states.at(thread.at("state").at(i).get<std::size_t>());
      const std::uint64_t to =
          (i + 1 < from.size() ? from.at(i + 1) : timeline.at("to")).get<std::uint64_t>();
      CHECK(from.at(i) < to);
      CHECK((state == "unobserved") == (from.at(i) == 1500 && to == 50000));
      if (state != "executing" && state != "aborted" && state != "stalled")
        continue;
      for (std::uint64_t cycle = from.at(i); cycle < to; ++cycle)
        ++running[thread.at("engine")][cycle];
    }
  }
  CHECK(running.size() == 6);
  for (const auto& [engine, cycles] : running)
    for (const auto& [cycle, threads] : cycles)
      CHECK(threads == 1);
}

TEST_CASE("ranges of a timeline that overlap, or are none, are refused", "[html_timeline]") {
  const ScratchFolder folder;
  const Outcome overlap = call_nplab({"run", "bv1", "--timeline", "100-200", "--timeline",
                                      "200-300", "--html", folder.file("r.html")});
  CHECK(overlap.status == 2);
  CHECK_THAT(overlap.err,
             Catch::Contains("--timeline 200-300") && Catch::Contains("after the one before"));
  CHECK(call_nplab({"run", "bv1", "--timeline", "100", "--html", folder.file("r.html")}).status ==
        2);
  CHECK(!fs::exists(folder.file("r.html")));
}

TEST_CASE("the page shows the start, and where the slowest packet came and went, cycle by cycle",
          "[html_timeline]") {
  const ScratchFolder folder;
  const Words run{"run", "bv1", "--packets", "300", "--quiet"};
  REQUIRE(call_nplab(run + Words{"--html", folder.file("r.html"), "--json", folder.file("r.json")})
              .status == 0);
  const json record = read_json(folder.file("r.json"));
  json ranges = record.at("timeline").at("ranges");
  CHECK(ranges.at(0) == json{{"from", 0}, {"to", 2000}, {"name", "start"}});
  const json& last = ranges.back();
  const std::string name = last.at("name");
  REQUIRE(name.starts_with("slowest packet "));
  const std::string number = name.substr(15, name.find(' ', 15) - 15);
  const Outcome traced =
      call_nplab({"trace", "packet", number, "bv1", "--packets", "300", "--json", "-"});
  REQUIRE(traced.status == 0);
  const json story = json::parse(traced.out);
  CHECK(story.at("latency_cycles") == record.at("latency_cycles").at("max"));
  // 200 cycles longer, if the run is.
  const auto end = record.at("cycles").at("core").get<std::uint64_t>();
  CHECK(last.at("to") == std::min(story.at("sent").at("cycle").get<std::uint64_t>() + 200, end));
  const auto shows = [&ranges](std::uint64_t cycle) {
    return std::any_of(ranges.begin(), ranges.end(), [cycle](const json& range) {
      return range.at("from") <= cycle && cycle < range.at("to");
    });
  };
  CHECK(shows(story.at("received")));

  // The run that is repeated for it is the run: the same ranges asked for by number give the same
  // timeline.
  Words asked = run + Words{"--json", folder.file("2.json")};
  for (const json& range : ranges) {
    const std::uint64_t to = range.at("to");
    asked = asked + Words{"--timeline", range.at("from").dump() + "-" + std::to_string(to - 1)};
  }
  REQUIRE(call_nplab(asked).status == 0);
  json first = record.at("timeline"), second = read_json(folder.file("2.json")).at("timeline");
  for (json* timeline : {&first, &second})
    for (json& range : timeline->at("ranges"))
      range.erase("name");
  const bool same = first == second;  // not printed: they are long
  CHECK(same);
}

TEST_CASE("the slowest packet of the entire run is asked for by name", "[html_timeline]") {
  const auto record = record_of({"bv2", "--packets", "100", "--timeline", "slowest"});
  const json& ranges = record.at("timeline").at("ranges");
  CHECK(!ranges.empty());
  for (const json& range : ranges)
    CHECK_THAT(range.at("name").get<std::string>(), Catch::StartsWith("slowest packet "));
}

TEST_CASE("the timeline's intervals of every level add up to the record", "[html_timeline]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const {data} = timelines.get(document.getElementById('run0-timeline'));
    const sums = levels => levels.map(level => level.reduce((sum, value) => sum + value, 0));
    for (const kind of ['engine', 'thread', 'bus']) found[kind] = {};
    for (const row of data.rows) {
      if (!found[row.kind]) continue;
      found[row.kind][row.label] = Object.fromEntries(row.parts.map(part => [part.state, sums(part.levels)]));
    }
  )");
  CHECK(found.at("errors") == json::array());
  // Of every level the same; most rows have several.
  const auto holds = [](const json& sums, const json& count) {
    CHECK(!sums.empty());
    for (const json& sum : sums)
      CHECK(sum == count);
  };
  CHECK(found.at("bus").at("sram bus").at("active").size() > 1);
  for (const json& engine : record.at("engines")) {
    const json& row = found.at("engine").at("engine " + engine.at("id").dump());
    for (const char* use : {"useful", "starved", "blocked"})
      holds(row.at(use), engine.at("work_cycles").at(use));
    for (const char* state : {"aborted", "stalled"})
      holds(row.at(state), engine.at("cycles").at(state));
    for (const json& thread : engine.at("threads")) {
      const json& states =
          found.at("thread").at(engine.at("id").dump() + "." + thread.at("id").dump());
      for (const char* state : {"executing", "aborted", "stalled", "ready"})
        holds(states.value(state, json{0}), thread.at(state));
      for (const auto& [event, cycles] : thread.at("waiting").items())
        holds(states.at("waiting " + event), cycles);
    }
  }
  for (const std::string memory : {"sram", "sdram"}) {
    const json& cycles = record.at("memory").at(memory).at("active_cycles");
    holds(found.at("bus").at(memory + " bus").at("active"), cycles);
  }
}

TEST_CASE("the mapping's queues are rows of the timeline, far and near", "[html_timeline]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const {data} = timelines.get(document.getElementById('run0-timeline'));
    found.rows = {};
    for (const row of data.rows.filter(one => one.kind === 'queue'))
      found.rows[row.label] = {entries: row.entries, far: row.parts[0].levels[0], near: row.slices};
  )");
  CHECK(found.at("errors") == json::array());
  for (const json& queue : record.at("queues")) {
    INFO(queue.dump());
    const json& row = found.at("rows").at(queue.at("name").get<std::string>());
    CHECK(row.at("entries") ==
          queue.at("entries").get<std::uint64_t>() * queue.at("rings").get<std::uint64_t>());
    CHECK(row.at("far").back() ==
          queue.at("enqueued").get<std::uint64_t>() - queue.at("dequeued").get<std::uint64_t>());
    CHECK(!row.at("near").empty());
  }
  // Where an interval ends within a range, both show the same.
  const json& activity = record.at("activity");
  const std::uint64_t interval = activity.at("interval_cycles");
  REQUIRE(interval == 64);
  for (const json& queue : record.at("timeline").at("queues")) {
    const std::string name = queue.at("name");
    if (name.find('.') != std::string::npos)
      continue;
    std::uint64_t depth = 0;
    for (std::size_t i = 0; i < queue.at("from").size() && queue.at("from").at(i) < 50'048; ++i)
      depth = queue.at("depth").at(i);
    const json& sampled = *std::find_if(activity.at("queues").begin(), activity.at("queues").end(),
                                        [&](const json& one) { return one.at("name") == name; });
    CHECK(depth == values_of(sampled.at("depth")).at(50'048 / interval - 1));
  }
}

TEST_CASE(
    "near, the timeline shows slices, far, intervals with their shares and the costliest lines",
    "[html_timeline]") {
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
  for (const json& count : interval.at("counts"))
    cycles += count.at(1).get<std::uint64_t>();
  CHECK(cycles ==
        interval.at("to").get<std::uint64_t>() - interval.at("from").get<std::uint64_t>());
  CHECK_THAT(found.at("far").get<std::string>(),
             Catch::StartsWith("thread 1.0, cycles ") && Catch::Contains("engine 1 busy with"));
  CHECK(found.at("links").size() >= 3);
  const auto& queues = record.at("activity").at("queues");
  const auto is_wanted = [](const json& one) { return one.at("name") == "sram.order_queue"; };
  const std::string entries =
      std::find_if(queues.begin(), queues.end(), is_wanted)->at("entries").dump();
  CHECK_THAT(found.at("queue").get<std::string>(),
             Catch::Contains(" of " + entries + " entries, mean of "));
  CHECK(found.at("zoomed") == json{50000, 51000});
  CHECK(found.at("exact") == json::parse(R"([{"from": 50000, "to": 51000}])"));
  CHECK_THAT(found.at("bus").get<std::string>(),
             Catch::EndsWith("busy") || Catch::EndsWith("free"));
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

TEST_CASE("keys alone lead from row to row, from slice to slice and to the source line",
          "[html_timeline]") {
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
  for (std::size_t i = 1; i < visited.size(); ++i)
    CHECK(visited[i].at(0) > visited[i - 1].at(0));
  CHECK(found.at("back").at(0) < visited.back().at(0));
  CHECK(found.at("back").at(1) == visited[visited.size() - 2].at(1));
  CHECK(found.at("focusable") == 0);
  CHECK(found.at("hash").at(0) == found.at("hash").at(1));
}

TEST_CASE("a slice shows its source line, and a source line its slices and its share of the run",
          "[html_timeline]") {
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
  CHECK_THAT(found.at("shown").get<std::string>(),
             Catch::Contains(place) && Catch::Contains("executing"));
  CHECK(found.at("row") == place);
  CHECK_THAT(found.at("chosen").get<std::string>(),
             Catch::Contains(place + ": " + found.at("count").dump() + " slices"));
  std::map<std::uint64_t, std::uint64_t> busy;
  for (const json& line : record.at("lines")) {
    if (line.at("file").get<std::string>() + ":" + line.at("line").dump() != place)
      continue;
    for (const char* state : {"executing", "aborted", "stalled"})
      busy[line.at("engine")] += line.at(state).get<std::uint64_t>();
  }
  CHECK(!busy.empty());
  CHECK(found.at("busy").size() == busy.size());
  for (const json& line : found.at("busy"))
    CHECK(busy[line.at(0)] == line.at(1));
  CHECK(found.at("marked") == true);
  CHECK(found.at("unmarked") == "");
}

TEST_CASE("an engine whose threads were never in some state is drawn like the others",
          "[html_timeline]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json record = bv1_report().record;
  record.at("activity").erase("engines");  // an older record: engines as their threads
  for (json& thread : record.at("activity").at("threads")) {
    json& states = thread.at("states");
    if (thread.at("engine") != 0)
      continue;
    for (std::size_t i = states.size(); i-- > 0;)
      if (states[i].at("state") == "stalled")
        states.erase(i);
  }
  const Outcome outcome =
      call_nplab({"report", folder.write("r.json", record.dump()), "--html", "-"});
  const json found = probe_page(*browser, outcome.out, R"(
    const {data, area} = timelines.get(document.getElementById('run0-timeline'));
    found.parts = data.rows[0].parts.map(part => part.state);
    found.painted = area !== undefined && area.rowHeight > 0;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("parts") == json{"executing", "aborted"});
  CHECK(found.at("painted") == true);
}

TEST_CASE("a record whose timeline has no ranges and no activity still shows its slices",
          "[html_timeline]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json old = bv1_report().record;
  old.erase("activity");
  for (const char* key : {"ranges", "queues"})
    old.at("timeline").erase(key);
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
