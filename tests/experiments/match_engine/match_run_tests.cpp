// Workloads looked up by the match engine: every verdict against the reference classifier, every
// counter against the packets that were sent.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "experiments/match_engine/bench_page.h"
#include "experiments/match_engine/category_load.h"
#include "experiments/match_engine/match_bench.h"
#include "experiments/match_engine/match_report.h"
#include "experiments/match_engine/match_run.h"
#include "experiments/match_engine/match_trace.h"
#include "experiments/prepare/experiment.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

using experiments::MatchRunOptions;
using experiments::MatchRunResult;

workloads::Workload workload_of(const std::string& rules, const std::string& traffic) {
  experiments::ExperimentOptions options;
  options.rules = rules;
  options.traffic = {traffic};
  Diagnostics diagnostics;
  auto inputs = experiments::read_experiment_inputs("ixp1200", "published", options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(inputs);
  return std::move(inputs->workload);
}

MatchRunOptions options_of(std::uint64_t packets) {
  MatchRunOptions options{.unit = experiments::published_match_unit()};
  options.unit.collisions = isa::match::Collisions::kChain;
  options.traffic.packets = packets;
  options.slot_bits = 16;
  return options;
}

MatchRunResult run(const workloads::Workload& workload, const MatchRunOptions& options) {
  Diagnostics diagnostics;
  const auto result = experiments::run_match_engine(workload, options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(result);
  CHECK(result->answers.misclassified == 0);
  CHECK(result->answers.wrong_updates == 0);
  CHECK(result->inexact_rules == 0);
  CHECK(result->is_right());
  return *result;
}

}  // namespace

TEST_CASE("generated rule sets of every kind are looked up right, and counted exactly", "[match]") {
  for (const char* profile : {"acl", "fw", "ipc"}) {
    INFO(profile);
    const auto workload =
        workload_of(std::string("gen:") + profile + ",count=200", "gen:count=3000,hit=0.8");
    const MatchRunResult result = run(workload, options_of(4'000));
    CHECK(result.answers.packets == 4'000);
    CHECK(result.answers.matched > 2'000);
    CHECK(result.rules == 200);
    CHECK(result.entries >= 200);
    CHECK(result.references_per_packet > 1);
  }
}

TEST_CASE("chains of a table with as few slots as rules change rates and no verdict", "[match]") {
  const auto workload = workload_of("gen:acl,count=200", "gen:count=1000,hit=1.0");
  MatchRunOptions options = options_of(1'000);
  options.slot_bits = 8;
  const MatchRunResult chained = run(workload, options);
  CHECK(chained.chained_entries > 50);
  options.slot_bits = 20;
  const MatchRunResult spread = run(workload, options);
  CHECK(spread.chained_entries == 0);
  CHECK(spread.references_per_packet < chained.references_per_packet);
  CHECK(spread.answers.matched == chained.answers.matched);
}

TEST_CASE("without chains a rule whose place is taken is refused at its line", "[match]") {
  const auto workload = workload_of("gen:acl,count=200", "gen:count=10");
  MatchRunOptions options = options_of(10);
  options.unit.collisions = isa::match::Collisions::kRefuse;
  options.slot_bits = 4;
  Diagnostics diagnostics;
  CHECK_FALSE(experiments::run_match_engine(workload, options, diagnostics));
  CHECK(diagnostics.to_string().find("another rule has its place") != std::string::npos);
}

TEST_CASE("rules come and go while packets are looked up, and nothing is lost or counted twice",
          "[match]") {
  for (const char* profile : {"acl", "fw", "ipc"})
    for (const unsigned percent : {10u, 50u}) {
      INFO(profile << " " << percent);
      const auto workload =
          workload_of(std::string("gen:") + profile + ",count=60", "gen:count=2000,hit=0.9");
      MatchRunOptions options = options_of(6'000);
      options.traffic.update_percent = percent;
      options.unit.cache.lines = percent == 10 ? 64 : 16'384;
      const MatchRunResult result = run(workload, options);
      const auto& answers = result.answers;
      CHECK(answers.packets == 6'000);
      const std::uint64_t updates = answers.inserts + answers.deletes + answers.counter_reads;
      CHECK(updates == Approx(6'000.0 * percent / (100 - percent)).epsilon(0.1));
      CHECK(answers.inserts > 50);
      CHECK(answers.deletes > 50);
      CHECK(answers.counter_reads > 50);
      // Some packets met a rule that came or went meanwhile: the check is not idle.
      CHECK(answers.contested > 0);
    }
}

TEST_CASE("what a match engine has done over time adds up to its run", "[match]") {
  const auto workload = workload_of("gen:acl,count=100", "gen:count=1000");
  const MatchRunResult result = run(workload, options_of(60'000));
  REQUIRE(result.series.size() > 20);
  CHECK(result.series.size() <= 241);
  CHECK(result.series.back().packets <= 60'000);
  for (std::size_t i = 1; i < result.series.size(); ++i) {
    CHECK(result.series[i].cycle - result.series[i - 1].cycle == result.series[0].cycle);
    CHECK(result.series[i].packets >= result.series[i - 1].packets);
  }
}

TEST_CASE("the trace of a match engine has every module, and sessions that pass them", "[match]") {
  const auto workload = workload_of("gen:acl,count=50", "gen:count=500");
  MatchRunOptions options = options_of(500);
  std::ostringstream stream;
  {
    experiments::MatchTrace trace(stream, {0, 400}, options.unit.clock_hz);
    options.cycles = &trace;
    (void)run(workload, options);
  }
  const auto json = nlohmann::json::parse(stream.str());
  std::map<std::string, unsigned> modules;                     // messages of a cycle, by module
  std::map<std::string, double> stays;                         // cycles of sessions, by module
  std::map<std::pair<unsigned, unsigned>, std::string> names;  // of rows, by process and row
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") == "M" && event.at("name") == "thread_name")
      names[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
    if (event.at("ph") != "X")
      continue;
    CHECK(event.at("ts").get<double>() <= 401);
    const std::string& row = names.at({event.at("pid"), event.at("tid")});
    if (event.at("cat") == "message")
      ++modules[row];
    else
      CHECK(row == "tag " + std::to_string(event.at("tid").get<unsigned>()));
    if (event.at("cat") == "session")
      stays[event.at("name")] += event.at("dur").get<double>();
  }
  for (const char* module :
       {"input handler", "hash", "cache", "load queue", "store queue", "memory", "action pipeline"})
    CHECK(modules[module] > 0);
  // A hit takes 5 cycles in the cache and 8 in the action pipeline.
  for (const char* module : {"hash", "cache", "load queue", "action pipeline"})
    CHECK(stays[module] > 100);
  CHECK(stays.count("memory") == 0);
}

TEST_CASE("the page of a match engine's run has its figures, charts and modules", "[match]") {
  const auto workload = workload_of("gen:acl,count=50", "gen:count=500");
  MatchRunOptions options = options_of(30'000);
  options.traffic.update_percent = 20;
  const MatchRunResult result = run(workload, options);
  const std::string page = experiments::match_run_page(result, options);
  for (const char* text : {"every verdict and counter is right", "Rate over time",
                           "Parts over time", "Cache misses over time", "reads of counters",
                           "packets with several answers", "<svg", "action pipeline"})
    CHECK(page.find(text) != std::string::npos);
}

// Graphviz draws on white, which would hide the light texts of a dark page; of a narrow page the
// drawing would be too small to read.
TEST_CASE("the drawing on a match engine's page has the page's ground and scrolls", "[match]") {
  const auto workload = workload_of("gen:acl,count=50", "gen:count=500");
  const MatchRunOptions options = options_of(1'000);
  const std::string page = experiments::match_run_page(run(workload, options), options);
  const auto drawing = page.find("<figure class=\"graph\"");
  REQUIRE(drawing != std::string::npos);
  CHECK(page.find("<div class=\"scroll\"", drawing) < page.find("<svg", drawing));
  CHECK(page.find("<g id=\"graph0\" class=\"graph\"", drawing) != std::string::npos);
  CHECK(page.find("figure.graph svg g.graph > polygon[fill=\"white\"] { fill: none; }") !=
        std::string::npos);
}

TEST_CASE("the tables of every category are passed through as drawn, and counted exactly",
          "[match]") {
  for (experiments::RuleCategory category : experiments::rule_categories()) {
    INFO(category.name);
    category.rules = 300;
    const auto result =
        experiments::run_category(category, experiments::published_match_unit(), 3'000, 1);
    CHECK(result.is_exact);
    CHECK(result.entries >= 300);
    CHECK(result.tables_per_packet > 2);
    CHECK(result.references_per_packet >= result.tables_per_packet);
    // Once the cache holds all entries, nothing is asked of memory; one of a few lines misses most.
    CHECK(result.bursts_per_packet == 0);
    auto small = experiments::published_match_unit();
    small.cache.lines = 16;
    const auto missing = experiments::run_category(category, small, 3'000, 1);
    CHECK(missing.is_exact);
    CHECK(missing.bursts_per_packet > missing.references_per_packet / 2);
  }
}

TEST_CASE("the bench of the match engine has a point per flow and channel, all of them exact",
          "[match]") {
  experiments::MatchBenchOptions options;
  options.flows = {500, 20'000};
  options.channels = {1, 2};
  options.packets = 5'000;
  options.figures = {"flows"};
  Diagnostics diagnostics;
  const auto json =
      experiments::bench_match_engine(options, [](const std::string&, double) {}, diagnostics);
  const auto& points = json.at("figures").at("flows");
  REQUIRE(points.size() == 4);
  for (const auto& point : points)
    CHECK(point.at("exact") == true);
  CHECK(points[0].at("megapackets_per_s").get<double>() == Approx(300).epsilon(0.01));
  CHECK(points[1].at("megapackets_per_s").get<double>() < 200);
  // What the lines moved allow: one look-up per cycle, and the memory's bandwidth.
  CHECK(points[0].at("bound_megarequests_per_s").get<double>() == Approx(300));
  CHECK(points[1].at("megarequests_per_s").get<double>() ==
        Approx(points[1].at("bound_megarequests_per_s").get<double>()).epsilon(0.1));
  CHECK(points[3].at("megapackets_per_s").get<double>() >
        1.5 * points[1].at("megapackets_per_s").get<double>());
  const std::string page = experiments::match_bench_page(json);
  for (const char* text : {"Rate over the number of flows", "1 channel, analytic", "2 channels",
                           "100 Gb/s of 64 bytes", ">148.8<", ">300.0<"}) {
    INFO(text);
    CHECK(page.find(text) != std::string::npos);
  }
  CHECK(page.find("Tuples per lookup") == std::string::npos);
  options.figures = {"flow"};
  CHECK(experiments::bench_match_engine(options, {}, diagnostics).is_null());
  CHECK(diagnostics.to_string() == "flow: error: unknown figure; did you mean 'flows'?\n");
}

TEST_CASE("the page's drawing has the modules and ports that the design has", "[match]") {
  std::ifstream file(source_path("docs/match-engine.svg"));
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  // Statements of DOT, `"a" -> "b" [label="..."];`, are the titles `a&#45;&gt;b` of the SVG.
  std::map<std::string, int> drawn, designed;
  const std::regex title("<title>([^<]*)</title>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), title), end; at != end; ++at)
    ++drawn[std::regex_replace((*at)[1].str(), std::regex("&#45;&gt;"), "->")];
  std::istringstream lines(experiments::match_engine_drawing());
  const std::regex edge(R"re(^\s*"([^"]*)" -> "([^"]*)")re"), node(R"re(^\s*"([^"]*)" \[)re");
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, edge))
      ++designed[found[1].str() + "->" + found[2].str()];
    else if (std::regex_search(line, found, node))
      ++designed[found[1]];
  }
  drawn.erase("match_engine");
  CHECK(designed.size() > 7);
  CHECK(drawn == designed);
}

}  // namespace nplab::test
