#include "reports/analysis/memories/caches.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/derive.h"

namespace nplab::reports {
namespace {

Count look_ups(const CacheRecord& cache) {
  return cache.read_hits + cache.read_misses + cache.write_hits + cache.write_misses;
}

Count hits(const CacheRecord& cache) {
  return cache.read_hits + cache.write_hits;
}

CacheRecord sum_of(const std::vector<CacheRecord>& caches) {
  CacheRecord sum;
  for (const CacheRecord& cache : caches) {
    for (Count CacheRecord::* const count :
         {&CacheRecord::references, &CacheRecord::forwarded, &CacheRecord::read_hits,
          &CacheRecord::read_misses, &CacheRecord::write_hits, &CacheRecord::write_misses,
          &CacheRecord::merged, &CacheRecord::fetched, &CacheRecord::upgraded,
          &CacheRecord::not_allocated, &CacheRecord::under_way, &CacheRecord::from_caches,
          &CacheRecord::replaced, &CacheRecord::invalidated, &CacheRecord::written_back,
          &CacheRecord::lines_held})
      sum.*count += cache.*count;
  }
  return sum;
}

std::string title_of(const std::string& memory) {
  if (memory == "scratch")
    return memory;
  return memory == "sram" ? "SRAM" : "SDRAM";
}

const MemoryRecord& memory_of(const RunRecord& record, const std::string& memory) {
  if (memory == "sram")
    return record.memory.sram;
  return memory == "sdram" ? record.memory.sdram : record.memory.scratch;
}

Row row_of(std::string id, std::string label, const CacheRecord& cache, Cell bus) {
  const Count lines = look_ups(cache);
  const auto of_lines = [](Count count) { return Cell{count, "lines", 0}; };
  Cell hit = lines == 0 ? Cell{{}, "%", 1} : Cell{percentage(hits(cache), lines), "%", 1};
  return {std::move(id),
          std::move(label),
          {of_lines(lines), std::move(hit), of_lines(cache.fetched), of_lines(cache.from_caches),
           of_lines(cache.upgraded), of_lines(cache.written_back), of_lines(cache.invalidated),
           Cell{cache.forwarded, "references", 0}, std::move(bus)}};
}

class CacheChecker {
 public:
  CacheChecker(const RunRecord& record, const CachesRecord& caches,
               std::vector<std::string>& broken)
      : record_(record), caches_(caches), broken_(broken) {}

  void run() {
    for (std::size_t i = 0; i < caches_.caches.size(); ++i)
      check_cache(i, caches_.caches[i]);
    check_memory(sum_of(caches_.caches));
    if (!record_.lines.empty())
      check_lines(sum_of(caches_.caches));
  }

 private:
  void must_equal(const std::string& what, Count found, const std::string& other, Count wanted) {
    if (found != wanted)
      broken_.push_back(
          fmt::format("{} caches: {}: {}, but {}: {}", caches_.memory, what, found, other, wanted));
  }

  void check_cache(std::size_t number, const CacheRecord& cache) {
    const std::string of = fmt::format("cache {}: ", number);
    must_equal(
        of + "look-ups that missed", cache.read_misses + cache.write_misses,
        "merged, fetched, upgraded, not allocated or under way",
        cache.merged + cache.fetched + cache.upgraded + cache.not_allocated + cache.under_way);
    must_equal(of + "lines fetched", cache.fetched, "replaced, invalidated or held",
               cache.replaced + cache.invalidated + cache.lines_held);
  }

  void check_memory(const CacheRecord& sum) {
    const MemoryRecord& memory = memory_of(record_, caches_.memory);
    if (!memory.by_core)
      must_equal("references performed or forwarded", sum.references + sum.forwarded,
                 "those of the memory", memory.references);
    must_equal("lines written back", sum.written_back, "sent to the memory",
               caches_.lines_to_write);
    const Count from_memory = sum.fetched - std::min(sum.fetched, sum.from_caches);
    if (from_memory > caches_.lines_to_read || caches_.lines_to_read > from_memory + sum.under_way)
      broken_.push_back(
          fmt::format("{} caches: {} lines came from memory and {} are under way, "
                      "but {} were asked for",
                      caches_.memory, from_memory, sum.under_way, caches_.lines_to_read));
    if (caches_.lines_read > caches_.lines_to_read ||
        caches_.lines_written > caches_.lines_to_write)
      broken_.push_back(
          fmt::format("{} caches: the memory served {} lines read and {} written, but was asked "
                      "for {} and {}",
                      caches_.memory, caches_.lines_read, caches_.lines_written,
                      caches_.lines_to_read, caches_.lines_to_write));
  }

  void check_lines(const CacheRecord& sum) {
    Count found = 0, missed = 0;
    for (const Line& line : record_.lines) {
      found += count_of(line.cache_hits, caches_.memory);
      missed += count_of(line.cache_misses, caches_.memory);
    }
    must_equal("hits of source lines", found, "of the caches", hits(sum));
    must_equal("misses of source lines", missed, "of the caches",
               sum.read_misses + sum.write_misses);
  }

  const RunRecord& record_;
  const CachesRecord& caches_;
  std::vector<std::string>& broken_;
};

}  // namespace

Table caches_table(const RunRecord& record) {
  Table table{"caches",
              "Caches",
              {{"look_ups", "look-ups"},
               {"hit_pct", "hits"},
               {"fetched", "fetched"},
               {"from_caches", "of caches"},
               {"upgraded", "upgraded"},
               {"written_back", "written back"},
               {"invalidated", "invalidated"},
               {"forwarded", "past the cache"},
               {"bus_pct", "bus"}},
              {}};
  if (!record.caches)
    return table;
  for (const CachesRecord& caches : *record.caches) {
    const std::string title = title_of(caches.memory);
    const bool is_private = caches.sharing == "private";
    Cell bus = is_private ? Cell{caches.bus_pct, "%", 1} : Cell{{}, "%", 1};
    table.rows.push_back(row_of(caches.memory, fmt::format("{}, {}", title, caches.sharing),
                                sum_of(caches.caches), std::move(bus)));
    for (std::size_t i = 0; is_private && i < caches.caches.size(); ++i)
      if (look_ups(caches.caches[i]) + caches.caches[i].forwarded > 0)
        table.rows.push_back(row_of(fmt::format("{}.{}", caches.memory, i),
                                    fmt::format("... engine {}", i), caches.caches[i],
                                    Cell{{}, "%", 1}));
  }
  return table;
}

void fill_caches(std::vector<CachesRecord>& caches, Count cycles) {
  for (CachesRecord& record : caches) {
    const CacheRecord sum = sum_of(record.caches);
    record.hit_pct = percentage(hits(sum), look_ups(sum));
    record.bus_pct = percentage(record.bus_held_cycles, cycles);
  }
}

void check_caches(const RunRecord& record, std::vector<std::string>& broken) {
  if (!record.caches)
    return;
  for (const CachesRecord& caches : *record.caches)
    CacheChecker(record, caches, broken).run();
}

}  // namespace nplab::reports
