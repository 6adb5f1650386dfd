// Charts and tables of the HTML report: the heat of the timeline, colours, ticks, sorting and
// saving.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/support/html_page.h"

using namespace nplab::tools::testing;
using nlohmann::json;

TEST_CASE("from far, the timeline's rows are shaded by useful use, not stacked", "[html_chart]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const figure = document.getElementById('run0-timeline');
    const view = timelines.get(figure), {data, area} = view;
    found.useful = {};
    for (const row of data.rows.filter(one => one.kind === 'engine'))
      found.useful[row.engine] = row.parts.find(({state}) => state === row.hot).levels[0];
    found.states = [...new Set(data.rows.map(row => `${row.kind} ${row.hot}`))].sort();
    // The colour in the middle of an interval, at the top and at the bottom of its row.
    const number = data.rows.findIndex(row => row.label === 'engine 1');
    const row = data.rows[number], level = data.levelFor(row, 1 / area.scale);
    const canvas = view.picture(area), pixels = canvas.getContext('2d');
    const [top, height] = view.rowPlace(number, area);
    const hex = (x, y) => '#' + [...pixels.getImageData(x, y, 1, 1).data].slice(0, 3)
                                    .map(part => part.toString(16).padStart(2, '0')).join('');
    found.shades = [];
    for (const i of [1, 2, 3]) {
      const {from, to} = data.intervalAt(row, level, i);
      const x = ((from + to) / 2 - area.from) * area.scale;
      const shades = heatShades('engine');
      found.shades.push([hex(x, top + 2), hex(x, top + height - 2),
                         shades[Math.round(data.heatAt(row, level, i) * (shades.length - 1))]]);
    }
    found.legend = figure.querySelector('.legend.heat').textContent;
  )");
  CHECK(found.at("errors") == json::array());
  for (const json& engine : record.at("engines")) {
    std::uint64_t sum = 0;
    for (const json& cycles : found.at("useful").at(engine.at("id").dump()))
      sum += cycles.get<std::uint64_t>();
    CHECK(sum == engine.at("work_cycles").at("useful"));
  }
  CHECK(found.at("states") ==
        json{"bus active", "engine useful", "queue entries", "thread executing"});
  for (const json& shades : found.at("shades")) {
    CHECK(shades.at(0) == shades.at(2));
    CHECK(shades.at(1) == shades.at(2));
  }
  CHECK_THAT(found.at("legend").get<std::string>(), Catch::Contains("engines: useful"));
}

TEST_CASE("no two causes of a chart look alike", "[html_chart]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const looks = id => charts.get(document.getElementById(id)).getOption().series
                            .map(({color, itemStyle}) => `${color} ${itemStyle.decal ? 'hatched' : 'plain'}`);
    found.causes = looks('run0-engine_causes');
    found.threads = looks('run0-thread_states');
    // Two colours that stand side by side differ in some channel by a fifth.
    const apart = (a, b) => Math.max(...channels(a).map((part, i) => Math.abs(part - channels(b)[i])));
    found.nearest = 255;
    const plain = charts.get(document.getElementById('run0-engine_causes')).getOption().series;
    for (let i = 1; i < plain.length; ++i)
      if (!plain[i].itemStyle.decal === !plain[i - 1].itemStyle.decal)
        found.nearest = Math.min(found.nearest, apart(plain[i].color, plain[i - 1].color));
  )");
  CHECK(found.at("errors") == json::array());
  for (const char* chart : {"causes", "threads"}) {
    auto looks = found.at(chart).get<std::vector<std::string>>();
    REQUIRE(looks.size() > 6);
    std::sort(looks.begin(), looks.end());
    CHECK(std::adjacent_find(looks.begin(), looks.end()) == looks.end());
  }
  CHECK(found.at("nearest").get<int>() > 255 / 5);
}

TEST_CASE("axes over time are labelled at round cycles, also when zoomed", "[html_chart]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const labels = chart => {
      const {axis} = chart.getModel().getComponent('xAxis');
      return axis.getViewLabels().map(label => label.formattedLabel).filter(label => label !== '').map(figureIn);
    };
    const lines = document.getElementById('run0-memory_over_time');
    const timeline = document.getElementById('run0-timeline');
    found.labels = [];
    for (const figure of [lines, timeline]) {
      found.labels.push(labels(charts.get(figure)));
      charts.get(figure).dispatchAction({type: 'dataZoom', startValue: 50123, endValue: 50987});
      found.labels.push(labels(charts.get(figure)));
    }
  )");
  CHECK(found.at("errors") == json::array());
  for (std::size_t chart = 0; chart < 4; ++chart) {
    const std::uint64_t unit = chart % 2 == 0 ? 1000 : 10;
    std::size_t shown = 0;
    for (const json& label : found.at("labels").at(chart)) {
      ++shown;
      INFO(label.dump());
      CHECK(label.get<std::uint64_t>() % unit == 0);
    }
    CHECK(shown >= 3);
  }
}

TEST_CASE("a table sorts by a click or a key on a column's head, and says so", "[html_chart]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    const table = document.querySelector('#run0 > .tables table[data-table=engines]');
    const head = table.querySelector('th[data-c=instructions]');
    const button = head.querySelector('button.sort');
    const rows = () => [...table.tBodies[0].rows].map(row => row.dataset.r);
    const figures = () => [...table.tBodies[0].rows].map(row => Number(row.cells[head.cellIndex].dataset.v));
    found.came = rows();
    found.orders = [head.getAttribute('aria-sort')];
    button.click();
    found.orders.push(head.getAttribute('aria-sort'));
    found.falling = figures();
    button.click();
    found.orders.push(head.getAttribute('aria-sort'));
    found.rising = figures();
    button.click();
    found.orders.push(head.getAttribute('aria-sort'));
    found.again = rows();
    table.tHead.querySelector('button.sort').click();
    found.others = [...table.tHead.rows[0].cells].map(cell => cell.getAttribute('aria-sort'));
    found.focusable = button.tabIndex;
    // Rows of one unit stay together.
    const overall = document.querySelector('table[data-table=overall]');
    overall.querySelector('th[data-c] button.sort').click();
    found.units = [...overall.tBodies[0].rows].map(row => row.cells[2].textContent);
    // Instructions that are shown below a row do not get lost.
    const hottest = document.querySelector('table.hottest');
    hottest.querySelector('button.words').click();
    [...hottest.tHead.querySelectorAll('button.sort')].at(1).click();
    found.words = hottest.querySelectorAll('tr.words').length;
    found.unsortable = [...document.querySelectorAll('main table')]
                           .filter(one => one.tBodies[0].rows.length > 1 && !one.querySelector('th[aria-sort]')).length;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("orders") == json{"none", "descending", "ascending", "none"});
  const auto falling = found.at("falling").get<std::vector<double>>();
  auto rising = falling;
  CHECK(std::is_sorted(falling.rbegin(), falling.rend()));
  CHECK(falling.front() > falling.back());
  std::reverse(rising.begin(), rising.end());
  CHECK(found.at("rising").get<std::vector<double>>() == rising);
  CHECK(found.at("again") == found.at("came"));
  CHECK(found.at("others").at(0) == "ascending");
  CHECK(std::count(found.at("others").begin(), found.at("others").end(), "none") + 1 ==
        static_cast<std::ptrdiff_t>(found.at("others").size()));
  CHECK(found.at("focusable") == 0);
  auto units = found.at("units").get<std::vector<std::string>>();
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::sort(units.begin(), units.end());
  CHECK(std::adjacent_find(units.begin(), units.end()) == units.end());
  CHECK(found.at("words") == 0);
  CHECK(found.at("unsortable") == 0);
}

TEST_CASE("every chart is saved as PNG, SVG and CSV, by its menu and without a network",
          "[html_chart]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    found.saved = {};
    const blobs = [];
    saveBlob = (blob, name) => blobs.push([blob, name]);
    const figures = [...document.querySelectorAll('main figure')];
    found.figures = figures.length;
    // An image of the graph is loaded for its PNG, for which this browser's clock does not wait.
    for (const figure of figures)
      for (const kind of charts.has(figure) ? ['PNG', 'SVG', 'CSV'] : ['SVG', 'CSV'])
        await saveFigure(figure, kind);
    // What a blob holds is read from what it is made of: this browser's clock does not wait for blobs.
    const contents = {png: figure => atob(chartUrl(figure, 'png').split(',')[1]), svg: figureSvg, csv: figureCsv};
    for (const [blob, name] of blobs) {
      const [id, kind] = name.replace('nplab-bv1-', '').split('.');
      const content = contents[kind](document.getElementById(id));
      found.saved[name] = [blob.type, blob.size, content.slice(0, 4000)];
    }
    const menu = figures[0].querySelector('details.save');
    menu.open = true;
    found.offered = [...menu.querySelectorAll('button')].map(button => button.textContent);
    menu.querySelector('button:last-child').click();
    await wait(10);
    found.clicked = blobs.at(-1)[1];
    found.closed = !menu.open;
    menu.open = true;
    menu.querySelector('button').dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
    found.escaped = !menu.open;
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("loaded") == json::array());
  const json& saved = found.at("saved");
  const std::size_t figures = found.at("figures");
  CHECK(figures == 12);  // ten charts, the stage graph and the timeline
  CHECK(saved.size() == 3 * figures - 1);
  for (const auto& [name, file] : saved.items()) {
    INFO(name);
    CHECK_THAT(name, Catch::StartsWith("nplab-bv1-"));
    const std::string text = file.at(2);
    if (name.ends_with(".png")) {
      CHECK(file.at(0) == "image/png");
      CHECK_THAT(text, Catch::Contains("PNG") && Catch::Contains("IHDR"));
      CHECK(file.at(1) > 2000);
    } else if (name.ends_with(".svg")) {
      CHECK_THAT(text, Catch::StartsWith("<svg"));
    } else {
      CHECK(name.ends_with(".csv"));
      CHECK(std::count(text.begin(), text.end(), '\n') >= 2);
    }
  }
  const std::string rates = saved.at("nplab-bv1-all-rates.csv").at(2);
  CHECK(rates == ",bv1 (Mb/s)\r\nreceive," + record["rates_mbps"]["receive"].dump() +
                     "\r\ntransmit," + record["rates_mbps"]["transmit"].dump() + "\r\n");
  CHECK_THAT(saved.at("nplab-bv1-run0-timeline.csv").at(2).get<std::string>(),
             Catch::StartsWith("row,from cycle,to cycle,state,cycles or entries,source line\r\n"
                               "engine 0,0,"));
  CHECK(found.at("offered") == json{"PNG", "SVG", "CSV"});
  CHECK(found.at("clicked") == "nplab-bv1-run0-resources.csv");
  CHECK(found.at("closed") == true);
  CHECK(found.at("escaped") == true);
}

TEST_CASE(
    "at 1280 pixels no table is wider than the page, at 390 the page does not scroll sideways",
    "[html_chart]") {
  REQUIRE_BROWSER();
  const json found = probe_page(*browser, bv1_report().html, R"(
    for (const details of document.querySelectorAll('details')) details.open = true;
    document.body.style.width = '1280px';
    await wait(300);
    found.wide = [...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1)
                     .map(one => `${one.getAttribute('aria-label')} ${one.scrollWidth} ${one.clientWidth}`);
    document.body.style.width = '390px';
    await wait(300);
    found.narrow = [...document.querySelectorAll('main > section, figure, .tables')]
                       .filter(one => one.getBoundingClientRect().right > 391).map(one => one.id || one.className);
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("wide") == json::array());
  CHECK(found.at("narrow") == json::array());
}
