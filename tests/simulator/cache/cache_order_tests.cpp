// The order in which references to cached memory take effect, by litmus tests: programs whose
// outcome tells which orders a chip allows (Alglave et al., "Litmus: running tests against
// hardware", 2011, for the names). The chip promises: a reference is performed at one instant, a
// thread's references in the order of their issue, whether it waits for them or not.
#include <functional>
#include <random>
#include <set>

#include "tests/simulator/cache/cache_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

constexpr std::uint32_t kX = 0x100, kY = 0x200;

// Address in a(1) or a(2).
Word access(unsigned at, unsigned command, unsigned transfer, Completion completion) {
  return reference(
      {ReferenceUnit::kSram, command, sram_transfer(transfer), a(at), value(0), 1, completion});
}
constexpr unsigned kReadX = 1, kReadY = 2;

class Litmus {
 public:
  explicit Litmus(std::uint64_t seed) : random_(seed) {
    chip_ = chip_description("ixp1200");
    CacheDescription cache = small_cache(CacheSharing::kPrivate);
    cache.miss_latency = 1 + draw(4);
    cache.bus_cycles = 1 + draw(12);
    cache.bus_latency = 1 + draw(12);
    cache.intervention_latency = 1 + draw(40);
    cache.read_latency = 1 + draw(8);
    cache.write_latency = 1 + draw(8);
    cache.misses = 1 + draw(3);
    if (draw(3) == 0)
      cache.write = WritePolicy::kThrough;
    chip_.sram.cache = cache;
  }

  // A thread on an engine of its own: addresses, lines that it has read before, a pause.
  void add(std::vector<Word> body) {
    std::vector<Word> words{immed(a(1), kX), immed(a(2), kY), immed(sram_transfer(7), 1)};
    for (const unsigned at : {1u, 2u})
      if (draw(2) == 0)
        words.push_back(access(at, 0, 6, Completion::kSwap));
    words.insert(words.end(), draw(120), nop());
    words.insert(words.end(), body.begin(), body.end());
    words.push_back(kill());
    programs_.push_back(std::move(words));
  }
  // What each thread's a(3) and a(4) hold in the end.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> run() {
    BenchChip bench(chip_);
    for (unsigned engine = 0; engine < programs_.size(); ++engine)
      bench.load(engine, program(programs_[engine]));
    bench.run();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> values;
    for (unsigned engine = 0; engine < programs_.size(); ++engine)
      values.emplace_back(bench.reg(a(3), 0, engine), bench.reg(a(4), 0, engine));
    return values;
  }

 private:
  unsigned draw(unsigned choices) { return static_cast<unsigned>(random_() % choices); }

  std::mt19937_64 random_;
  ChipDescription chip_;
  std::vector<std::vector<Word>> programs_;
};

Word write(unsigned at, Completion completion) {
  return access(at, 1, 7, completion);
}
// Two reads and their values.
std::vector<Word> reads(unsigned first, unsigned second, Completion of_first) {
  return {access(first, 0, 0, of_first), access(second, 0, 1, Completion::kSwap),
          move(a(3), sram_transfer(0)), move(a(4), sram_transfer(1))};
}
std::vector<Word> read_into_a3(unsigned at) {
  return {access(at, 0, 0, Completion::kSwap), move(a(3), sram_transfer(0))};
}

std::vector<Word> operator+(std::vector<Word> one, const std::vector<Word>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

constexpr std::uint64_t kSchedules = 150;

}  // namespace

TEST_CASE("store buffering: of two threads that write and then read, one sees the other's write") {
  for (const Completion completion : {Completion::kSwap, Completion::kSilent}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
      Litmus litmus(seed);
      litmus.add(std::vector{write(kReadX, completion)} + read_into_a3(kReadY));
      litmus.add(std::vector{write(kReadY, completion)} + read_into_a3(kReadX));
      const auto values = litmus.run();
      INFO("seed " << seed);
      REQUIRE((values[0].first == 1 || values[1].first == 1));
      seen.emplace(values[0].first, values[1].first);
    }
    CHECK(seen.size() == 3);
  }
}

TEST_CASE("message passing: who sees the flag sees the data, even if the writer did not wait") {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    Litmus litmus(seed);
    litmus.add({write(kReadX, Completion::kSilent), write(kReadY, Completion::kSwap)});
    litmus.add(reads(kReadY, kReadX, Completion::kSwap));
    const auto [flag, data] = litmus.run()[1];
    INFO("seed " << seed);
    REQUIRE((flag == 0 || data == 1));
    seen.emplace(flag, data);
  }
  CHECK(seen.size() == 3);
}

// A reader that has X in its cache, and a writer that owns Y. Other engines keep the bus busy: the
// writer's request for X waits for it, and the reader's for Y after that.
TEST_CASE(
    "message passing: reads under way at once are performed in their order, though the later one "
    "finds its line first") {
  ChipDescription chip = chip_description("ixp1200");
  chip.sram.cache = small_cache(CacheSharing::kPrivate);
  chip.sram.cache->bus_latency = 1;
  const std::vector<Word> start{immed(a(1), kX), immed(a(2), kY), immed(sram_transfer(7), 1),
                                access(kReadX, 0, 6, Completion::kSwap)};
  const Word beside_y = reference(
      {ReferenceUnit::kSram, 1, sram_transfer(7), a(kReadY), value(4), 1, Completion::kSwap});
  std::vector<Word> misses;
  for (unsigned i = 0; i < 12; ++i) {
    misses.push_back(immed(a(1), 0x1000 + 0x40 * i));
    misses.push_back(access(kReadX, 0, 6, Completion::kSwap));
  }
  misses.push_back(kill());
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (unsigned delay = 0; delay < 400; ++delay) {
    BenchChip bench(chip);
    for (unsigned engine = 2; engine < 6; ++engine)
      bench.load(engine, program(misses));
    bench.load(0, program(start + std::vector{beside_y} + std::vector<Word>(delay, nop()) +
                          std::vector{write(kReadX, Completion::kSilent),
                                      write(kReadY, Completion::kSwap), kill()}));
    bench.load(
        1,
        program(start + std::vector<Word>(140, nop()) + reads(kReadY, kReadX, Completion::kSilent) +
                std::vector<Word>(200, nop()) + std::vector{move(a(3), sram_transfer(0)), kill()}));
    bench.run();
    seen.emplace(bench.reg(a(3), 0, 1), bench.reg(a(4), 0, 1));
  }
  CHECK_FALSE(seen.contains({1, 0}));
  CHECK(seen.contains({1, 1}));
  CHECK(seen.contains({0, 0}));
}

TEST_CASE("load buffering: no thread reads what is written only after its own read") {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    Litmus litmus(seed);
    for (const auto& [reads_from, writes_to] : {std::pair(kReadX, kReadY), {kReadY, kReadX}})
      litmus.add({access(reads_from, 0, 0, Completion::kSignal),
                  write(writes_to, Completion::kSilent), ctx_arb(isa::Event::kSram),
                  move(a(3), sram_transfer(0))});
    const auto values = litmus.run();
    INFO("seed " << seed);
    REQUIRE((values[0].first == 0 || values[1].first == 0));
  }
}

TEST_CASE("independent reads of independent writes: readers agree on the order of two writes") {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    Litmus litmus(seed);
    litmus.add({write(kReadX, Completion::kSwap)});
    litmus.add({write(kReadY, Completion::kSwap)});
    litmus.add(reads(kReadX, kReadY, Completion::kSwap));
    litmus.add(reads(kReadY, kReadX, Completion::kSwap));
    const auto values = litmus.run();
    INFO("seed " << seed);
    const bool x_first = values[2].first == 1 && values[2].second == 0;
    const bool y_first = values[3].first == 1 && values[3].second == 0;
    REQUIRE_FALSE((x_first && y_first));
  }
}

TEST_CASE("coherence: two reads of one address by one thread never go back in time") {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    Litmus litmus(seed);
    litmus.add({write(kReadX, Completion::kSwap)});
    litmus.add(reads(kReadX, kReadX, Completion::kSwap));
    const auto [first, second] = litmus.run()[1];
    INFO("seed " << seed);
    REQUIRE(first <= second);
  }
}

TEST_CASE("increments of all engines on one line add up") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ChipDescription chip = chip_description("ixp1200");
    CacheDescription cache = small_cache(CacheSharing::kPrivate);
    cache.bus_cycles = 1 + static_cast<unsigned>(seed);
    chip.scratch.cache = cache;
    const Word increment =
        reference({ReferenceUnit::kScratch, 6, none, value(0), value(8), 1, Completion::kSwap});
    BenchChip bench(chip);
    for (unsigned engine = 0; engine < 6; ++engine) {
      std::vector<Word> words(20 + engine, increment);
      words.push_back(kill());
      bench.load(engine, program(words), 4);
    }
    bench.run();
    CHECK(bench.chip.scratch().storage().peek(8) == 4 * (6 * 20 + 15));
  }
}

}  // namespace nplab::test
