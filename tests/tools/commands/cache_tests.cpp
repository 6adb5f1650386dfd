// nplab cache, and runs whose programs are kept.
#include <catch2/catch.hpp>

#include "tests/paths.h"
#include "tests/tools/support/command.h"

using namespace nplab::tools::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

// The command with a cache in `folder`.
Outcome call_with_cache(const ScratchFolder& folder, const Words& words,
                        const std::string& cache = "cache") {
  return run_program(
      "/usr/bin/env",
      Words{"NPLAB_CACHE=" + (cache == "off" ? cache : folder.file(cache)), nplab::program_path()} +
          words,
      folder.path());
}

nlohmann::json record_with_cache(const ScratchFolder& folder, const std::string& cache) {
  const Outcome outcome = call_with_cache(
      folder, {"run", "bv1", "--packets", "200", "--quiet", "--json", "run.json"}, cache);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  auto record = read_json(folder.file("run.json"));
  record.erase("host");
  return record;
}

}  // namespace

TEST_CASE("cache shows its folder, entries and bytes, and clear removes them", "[cache]") {
  const ScratchFolder folder;
  CHECK_THAT(
      call_with_cache(folder, {"cache"}).out,
      StartsWith("folder   " + folder.file("cache/programs") + "\nentries  0\nbytes    0 of"));
  REQUIRE(call_with_cache(folder, {"check", "bv1"}).status == 0);
  CHECK_THAT(call_with_cache(folder, {"cache"}).out, Contains("\nentries  6\n"));
  CHECK_THAT(call_with_cache(folder, {"cache", "clear"}).out, StartsWith("removed 6 entries, "));
  CHECK_THAT(call_with_cache(folder, {"cache"}).out, Contains("\nentries  0\n"));
  CHECK(call_with_cache(folder, {"cache", "claer"}).status == 2);
}

TEST_CASE("a run has the same record with programs compiled now, kept, and damaged", "[cache]") {
  const ScratchFolder folder;
  const auto compiled = record_with_cache(folder, "off");
  CHECK_FALSE(fs::exists(folder.file("cache")));
  CHECK(record_with_cache(folder, "cache") == compiled);
  CHECK(record_with_cache(folder, "cache") == compiled);
  for (const auto& entry : fs::directory_iterator(folder.file("cache/programs")))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
  CHECK(record_with_cache(folder, "cache") == compiled);
  (void)folder.write("file", "");
  CHECK(record_with_cache(folder, "file") == compiled);  // no folder can be made there
}

TEST_CASE("without a cache, cache says so and removes nothing", "[cache]") {
  const ScratchFolder folder;
  for (const Words& words : {Words{"cache"}, Words{"cache", "clear"}}) {
    const Outcome outcome = call_with_cache(folder, words, "off");
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains("NPLAB_CACHE is `off`"));
  }
}
