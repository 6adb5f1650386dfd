// Annotated source in the HTML report: what each line costs, by cause, and the instructions behind
// it.
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "tests/tools/support/html_page.h"

using namespace nplab::tools::testing;
using nlohmann::json;

TEST_CASE("annotated source adds up to the engine that is chosen, and a link opens the line",
          "[html_source]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const sources = document.querySelector('.sources');
    const sum = column => [...sources.querySelectorAll('details tr[data-p]')].reduce(
        (all, row) => all + figureIn(row.querySelectorAll('td.n')[column].textContent), 0);
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
  for (const json& engine : record.at("engines"))
    executing += engine.at("cycles").at("executing").get<std::uint64_t>();
  CHECK(found.at("executing") == executing);
  const json& one = record.at("engines").at(1).at("cycles");
  CHECK(found.at("one") == json{one.at("executing"), one.at("aborted"), one.at("stalled")});
  CHECK(found.at("before") == false);
  CHECK(found.at("after") == true);
}

TEST_CASE(
    "source lines show what they stalled on, waited for and referred to, of all engines or of one",
    "[html_source]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const sources = document.querySelector('.sources');
    // Of each kind of column the counts by name, over all lines.
    const sums = () => [0, 1, 2, 3].map(column => {
      const sum = {};
      for (const row of sources.querySelectorAll('details tr[data-p]')) {
        const text = row.querySelectorAll('td.causes')[column].textContent;
        for (const part of text === '' ? [] : text.split(', ')) {
          const [name, count] = part.split(' ');
          sum[name] = (sum[name] ?? 0) + figureIn(count);
        }
      }
      return sum;
    });
    found.all = sums();
    const select = sources.querySelector('.engine-choice');
    select.value = '5';
    select.dispatchEvent(new Event('change'));
    found.one = sums();
  )");
  CHECK(found.at("errors") == json::array());
  const auto expected = [&record = record](std::optional<std::uint64_t> engine) {
    json sums = json::array();
    for (const char* kind : {"stalled_on", "waiting_on", "references", "longwords"}) {
      std::map<std::string, std::uint64_t> sum;
      for (const json& line : record.at("lines")) {
        if ((engine && line.at("engine") != *engine) || !line.contains(kind))
          continue;
        for (const auto& [name, count] : line.at(kind).items())
          sum[name] += count.get<std::uint64_t>();
      }
      CHECK(!sum.empty());
      sums.push_back(sum);
    }
    return sums;
  };
  CHECK(found.at("all") == expected(std::nullopt));
  CHECK(found.at("one") == expected(5));
  CHECK(found.at("all") != found.at("one"));
}

TEST_CASE(
    "the number of a line's words shows its instructions with their costs, and hides them again",
    "[html_source]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const sources = document.querySelector('.sources');
    const words = new Set();  // engine.word: each follows one line
    found.sums = [0, 0, 0, 0, 0, 0];
    found.lengths = true;
    for (const button of sources.querySelectorAll('details button.words')) {
      button.click();
      const shown = button.closest('tr').nextElementSibling;
      const rows = [...shown.querySelector('table.words').tBodies[0].rows];
      found.lengths = found.lengths && rows.length === Number(button.textContent);
      for (const row of rows) {
        words.add(`${row.cells[0].textContent}.${row.cells[1].textContent}`);
        found.sums.forEach((sum, i) => { found.sums[i] = sum + figureIn(row.cells[3 + i].textContent); });
      }
    }
    found.words = words.size;
    const button = sources.querySelector('details tr[data-p$="lookup.c:39"] button.words');
    const table = button.closest('tr').nextElementSibling.querySelector('table');
    found.heads = [...table.tHead.rows[0].cells].map(cell => cell.firstChild.textContent.trim());
    found.explained = table.tHead.querySelectorAll('button.why').length;
    found.text = table.textContent;
    found.expanded = button.getAttribute('aria-expanded');
    for (const open of document.querySelectorAll('button.words[aria-expanded=true]')) open.click();
    found.left = document.querySelectorAll('tr.words').length;
  )");
  CHECK(found.at("errors") == json::array());
  std::uint64_t words = 0;
  json sums = json::array();
  for (const char* column :
       {"executing", "aborted", "stalled", "waiting", "references", "longwords"}) {
    std::uint64_t sum = 0;
    for (const json& program : record.at("programs")) {
      std::istringstream entries(program.at(column).get<std::string>());
      for (std::uint64_t entry = 0; entries >> entry;)
        sum += entry;
    }
    sums.push_back(sum);
  }
  for (const json& program : record.at("programs"))
    words += program.at("assembly").size();
  CHECK(found.at("words") == words);
  CHECK(found.at("sums") == sums);
  CHECK(found.at("lengths") == true);
  CHECK(found.at("heads") == json{"engine", "word", "instruction", "executing", "aborted",
                                  "stalled", "waiting", "references", "longwords", "next"});
  CHECK(found.at("explained") == found.at("heads").size());
  CHECK_THAT(found.at("text").get<std::string>(), Catch::Contains("br_bset"));
  CHECK(found.at("expanded") == "true");
  CHECK(found.at("left") == 0);
}

TEST_CASE("the costliest lines of an engine are its own, the costliest first", "[html_source]") {
  REQUIRE_BROWSER();
  const auto& [record, html] = bv1_report();
  const json found = probe_page(*browser, html, R"(
    const table = document.querySelector('.sources table.hottest');
    const listed = () => [...table.tBodies[0].rows].map(row => {
      const figures = [...row.querySelectorAll('td.n')].map(cell => figureIn(cell.textContent));
      return [row.dataset.p, figures[0] + figures[1] + figures[2]];
    });
    const select = document.querySelector('.engine-choice');
    const choose = engine => {
      select.value = engine;
      select.dispatchEvent(new Event('change'));
      return listed();
    };
    found.all = listed();
    found.transmit = choose('5');
    table.querySelector('button.words').click();
    found.words = table.querySelectorAll('tr.words').length;
    found.again = choose('');
  )");
  CHECK(found.at("errors") == json::array());
  std::map<std::string, std::uint64_t> busy;
  for (const json& line : record.at("lines")) {
    if (line.at("engine") != 5)
      continue;
    for (const char* state : {"executing", "aborted", "stalled"})
      busy[line.at("file").get<std::string>() + ":" + line.at("line").dump()] +=
          line.at(state).get<std::uint64_t>();
  }
  const json& transmit = found.at("transmit");
  REQUIRE(transmit.size() == 25);
  for (std::size_t i = 0; i < transmit.size(); ++i) {
    CHECK(transmit[i].at(1) == busy.at(transmit[i].at(0)));
    if (i > 0)
      CHECK(transmit[i].at(1) <= transmit[i - 1].at(1));
  }
  CHECK(found.at("words") == 1);
  CHECK(found.at("all") == found.at("again"));
}

TEST_CASE(
    "an older record, whose lines and programs tell no causes, is annotated as far as it goes",
    "[html_source]") {
  REQUIRE_BROWSER();
  const ScratchFolder folder;
  json old = bv1_report().record;
  old.erase("programs");
  for (json& line : old.at("lines"))
    for (const char* key : {"stalled_on", "waiting_on", "references", "longwords"})
      line.erase(key);
  for (json& engine : old.at("engines")) {
    engine.erase("stalled_on");
    for (json& thread : engine.at("threads"))
      for (const char* key : {"waiting_on", "idle"})
        thread.erase(key);
  }
  const Outcome outcome = call_nplab({"report", folder.write("r.json", old.dump()), "--html", "-"});
  REQUIRE(outcome.status == 0);
  const json found = probe_page(*browser, outcome.out, R"(
    const select = document.querySelector('.engine-choice');
    select.value = '1';
    select.dispatchEvent(new Event('change'));
    found.buttons = document.querySelectorAll('button.words').length;
    found.causes = [...document.querySelectorAll('td.causes')].filter(cell => cell.textContent !== '').length;
    const series = charts.get(document.getElementById('run0-engine_causes')).getOption().series;
    found.idle = series.find(one => one.name === 'idle').data[1];
  )");
  CHECK(found.at("errors") == json::array());
  CHECK(found.at("buttons") == 0);
  CHECK(found.at("causes") == 0);
  CHECK(found.at("idle") == old.at("engines").at(1).at("cycles").at("idle"));
}
