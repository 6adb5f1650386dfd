// What the run record says beside the figures: the same for every run and checkout, and complete.
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"
#include "tests/tools/support/record_checks.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

const Words kAll{"--arrival", "lossless", "--drain", "--packets", "200"};

// The record's text without the object `host`.
std::string without_host(const std::string& text) {
  const auto from = text.find("  \"host\": {");
  REQUIRE(from != std::string::npos);
  const auto end = text.find("  },\n", from);
  REQUIRE(end != std::string::npos);
  return text.substr(0, from) + text.substr(end + 5);
}

nlohmann::json queue_of(const nlohmann::json& record, const std::string& name) {
  for (const auto& queue : record.at("queues")) {
    if (queue.at("name") == name)
      return queue;
  }
  FAIL("the record has no queue " << name);
  return {};
}

}  // namespace

TEST_CASE("two runs with the same inputs write the same record byte for byte, host aside",
          "[record]") {
  const ScratchFolder folder;
  for (const char* mapping : {"ls", "bv1", "bv2"}) {
    INFO(mapping);
    for (const char* file : {"one.json", "two.json"}) {
      REQUIRE(
          call_nplab({"run", mapping, "--packets", "300", "--quiet", "--json", folder.file(file)})
              .status == 0);
    }
    CHECK(without_host(read_text(folder.file("one.json"))) ==
          without_host(read_text(folder.file("two.json"))));
  }
}

TEST_CASE("shipped files are named by their path in the project, a user's as given", "[record]") {
  const auto shipped = record_of({"bv1", "--packets", "50"});
  CHECK_THAT(shipped.dump(), !Contains(nplab::source_path()));
  CHECK(shipped.at("inputs").at("rules").at("name") == "workloads/published.rules.yaml");
  CHECK(shipped.at("inputs").at("workload").at("name") == "published");
  CHECK(shipped.at("inputs").at("workload").at("sha256").get<std::string>().size() == 64);
  bool has_task = false;
  for (const auto& line : shipped.at("lines"))
    has_task = has_task || line.at("file") == "mappings/bit-vector/lookup.c";
  CHECK(has_task);

  const ScratchFolder folder;
  (void)folder.write("mine.yaml", read_text(data_file("three-fates.rules.yaml")));
  const Outcome outcome = call_nplab({"run", "bv1", "--packets", "50", "--rules", "mine.yaml",
                                      "--traffic", "gen:count=50", "--quiet", "--json", "r.json"},
                                     folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(read_json(folder.file("r.json")).at("inputs").at("rules").at("name") == "mine.yaml");
}

TEST_CASE("the record holds the effective arrival, from whatever source", "[record]") {
  const auto arrival = [](const Words& words) {
    return record_of(Words{"bv1", "--packets", "50"} + words)
        .at("options")
        .at("arrival")
        .get<std::string>();
  };
  CHECK(arrival({}) == "wire");
  CHECK(arrival({"--arrival", "40"}) == "40");
  CHECK(arrival({"--arrival", "lossless"}) == "lossless");
  CHECK(arrival({"--traffic", "gen:arrival=poisson:40,count=50"}) == "poisson:40");
}

TEST_CASE("every queue tells what went in and out of it", "[record]") {
  const auto record = record_of(Words{"bv1"} + kAll);
  const auto received = queue_of(record, "received");
  CHECK(received.at("rings") == 16);
  CHECK(received.at("entries") == 128);
  CHECK(received.at("enqueued") == 200);
  CHECK(received.at("dequeued") == 200);
  CHECK(received.at("refused") == 0);
  CHECK(received.at("peak") >= 1);
  CHECK(queue_of(record, "classified").at("enqueued") == record.at("packets").at("sent"));
}

TEST_CASE("entries that are given back at the end of the packet count until then", "[record]") {
  const auto record = record_of(Words{"bv2"} + kAll + Words{"--set", "queues.found1.entries=4"});
  CHECK(queue_of(record, "found1").at("enqueued") == 200);
  CHECK(queue_of(record, "found1").at("peak") == 4);
}

TEST_CASE("the run over time ends at its sums, by samples of one interval", "[record]") {
  const auto record = record_of({"bv1", "--packets", "300"});
  const auto& samples = record.at("samples");
  const auto interval = samples.at("interval_cycles").get<std::uint64_t>();
  const auto cycles = record.at("cycles").at("core").get<std::uint64_t>();
  const std::size_t count = cycles / interval;
  CHECK(count >= 256);
  CHECK(count < 512);
  for (const char* key : {"received", "sent", "in_flight"})
    CHECK(samples.at(key).size() == count);
  for (const char* unit : {"sram", "sdram", "scratch"}) {
    INFO(unit);
    const auto& active = samples.at(unit).at("active_cycles");
    const auto& whole = record.at("memory").at(unit).at("active_cycles");
    REQUIRE(active.size() == count);
    CHECK(active.back() <= whole);
    CHECK(whole.get<std::uint64_t>() - active.back().get<std::uint64_t>() <= interval);
  }
  CHECK(samples.at("sent").back() <= record.at("packets").at("sent"));
  const auto received = samples.at("queues").at(0);
  CHECK(received.at("name") == "received");
  CHECK(received.at("entries").size() == count);
}

TEST_CASE("the latency distribution has every packet that was sent, from the least to the greatest",
          "[record]") {
  const auto record = record_of({"bv1", "--packets", "300"});
  const auto& latency = record.at("latency_cycles");
  std::uint64_t packets = 0;
  for (const auto& bucket : record.at("latency_histogram"))
    packets += bucket.at("count").get<std::uint64_t>();
  CHECK(packets == record.at("packets").at("sent"));
  CHECK(record.at("latency_histogram").front().at("from") <= latency.at("min"));
  CHECK(record.at("latency_histogram").back().at("to") >= latency.at("max"));
}

TEST_CASE("the record says where the mapping put its stages and what the memories hold",
          "[record]") {
  const auto record = record_of({"bv1", "--packets", "50"});
  const auto& classify = record.at("stages").at(1);
  CHECK(classify.at("name") == "classify");
  CHECK(classify.at("role") == "tasks");
  CHECK(classify.at("threads").size() == 16);
  CHECK(classify.at("tasks").at(3) == "intersect");
  CHECK(queue_of(record, "received").at("from") == "receive");
  CHECK(queue_of(record, "received").at("to") == "classify");
  CHECK(record.at("memory_map").at(1).at("purpose") == "queue received");
  CHECK(record.at("memory_map").at(1).at("memory") == "sram");
}

TEST_CASE("packets dropped at a full queue are what the queue refused", "[record]") {
  const auto record = record_of({"ls", "--packets", "1000", "--set", "queues.received.entries=2"});
  const auto received = queue_of(record, "received");
  CHECK(received.at("refused") > 0);
  CHECK(received.at("refused") == record.at("packets").at("dropped_queue_full"));
  CHECK(received.at("peak") == 2);
  CHECK(queue_of(record, "classified").at("refused") == 0);
}

TEST_CASE("a lean record is the full one without lines, programs and sources", "[record]") {
  auto full = record_of({"bv1", "--packets", "100"});
  const auto lean = record_of({"bv1", "--packets", "100", "--record", "lean"});
  for (const auto& part : lean.at("left_out"))
    full.at(part.get<std::string>()) = nlohmann::json::array();
  full["left_out"] = lean.at("left_out");
  auto comparable = lean;
  for (const char* part : {"programs", "sources"})
    comparable[part] = nlohmann::json::array();
  full.erase("host");
  comparable.erase("host");
  CHECK(comparable == full);
  CHECK(lean.at("left_out") == nlohmann::json{"lines", "programs", "sources"});
}

TEST_CASE("commands that need what a lean record leaves out say so", "[record]") {
  const ScratchFolder folder;
  REQUIRE(call_nplab({"compare", "bv1", "bv2", "--packets", "100", "--quiet", "--record", "lean",
                      "--json", "lean.json"},
                     folder.path())
              .status == 0);
  const Outcome annotated = call_nplab({"annotate", "lean.json"}, folder.path());
  CHECK(annotated.status == 2);
  CHECK_THAT(annotated.err,
             Catch::Contains("lean.json:0:0: error: a lean record holds no lines; run the "
                             "mapping again without `--record lean`"));
  const Outcome graph =
      call_nplab({"report", "lean.json", "--cfg", "1", "--dot", "a.dot"}, folder.path());
  CHECK(graph.status == 2);
  CHECK_THAT(graph.err, Catch::Contains("a lean record holds no programs"));
  const Outcome difference = call_nplab({"diff", "lean.json"}, folder.path());
  CHECK(difference.status == 0);
  CHECK_THAT(difference.err, Catch::Contains("note: no differences by source line: a lean record"));
  CHECK(call_nplab({"report", "lean.json"}, folder.path()).status == 0);
  const Outcome profile = call_nplab(
      {"run", "bv1", "--packets", "10", "--record", "lean", "--profile-out", "p"}, folder.path());
  CHECK(profile.status == 2);
  CHECK_THAT(profile.err, Catch::Contains("--profile-out: error: needs the lines"));
}
