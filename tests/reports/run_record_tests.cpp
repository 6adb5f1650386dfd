#include "reports/record/run_record.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "sample_records.h"

namespace nplab::reports {
namespace {

RunRecord full_record() {
  RunRecord record = sample_record();
  record.lines = {{0, "rcv.c", 12, true, 600, 200, 50, 600},
                  {1, "<generated>", 0, false, 250, 0, 0, 500}};
  record.packets.no_match_dropped = 0;
  record.packets.dropped_other = {{"no_buffer", 2}, {"bad_length", 1}};
  record.failure =
      Failure{"deadlock", "no progress for 100000 cycles", {"engine 0 thread 1 waits for sram"}};
  record.sources = {{"rcv.c", "int main(void) { return 0; }\n"}};
  record.stages = {{"rcv", "receive", {{0, 0}, {0, 1}}, {}, ""},
                   {"look", "tasks", {{1, 0}}, {"lookup[0]"}, "own.c"}};
  record.memory_map = {{"sram", "table rules", 8, 4096}};
  record.latency_histogram = {{96, 103, 4}, {144, 151, 2}};
  record.samples = {256,
                    {1, 10},
                    {0, 6},
                    {1, 1},
                    {{100, 400}, {3, 9}},
                    {{5, 6}, {1, 4}},
                    {{0, 0}, {0, 0}},
                    {{"found", {2, 0}}},
                    {64, 640},
                    {0, 384}};
  record.steady = Steady{512, true, {1.5, 2.5}, {1, 2, 3, 4, 5}};
  record.throughput = Throughput{200, 0.1, 1, {{400, 3.5, 0.5, false}, {200, 0, 0, true}}};
  record.inputs.updates = Input{"gen:rate=max", "ee"};
  record.updates = Updates{9, 5, 3, 100, 102, 1000, 9000, 0.5, 40, 90, 2, 700, {12.5, 80, 100}, 4};
  record.timeline = Timeline{10,
                             20,
                             {"executing", "waiting sram"},
                             {"rcv.c:12", ""},
                             {{0, 1, {10, 14}, {0, 1}, {0, 1}}},
                             {{10, 12}, {15, 20}},
                             {{"sram.bus", 1, {11}, {1}}}};
  record.activity = Activity{64,
                             {{0, 1, {{"executing", {{5, 5, 0}}}}}},
                             {{"sram", {{1}}, {{2}}}},
                             {{"sram.read_queue", 8, {{3}}}},
                             128,
                             {{0, "rcv.c:12", {{1}}, {{2}}, {{3}}, {{4}}}}};
  record.seed = 18446744073709551615u;
  record.rates_mbps.receive = 1.0 / 3;
  return record;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string errors_of(const std::string& text) {
  Diagnostics diagnostics;
  CHECK(read_records(text, "run.json", diagnostics).empty());
  return diagnostics.to_string();
}

// The keys of the outermost object, in the order of the text.
std::vector<std::string> top_keys(const std::string& json) {
  std::vector<std::string> keys;
  std::istringstream lines(json);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  \""))
      keys.push_back(line.substr(3, line.find('"', 3) - 3));
  }
  return keys;
}

}  // namespace

TEST_CASE("A record read back from its own text is the same record") {
  Diagnostics diagnostics;
  const RunRecord record = full_record();
  const auto read = from_json(to_json(record), "run.json", diagnostics);
  CHECK(diagnostics.to_string() == "");
  REQUIRE(read);
  CHECK(*read == record);
}

TEST_CASE("Equal records give identical text, and so does a record that was read back") {
  Diagnostics diagnostics;
  const std::string text = to_json(full_record());
  CHECK(to_json(full_record()) == text);
  CHECK(to_json(from_json(text, "run.json", diagnostics).value()) == text);
}

TEST_CASE("The outermost keys are the schema's in its order, then the additions") {
  CHECK(top_keys(to_json(full_record())) == std::vector<std::string>{"schema",
                                                                     "tool",
                                                                     "inputs",
                                                                     "seed",
                                                                     "options",
                                                                     "cycles",
                                                                     "simulated_seconds",
                                                                     "ports",
                                                                     "packets",
                                                                     "rates_mbps",
                                                                     "latency_cycles",
                                                                     "memory",
                                                                     "engines",
                                                                     "lines",
                                                                     "host",
                                                                     "clocks",
                                                                     "first_start_cycle",
                                                                     "queues",
                                                                     "stages",
                                                                     "memory_map",
                                                                     "latency_histogram",
                                                                     "samples",
                                                                     "steady",
                                                                     "throughput",
                                                                     "timeline",
                                                                     "activity",
                                                                     "tables",
                                                                     "updates",
                                                                     "built",
                                                                     "programs",
                                                                     "sources",
                                                                     "workload",
                                                                     "mode",
                                                                     "window_cycles",
                                                                     "state_hash",
                                                                     "failure",
                                                                     "classification_histogram"});
}

TEST_CASE("Counts are whole numbers in the text, up to 64 bits") {
  const std::string text = to_json(full_record());
  CHECK(text.find("\"seed\": 18446744073709551615,\n") != std::string::npos);
  CHECK(text.find("\"executing\": 600,\n") != std::string::npos);
}

TEST_CASE("The reproducible text does not depend on the host and on nothing else is silent") {
  RunRecord slower = sample_record();
  slower.host = {9, 8, 7, 6};
  CHECK(to_json(slower) != to_json(sample_record()));
  CHECK(reproducible_json(slower) == reproducible_json(sample_record()));
  slower.state_hash = "01";
  CHECK(reproducible_json(slower) != reproducible_json(sample_record()));
}

TEST_CASE("A run without a failure has no failure key") {
  CHECK(to_json(sample_record()).find("\"failure\"") == std::string::npos);
}

TEST_CASE("A name that is not UTF-8 still gives a record that can be read") {
  RunRecord record = sample_record();
  record.inputs.rules.name =
      "b\xFC"
      "cher.rules";
  Diagnostics diagnostics;
  CHECK(from_json(to_json(record), "run.json", diagnostics));
}

TEST_CASE("A syntax error is reported at its line and column") {
  CHECK(errors_of("{\n  \"schema\": nplab\n}") ==
        "run.json:2:14: error: is not JSON; expected a run record, as `--json` writes it\n");
  CHECK(errors_of("") ==
        "run.json:1:1: error: is not JSON; expected a run record, as `--json` writes it\n");
}

TEST_CASE("Another schema is refused, naming the one that is read") {
  CHECK(errors_of("{\"schema\": \"nplab.run/9\"}") ==
        "run.json:1:12: error: schema: expected the schema 'nplab.run/1', found 'nplab.run/9'\n");
  CHECK(errors_of("{\"schema\": 1}") ==
        "run.json:1:12: error: schema: expected the schema 'nplab.run/1', found '1'\n");
  CHECK(errors_of("{}") ==
        "run.json:1:1: error: the record: expected the schema 'nplab.run/1', found 'none'\n");
  CHECK(errors_of("[]") ==
        "run.json:1:1: error: the record: expected the schema 'nplab.run/1', found 'none'\n");
}

TEST_CASE("Missing and ill-typed keys are all reported, each with its path and line") {
  std::string text = to_json(sample_record());
  text = replaced(text, "    \"core\": 1000,\n", "");
  text = replaced(text, "\"received\": 4,", "\"received\": -4,");
  text = replaced(text, "\"queue_peak\": 1,", "\"queue_peak\": 1.5,");
  text = replaced(text, "\"role\": \"xmit\"", "\"role\": [1]");
  text = replaced(text, "\"fbi\": 500", "\"fbi\": \"500\"");
  text = replaced(text, "\"drain\": false", "\"drain\": 0");
  CHECK(errors_of(text) ==
        "run.json:32:14: error: options.drain: expected true or false, found 0\n"
        "run.json:41:13: error: cycles: lacks the key 'core'\n"
        "run.json:62:19: error: ports[1].received: expected a non-negative integer, found -4\n"
        "run.json:125:21: error: memory.sdram.queue_peak: expected a non-negative integer, found "
        "1.5\n"
        "run.json:201:15: error: engines[1].role: expected a string, found a list\n"
        "run.json:224:20: error: engines[1].threads[0].waiting.fbi: expected a non-negative "
        "integer, found \"500\"\n");
}

TEST_CASE("Objects, lists and numbers of the wrong kind are reported") {
  std::string text = to_json(sample_record());
  text = replaced(text, "\"simulated_seconds\": 1e-05", "\"simulated_seconds\": \"short\"");
  text = replaced(text, "\"lines\": []", "\"lines\": {}");
  text = replaced(text, "\"dropped_other\": {}", "\"dropped_other\": 3");
  const std::string errors = errors_of(text);
  CHECK(errors.find("simulated_seconds: expected a number, found \"short\"") != std::string::npos);
  CHECK(errors.find("lines: expected a list, found an object") != std::string::npos);
  CHECK(errors.find("packets.dropped_other: expected an object of counts, found 3") !=
        std::string::npos);
}

TEST_CASE("A number beyond every type is reported") {
  CHECK(errors_of("{\"schema\": 1e999}") ==
        "run.json:0:0: error: contains a number that is too large for any count or figure of a run "
        "record\n");
  CHECK(errors_of(replaced(to_json(sample_record()), "\"seed\": 1,",
                           "\"seed\": 18446744073709551616,")) ==
        "run.json:29:11: error: seed: expected a non-negative integer, found "
        "1.8446744073709552e+19\n");
}

TEST_CASE("A text that nests deeper than any record is refused where it does") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(errors_of("{\"x\":\n" + deep + "}") ==
        "run.json:2:64: error: nests lists and objects more deeply than any run record\n");
}

TEST_CASE("Brackets in strings do not nest") {
  RunRecord record = sample_record();
  record.inputs.rules.name = std::string(100, '[') + "\"\\" + std::string(100, '{');
  Diagnostics diagnostics;
  CHECK(from_json(to_json(record), "run.json", diagnostics) == record);
}

TEST_CASE("Every key that the schema promises is asked for") {
  const std::string text = to_json(sample_record());
  for (const char* key :
       {"tool", "inputs", "seed", "options", "cycles", "simulated_seconds", "ports", "packets",
        "rates_mbps", "latency_cycles", "memory", "engines", "lines", "host"}) {
    const std::string name = std::string(key) + "\"";
    const std::string renamed = replaced(text, "\n  \"" + name, "\n  \"x_" + name);
    CHECK(errors_of(renamed) ==
          std::string("run.json:1:1: error: the record: lacks the key '") + key + "'\n");
  }
}

TEST_CASE("Keys added to the schema may be missing, and unknown keys are skipped") {
  RunRecord record = sample_record();
  std::string text = to_json(record);
  text = replaced(text, ",\n  \"state_hash\": \"00ff\"",
                  ",\n  \"from_a_later_version\": {\"a\": [1]}");
  Diagnostics diagnostics;
  const auto read = from_json(text, "run.json", diagnostics);
  CHECK(diagnostics.to_string() == "");
  record.state_hash = "";
  CHECK(read == record);
}

TEST_CASE("A comparison holds its runs in order, and a run is read as a comparison of one") {
  Diagnostics diagnostics;
  const std::vector<RunRecord> runs = {sample_record(), other_record()};
  const std::string text = compare_json(runs);
  CHECK(top_keys(text) == std::vector<std::string>{"schema", "runs"});
  CHECK(text.starts_with("{\n  \"schema\": \"nplab.compare/1\",\n"));
  CHECK(read_records(text, "all.json", diagnostics) == runs);
  CHECK(read_records(to_json(runs[1]), "one.json", diagnostics) == std::vector<RunRecord>{runs[1]});
  CHECK(diagnostics.to_string() == "");
}

TEST_CASE("An error in a comparison names the run") {
  std::string text = compare_json({sample_record(), other_record()});
  text.replace(text.rfind("\"seed\": 1"), 9, "\"seed\": []");
  const std::string errors = errors_of(text);
  CHECK(errors.find(": error: runs[1].seed: expected a non-negative integer, found a list\n") !=
        std::string::npos);
}

TEST_CASE("A comparison without runs is refused") {
  const std::string expected =
      "run.json:1:1: error: the record: expected a list of one or more run records under 'runs' in "
      "a comparison\n";
  CHECK(errors_of("{\"schema\": \"nplab.compare/1\"}") == expected);
  CHECK(errors_of("{\"schema\": \"nplab.compare/1\", \"runs\": []}") == expected);
  CHECK(errors_of("{\"schema\": \"nplab.compare/1\", \"runs\": [7]}") ==
        "run.json:1:40: error: runs[0]: expected the schema 'nplab.run/1', found 'none'\n");
}

}  // namespace nplab::reports
