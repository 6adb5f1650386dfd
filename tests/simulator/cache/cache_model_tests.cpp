// What caches hold, find and write back, against a model of its own on random traces: lists of
// lines, one reference at a time, without any timing.
#include <algorithm>
#include <list>
#include <random>
#include <set>

#include "tests/simulator/cache/cache_bench.h"

namespace nplab::test {
namespace {

using namespace simulator;

struct ModelLine {
  std::uint32_t line = 0;
  bool modified = false;
};

// The half of [low, high) that was not used last, by the bounds of the half-open range of ways.
class ModelTree {
 public:
  void use(unsigned way, unsigned low, unsigned high) {
    if (high - low == 1)
      return;
    const unsigned middle = (low + high) / 2;
    points_right_[{low, high}] = way < middle;
    way < middle ? use(way, low, middle) : use(way, middle, high);
  }
  [[nodiscard]] unsigned victim(unsigned low, unsigned high) {
    if (high - low == 1)
      return low;
    const unsigned middle = (low + high) / 2;
    return points_right_[{low, high}] ? victim(middle, high) : victim(low, middle);
  }

 private:
  std::map<std::pair<unsigned, unsigned>, bool> points_right_;
};

// One set of one cache.
struct ModelSet {
  std::map<unsigned, ModelLine> ways;
  std::list<unsigned> order;  // the way used last at the end
  ModelTree tree;
};

struct ModelCache {
  std::map<std::uint32_t, ModelSet> sets;
  CacheCounters counters;
};

class Model {
 public:
  Model(const CacheDescription& cache, unsigned engines)
      : cache_(cache), caches_(cache.sharing == CacheSharing::kPrivate ? engines : 1) {}

  void reference(unsigned engine, std::uint32_t address, std::uint32_t bytes, bool writes) {
    const unsigned own = cache_.sharing == CacheSharing::kPrivate ? engine : 0;
    const std::uint32_t first = address / cache_.line_bytes,
                        last = (address + bytes - 1) / cache_.line_bytes;
    bool all_held = true;
    for (std::uint32_t line = first; line <= last; ++line)
      all_held = all_held && find(own, line) != nullptr;
    const bool through = cache_.write == WritePolicy::kThrough;
    const bool past = writes && !cache_.write_allocate && (through || !all_held);
    std::vector<std::uint32_t> missing;
    CacheCounters& counters = caches_[own].counters;
    for (std::uint32_t line = first; line <= last; ++line) {
      ModelLine* held = find(own, line);
      const bool hit =
          held != nullptr && (!writes || through || past || held->modified || caches_.size() == 1);
      ++(writes ? (hit ? counters.write_hits : counters.write_misses)
                : (hit ? counters.read_hits : counters.read_misses));
      if (hit)
        use(own, line);
      else if (past)
        ++counters.not_allocated;
      else
        missing.push_back(line);
    }
    const bool owns = writes && !through && !past;
    for (const std::uint32_t line : missing)
      obtain(own, line, owns);
    if (owns)
      for (std::uint32_t line = first; line <= last; ++line)
        if (ModelLine* held = find(own, line))
          held->modified = true;
    if (writes && (through || past))
      for (std::uint32_t line = first; line <= last; ++line)
        take_from_others(own, line, true);
    ++(writes && (through || past) ? counters.forwarded : counters.references);
  }

  [[nodiscard]] const CacheCounters& counters(unsigned cache) const {
    return caches_[cache].counters;
  }
  [[nodiscard]] LineState state(unsigned cache, std::uint32_t address) {
    const ModelLine* held = find(cache, address / cache_.line_bytes);
    if (held == nullptr)
      return LineState::kInvalid;
    return held->modified ? LineState::kModified : LineState::kShared;
  }

 private:
  ModelSet& set_of(unsigned cache, std::uint32_t line) {
    return caches_[cache].sets[line % (cache_.lines / cache_.ways)];
  }
  ModelLine* find(unsigned cache, std::uint32_t line) {
    for (auto& [way, held] : set_of(cache, line).ways)
      if (held.line == line)
        return &held;
    return nullptr;
  }
  void use_way(ModelSet& set, unsigned way) {
    set.order.remove(way);
    set.order.push_back(way);
    set.tree.use(way, 0, cache_.ways);
  }
  void use(unsigned cache, std::uint32_t line) {
    ModelSet& set = set_of(cache, line);
    for (auto& [way, held] : set.ways)
      if (held.line == line)
        return use_way(set, way);
  }
  bool take_from_others(unsigned own, std::uint32_t line, bool all) {
    bool was_modified = false;
    for (unsigned other = 0; other < caches_.size(); ++other) {
      ModelLine* held = find(other, line);
      if (other == own || held == nullptr)
        continue;
      if (held->modified) {
        was_modified = true;
        ++caches_[other].counters.written_back;
      }
      held->modified = false;
      if (!all)
        continue;
      ++caches_[other].counters.invalidated;
      ModelSet& set = set_of(other, line);
      std::erase_if(set.ways, [&](const auto& entry) { return entry.second.line == line; });
    }
    return was_modified;
  }
  void obtain(unsigned own, std::uint32_t line, bool owns) {
    CacheCounters& counters = caches_[own].counters;
    const bool supplied = take_from_others(own, line, owns);
    if (ModelLine* held = find(own, line)) {
      held->modified = true;
      ++counters.upgraded;
      return;
    }
    ++counters.fetched;
    counters.from_caches += supplied ? 1 : 0;
    ModelSet& set = set_of(own, line);
    unsigned way = 0;
    while (set.ways.contains(way))
      ++way;
    if (way == cache_.ways) {
      way = cache_.replacement == CacheReplacement::kLru ? set.order.front()
                                                         : set.tree.victim(0, cache_.ways);
      ++counters.replaced;
      counters.written_back += set.ways[way].modified ? 1 : 0;
    }
    set.ways[way] = {line, owns && caches_.size() > 1};
    use_way(set, way);
  }

  CacheDescription cache_;
  std::vector<ModelCache> caches_;
};

std::string text(const CacheCounters& c) {
  std::string all;
  for (const std::uint64_t count :
       {c.references, c.forwarded, c.read_hits, c.read_misses, c.write_hits, c.write_misses,
        c.merged, c.fetched, c.upgraded, c.not_allocated, c.from_caches, c.replaced, c.invalidated,
        c.written_back})
    all += std::to_string(count) + " ";
  return all;
}

CacheDescription drawn_cache(std::mt19937_64& random) {
  CacheDescription cache =
      small_cache(random() % 2 == 0 ? CacheSharing::kPrivate : CacheSharing::kShared);
  cache.ways = 1u << random() % 4;
  cache.lines = cache.ways * (2u << random() % 4);
  cache.line_bytes = 8u << random() % 4;
  cache.misses = 16;
  cache.replacement = random() % 2 == 0 ? CacheReplacement::kLru : CacheReplacement::kTreePlru;
  cache.write = random() % 4 == 0 ? WritePolicy::kThrough : WritePolicy::kBack;
  cache.write_allocate = random() % 3 != 0;
  cache.read_ports = 1 + static_cast<unsigned>(random() % 2);
  cache.bus_cycles = 1 + static_cast<unsigned>(random() % 12);
  return cache;
}

// References of at most two lines, so that none takes a place that the same one needs.
void compare(std::uint64_t seed, unsigned references) {
  std::mt19937_64 random(seed);
  constexpr unsigned kEngines = 3;
  const CacheDescription cache = drawn_cache(random);
  CacheBench bench(cache, kEngines);
  Model model(cache, kEngines);
  const std::uint32_t range = 2 * cache.lines * cache.line_bytes;
  for (unsigned i = 0; i < references; ++i) {
    const unsigned engine = static_cast<unsigned>(random() % kEngines);
    const unsigned most = std::min(8u, cache.line_bytes / 4);
    const unsigned count = 1 + static_cast<unsigned>(random() % most);
    const std::uint32_t address = static_cast<std::uint32_t>(random() % (range / 4)) * 4;
    const bool writes = random() % 3 == 0;
    bench.latency_of(writes ? write_of(4 * engine, address, count)
                            : read_of(4 * engine, address, count));
    model.reference(engine, address, 4 * count, writes);
    for (unsigned own = 0; own < bench.cached.caches(); ++own) {
      INFO("seed " << seed << ", reference " << i << ", cache " << own);
      REQUIRE(text(bench.counters(own)) == text(model.counters(own)));
      REQUIRE(bench.cached.state(own, address) == model.state(own, address));
    }
  }
  for (unsigned own = 0; own < bench.cached.caches(); ++own)
    for (std::uint32_t address = 0; address < range; address += cache.line_bytes)
      REQUIRE(bench.cached.state(own, address) == model.state(own, address));
}

}  // namespace

TEST_CASE("caches find, replace, invalidate and write back what a model of lists does") {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    compare(seed, 300);
}

TEST_CASE(
    "three thousand caches find, replace, invalidate and write back what a model of lists does",
    "[.full]") {
  for (std::uint64_t seed = 1000; seed < 4000; ++seed)
    compare(seed, 1000);
}

TEST_CASE("random replacement takes every way about as often, as its seed says") {
  const auto victims = [](std::uint64_t seed) {
    CacheDescription cache = small_cache(CacheSharing::kShared);
    cache.lines = cache.ways = 8;
    cache.replacement = CacheReplacement::kRandom;
    cache.seed = seed;
    CacheBench bench(cache);
    std::vector<std::uint32_t> replaced;
    std::vector<std::uint32_t> held;
    for (std::uint32_t line = 0; line < 800; ++line) {
      bench.latency_of(read_of(0, 16 * line));
      held.push_back(line);
      for (std::size_t i = 0; i < held.size(); ++i) {
        if (bench.cached.state(0, 16 * held[i]) != LineState::kInvalid)
          continue;
        replaced.push_back(static_cast<std::uint32_t>(i));
        held[i] = held.back();
        held.pop_back();
      }
    }
    return replaced;
  };
  const auto one = victims(1);
  REQUIRE(one.size() == 792);
  CHECK(one == victims(1));
  CHECK(one != victims(2));
  for (std::uint32_t way = 0; way < 8; ++way) {
    const auto times = std::count(one.begin(), one.end(), way);
    CHECK(times > 60);
    CHECK(times < 140);
  }
}

}  // namespace nplab::test
