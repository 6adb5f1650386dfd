// What nplab writes, read by programs that know nothing of it: Python's readers, Graphviz, man.
// tcpdump reads captures in capture_tests.cpp, GTKWave's reader waveforms in trace_tests.cpp.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using nlohmann::json;

namespace {

bool has_program(const std::string& name) {
  return run_program("sh", {"-c", "command -v " + name}).status == 0;
}

#define REQUIRE_PROGRAM(name)                           \
  if (!has_program(name)) {                             \
    WARN("skipped: " << (name) << " is not installed"); \
    return;                                             \
  }

// What a Python script prints of a file, as JSON.
json read_by_python(const std::string& script, const std::string& file) {
  const Outcome outcome = run_program("python3", {"-c", script, file});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

// A run with every file that it writes.
struct WrittenRun {
  ScratchFolder folder;
  json record;

  WrittenRun() {
    const Outcome outcome =
        call_nplab({"run", "bv1", "--packets", "100", "--quiet", "--json", folder.file("r.json"),
                    "--csv", folder.file("r.csv"), "--html", folder.file("r.html")});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    record = read_json(folder.file("r.json"));
  }
};

const WrittenRun& written_run() {
  static const WrittenRun run;
  return run;
}

}  // namespace

TEST_CASE(
    "Python's CSV reader finds a row of six fields a figure, and the record's figures in them",
    "[format]") {
  REQUIRE_PROGRAM("python3");
  const json rows = read_by_python(
      "import csv, json, sys\n"
      "print(json.dumps(list(csv.reader(open(sys.argv[1], newline='')))))",
      written_run().folder.file("r.csv"));
  CHECK(rows.at(0) == json{"table", "run", "row", "column", "value", "unit"});
  std::size_t found = 0;
  for (const json& row : rows) {
    REQUIRE(row.size() == 6);
    if (row.at(0) != "overall" || row.at(2) != "transmit_rate")
      continue;
    ++found;
    CHECK(std::stod(row.at(4).get<std::string>()) ==
          written_run().record.at("rates_mbps").at("transmit"));
    CHECK(row.at(5) == "Mb/s");
  }
  CHECK(found == 1);
}

TEST_CASE("Python's JSON reader, told to refuse what JSON does not have, takes record and trace",
          "[format]") {
  REQUIRE_PROGRAM("python3");
  const std::string strict =
      "import json, sys\n"
      "def pairs(items):\n"
      "  assert len(dict(items)) == len(items), 'a key twice'\n"
      "  return dict(items)\n"
      "def refuse(text): raise ValueError(text)\n"
      "value = json.load(open(sys.argv[1]), object_pairs_hook=pairs, parse_constant=refuse)\n";
  const WrittenRun& run = written_run();
  const std::string print_cycles = strict + "print(json.dumps(value['cycles']))";
  CHECK(read_by_python(print_cycles, run.folder.file("r.json")) == run.record.at("cycles"));
  const ScratchFolder folder;
  const Words traced{"run", "bv1", "--packets", "100", "--quiet", "--trace-cycles", "5000-5999"};
  REQUIRE(call_nplab(traced + Words{"--trace", folder.file("t.json")}).status == 0);
  // The viewers want slices of a row to nest, arcs to end and every event to have its keys.
  const json seen = read_by_python(strict + R"(
open_arcs, rows, ends = {}, {}, 0
for event in value['traceEvents']:
  assert {'ph', 'pid', 'name'} <= event.keys(), event
  if event['ph'] == 'b': open_arcs[event['cat'], event['id']] = event['ts']
  if event['ph'] == 'e':
    assert event['ts'] >= open_arcs.pop((event['cat'], event['id']))
    ends += 1
  if event['ph'] == 'X': rows.setdefault((event['pid'], event['tid']), []).append((event['ts'], -event['dur']))
for slices in rows.values():
  stack = []
  for begin, length in sorted(slices):
    while stack and stack[-1] <= begin: stack.pop()
    assert not stack or begin - length <= stack[-1], 'slices of a row cross'
    stack.append(begin - length)
print(json.dumps({'rows': len(rows), 'slices': sum(map(len, rows.values())), 'arcs': ends, 'open': len(open_arcs)}))
)",
                                   folder.file("t.json"));
  CHECK(seen.at("rows") == 24);
  CHECK(seen.at("slices") > 1000);
  CHECK(seen.at("arcs") > 50);
  CHECK(seen.at("open") == 0);
}

TEST_CASE("the HTML page's tags nest and its ids are unique, as Python's HTML reader sees them",
          "[format]") {
  REQUIRE_PROGRAM("python3");
  const json seen = read_by_python(R"(
import html.parser, json, sys
class Reader(html.parser.HTMLParser):
  void = {'meta', 'br', 'img', 'input', 'hr', 'link'}
  def __init__(self):
    super().__init__()
    self.stack, self.wrong, self.ids, self.tables = [], [], [], 0
  def handle_starttag(self, tag, attributes):
    self.ids += [value for name, value in attributes if name == 'id']
    self.tables += tag == 'table'
    if tag not in self.void: self.stack.append(tag)
  def handle_startendtag(self, tag, attributes): pass
  def handle_endtag(self, tag):
    if not self.stack or self.stack.pop() != tag: self.wrong.append([tag, self.getpos()])
reader = Reader()
reader.feed(open(sys.argv[1]).read())
print(json.dumps({'wrong': reader.wrong[:5], 'open': reader.stack, 'tables': reader.tables,
                  'twice': sorted({one for one in reader.ids if reader.ids.count(one) > 1})[:5]}))
)",
                                   written_run().folder.file("r.html"));
  CHECK(seen.at("wrong") == json::array());
  CHECK(seen.at("open") == json::array());
  CHECK(seen.at("twice") == json::array());
  CHECK(seen.at("tables") > 20);
}

TEST_CASE("Graphviz makes SVG of the stage graphs, with a node a stage and an edge a queue",
          "[format]") {
  REQUIRE_PROGRAM("dot");
  REQUIRE_PROGRAM("python3");
  const ScratchFolder folder;
  const std::string shown = folder.write("show.dot", call_nplab({"show", "bv1", "--dot"}).out);
  const std::string run = folder.file("run.dot");
  REQUIRE(call_nplab({"report", written_run().folder.file("r.json"), "--dot", run}).status == 0);
  for (const std::string& graph : {shown, run}) {
    INFO(graph);
    REQUIRE(run_program("dot", {"-Tsvg", "-o", graph + ".svg", graph}).status == 0);
    const json kinds = read_by_python(
        "import collections, json, sys, xml.etree.ElementTree as tree\n"
        "groups = tree.parse(sys.argv[1]).iter('{http://www.w3.org/2000/svg}g')\n"
        "kinds = collections.Counter(group.get('class') for group in groups)\n"
        "print(json.dumps(kinds))",
        graph + ".svg");
    CHECK(kinds.at("node") == written_run().record.at("stages").size());
    CHECK(kinds.at("edge") == written_run().record.at("queues").size());
  }
}

TEST_CASE("collapsed stacks are what flame-graph programs read: frames, a space, a count",
          "[format]") {
  REQUIRE_PROGRAM("python3");
  const ScratchFolder folder;
  const Outcome annotated =
      call_nplab({"annotate", written_run().folder.file("r.json"), "--stacks"});
  const std::string stacks = folder.write("r.stacks", annotated.out);
  // The grammar of flamegraph.pl: /^(.*)\s+?(\d+(?:\.\d*)?)$/ with frames between semicolons.
  const json seen = read_by_python(R"(
import json, re, sys
lines = open(sys.argv[1]).read().splitlines()
parts = [re.fullmatch(r'(.*)\s+?(\d+(?:\.\d*)?)', line) for line in lines]
frames = [part[1].split(';') for part in parts if part]
print(json.dumps({'lines': len(lines), 'read': len(frames), 'empty': sum('' in one for one in frames),
                  'twice': len(frames) - len(set(map(tuple, frames))),
                  'sum': sum(int(part[2]) for part in parts if part)}))
)",
                                   stacks);
  CHECK(seen.at("lines") > 100);
  CHECK(seen.at("read") == seen.at("lines"));
  CHECK(seen.at("empty") == 0);
  CHECK(seen.at("twice") == 0);
  CHECK(seen.at("sum") == 6 * written_run().record.at("cycles").at("core").get<std::uint64_t>());
}

TEST_CASE("the manual page has every command and option, and man finds nothing wrong with it",
          "[format]") {
  const Outcome page = call_nplab({"man"});
  REQUIRE(page.status == 0);
  REQUIRE_PROGRAM("man");
  const ScratchFolder folder;
  const Outcome shown =
      run_program("man", {"--warnings", "-E", "UTF-8", "-l", folder.write("nplab.1", page.out)});
  CHECK(shown.status == 0);
  CHECK(shown.err == "");
  for (const char* said :
       {"NPLAB(1)", "a laboratory for network-processor programs", "   run\n",
        "   bench compiler\n", "--timeline A-B", "--trace FILE", "Exit status: 0 done"}) {
    INFO(said);
    CHECK_THAT(shown.out, Catch::Contains(said));
  }
  for (const std::string command :
       {"run",     "compare", "check", "show",    "list",    "report",     "annotate", "diff",
        "explain", "lab",     "cc",    "as",      "objdump", "exec",       "new",      "study",
        "bench",   "soak",    "rules", "traffic", "test",    "completion", "man"}) {
    INFO(command);
    CHECK_THAT(shown.out, Catch::Contains("\n   " + command + "\n"));
    const Outcome help = call_nplab({command, "--help"});
    CHECK(help.status == 0);
    CHECK_THAT(help.out, !Catch::Contains("Start with"));  // that is the first page's
  }
  CHECK_THAT(call_nplab({"--help"}).out, Catch::Contains("Start with"));
}
