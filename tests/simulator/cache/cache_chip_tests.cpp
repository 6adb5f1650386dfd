// Chip files with caches: the shipped ones, and what is refused.
#include <catch2/catch.hpp>

#include "support/input_file.h"
#include "tests/paths.h"
#include "tests/simulator/cache/cache_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

std::string errors_with(const std::string& cache) {
  Diagnostics diagnostics;
  const auto file = read_input_file(source_path("simulator/chips/ixp1200.yaml"), diagnostics);
  auto root = yaml::parse(file->bytes, "ixp1200.yaml", diagnostics);
  REQUIRE(root->set("sram.cache", cache, {"--set chip.sram.cache", 0, 0}, diagnostics));
  const auto chip = read_chip(*root, diagnostics);
  CHECK(chip.has_value() == !diagnostics.has_errors());
  return diagnostics.to_string();
}

std::string cache_text(const std::string& lines, const std::string& line_bytes,
                       const std::string& ways) {
  return "{lines: " + lines + ", line_bytes: " + line_bytes + ", ways: " + ways +
         ", seed: 0, write_allocate: true, read_ports: 1, write_ports: 1, read_latency: 5, "
         "write_latency: 4, queue: 16, misses: 8, miss_latency: 2, bus_cycles: 1, bus_latency: 1, "
         "intervention_latency: 1}";
}

}  // namespace

TEST_CASE("the shipped chips with caches have the published sizes") {
  const ChipDescription smp = shipped_chip("smp");
  REQUIRE(smp.sram.cache.has_value());
  CHECK(smp.sram.cache->sharing == CacheSharing::kPrivate);
  CHECK(smp.sram.cache->lines * smp.sram.cache->line_bytes == 8u << 20);
  CHECK(smp.sdram.cache->lines * smp.sdram.cache->line_bytes == 8u << 20);
  CHECK_FALSE(smp.scratch.cache.has_value());
  const ChipDescription cmp = shipped_chip("cmp-l2");
  CHECK(cmp.sram.cache->sharing == CacheSharing::kShared);
  CHECK(cmp.sram.cache->lines * cmp.sram.cache->line_bytes == 3u << 20);
  CHECK(shipped_chip("e6000").engine.engines == 16 + 5);
  CHECK_FALSE(shipped_chip("cmp-io").sram.cache.has_value());
}

TEST_CASE("a cache may leave its choices out: shared, tree-PLRU, write back") {
  CHECK(errors_with(cache_text("1024", "64", "4")) == "");
}

TEST_CASE("caches that cannot be are refused, with what would be right") {
  for (const auto& [lines, line_bytes, ways, part] :
       {std::tuple("1000", "64", "4", "right would be 512"),
        {"1024", "48", "4", "line_bytes: 48 is not a power of two"},
        {"1024", "64", "12", "ways: 12 is not a power of two, as tree-plru needs"},
        {"1024", "128", "4", "line_bytes: 128 is out of range: 8 to 64"}}) {
    const std::string errors = errors_with(cache_text(lines, line_bytes, ways));
    INFO(errors << "\nlacks: " << part);
    CHECK(errors.find(part) != std::string::npos);
  }
  CHECK(errors_with("{lines: 1024, wayes: 4}").find("did you mean 'ways'?") != std::string::npos);
}

TEST_CASE("a thread waits for a line once, its next reference finds it") {
  ChipDescription chip = chip_description("ixp1200");
  chip.sram.cache = small_cache(CacheSharing::kPrivate);
  BenchChip bench(chip);
  bench.load(0, program({reference({ReferenceUnit::kSram, 0, sram_transfer(0)}),
                         reference({ReferenceUnit::kSram, 0, sram_transfer(0)}), kill()}));
  bench.run();
  const auto& words = bench.counters().words;
  CHECK(words[1].waiting < words[0].waiting / 2);
  REQUIRE(bench.chip.parts().caches.size() == 1);
  CHECK(bench.chip.parts().caches[0]->counters(0).read_hits == 1);
  CHECK(bench.chip.parts().caches[0]->counters(0).read_misses == 1);
  CHECK(bench.chip.sram().statistics().references() == 2);
}

}  // namespace nplab::test
