// Runs on chips with caches: what the record, the report and annotate say of them.
#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;

namespace {

// ixp1200 with a cache before its SRAM, shared or one per engine.
std::string chip_with_cache(const std::string& sharing) {
  return "extends: ixp1200\nname: cached\nsram:\n  cache: {sharing: " + sharing +
         ", lines: 128, line_bytes: 32, ways: 4, seed: 0, write_allocate: true, read_ports: 1, "
         "write_ports: 1, read_latency: 4, write_latency: 4, queue: 16, misses: 4, "
         "miss_latency: 2, bus_cycles: 2, bus_latency: 6, intervention_latency: 6}\n";
}

nlohmann::json record_on(const ScratchFolder& folder, const std::string& chip,
                         const std::string& mode = "windows") {
  const Outcome outcome = call_nplab({"run", "bv1", "--packets", "200", "--chip", chip, "--mode",
                                      mode, "--quiet", "--json", "r.json"},
                                     folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return read_json(folder.file("r.json"));
}

}  // namespace

TEST_CASE("a run on a chip with caches counts look-ups, and every sum holds", "[caches]") {
  const ScratchFolder folder;
  for (const std::string sharing : {"shared", "private"}) {
    (void)folder.write("chip.yaml", chip_with_cache(sharing));
    const auto record = record_on(folder, "chip.yaml");
    INFO(sharing);
    REQUIRE(record.at("caches").size() == 1);
    const auto& caches = record.at("caches")[0];
    CHECK(caches.at("memory") == "sram");
    CHECK(caches.at("sharing") == sharing);
    CHECK(caches.at("caches").size() == (sharing == "shared" ? 1 : 6));
    std::uint64_t hits = 0, invalidated = 0;
    for (const auto& cache : caches.at("caches")) {
      hits += cache.at("read_hits").get<std::uint64_t>();
      invalidated += cache.at("invalidated").get<std::uint64_t>();
      CHECK(cache.at("read_misses").get<std::uint64_t>() +
                cache.at("write_misses").get<std::uint64_t>() ==
            cache.at("merged").get<std::uint64_t>() + cache.at("fetched").get<std::uint64_t>() +
                cache.at("upgraded").get<std::uint64_t>() +
                cache.at("not_allocated").get<std::uint64_t>() +
                cache.at("under_way").get<std::uint64_t>());
    }
    CHECK(hits > 0);
    CHECK((invalidated > 0) == (sharing == "private"));
  }
}

TEST_CASE("a chip without caches has a record without them", "[caches]") {
  const ScratchFolder folder;
  CHECK_FALSE(record_on(folder, "ixp1200").contains("caches"));
}

TEST_CASE("a cached chip gives the same figures in lockstep and in windows", "[caches]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml", chip_with_cache("private"));
  const auto windows = record_on(folder, "chip.yaml");
  const auto lockstep = record_on(folder, "chip.yaml", "lockstep");
  for (const char* part : {"state_hash", "cycles", "caches", "memory", "engines", "packets"}) {
    INFO(part);
    CHECK((windows.at(part) == lockstep.at(part)));
  }
}

TEST_CASE("the report has a table of caches, and a record with a wrong sum is found", "[caches]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml", chip_with_cache("private"));
  auto record = record_on(folder, "chip.yaml");
  const Outcome report = call_nplab({"report", "r.json"}, folder.path());
  CHECK(report.status == 0);
  CHECK_THAT(report.out, Contains("Caches") && Contains("SRAM, private") && Contains("look-ups"));
  auto& first = record.at("caches")[0].at("caches")[0];
  first["fetched"] = first.at("fetched").get<std::uint64_t>() + 1;
  (void)folder.write("wrong.json", record.dump());
  const Outcome wrong = call_nplab({"report", "wrong.json"}, folder.path());
  CHECK_THAT(wrong.out + wrong.err, Contains("sram caches: cache 0: "));
}

TEST_CASE("annotate says which lines hit and which miss", "[caches]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml", chip_with_cache("shared"));
  (void)record_on(folder, "chip.yaml");
  const Outcome outcome = call_nplab({"annotate", "r.json", "--causes"}, folder.path());
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("cache misses"));
}

TEST_CASE("a prediction for a chip with caches is refused with the reason", "[caches]") {
  const ScratchFolder folder;
  (void)folder.write("chip.yaml", chip_with_cache("shared"));
  const Outcome outcome = call_nplab({"predict", "bv1", "--chip", "chip.yaml"}, folder.path());
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("caches"));
}

TEST_CASE("the shipped chips with caches run mappings of the chip multiprocessor", "[caches]") {
  const ScratchFolder folder;
  const Outcome outcome = call_nplab(
      {"run", "abv-data", "--chip", "cmp-l2", "--packets", "200", "--quiet", "--json", "r.json"},
      folder.path());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(read_json(folder.file("r.json")).at("caches").size() >= 1);
}
