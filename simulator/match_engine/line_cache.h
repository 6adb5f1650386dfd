// The cache: one look-up and one write in each cycle. A look-up needs a place of the load queue,
// which holds its line until the action pipeline takes it. A write sees to it that its line is
// there; a changed line that makes room goes to the store queue, and while that is full writes
// wait. Tags, states and replacement are those of the chip's caches (simulator/cache).
#pragma once

#include <optional>
#include <vector>

#include "simulator/cache/line_array.h"
#include "simulator/match_engine/description.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

struct MatchCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t writes = 0;    // of changed lines
  std::uint64_t fills = 0;     // of lines as they came from memory
  std::uint64_t replaced = 0;  // lines that made room
  std::uint64_t written_back = 0;
  std::uint64_t cycles_without_load = 0;   // a look-up waited for a place of the load queue
  std::uint64_t cycles_without_store = 0;  // a write waited for a place of the store queue

  void hash(StateHash& hash) const {
    hash.add_all(std::array{hits, misses, writes, fills, replaced, written_back,
                            cycles_without_load, cycles_without_store});
  }
};

class LineCache final : public Module {
 public:
  struct Ends {
    In<Tag> to_cache;
    In<Credit> credits;
    In<LineWrite> writes;
    Out<LookedUp> looked_up;
    Out<LineWrite> written;
    Out<LineWrite> confirmed;
    Out<Store> evicted;
  };

  LineCache(const Ends& ends, SessionStorage& sessions, const MatchDescription& description);

  [[nodiscard]] std::string_view name() const override { return "cache"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override { return true; }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const MatchCacheCounters& counters() const { return counters_; }
  [[nodiscard]] std::uint64_t lines_held() const { return lines_ ? lines_->lines_held() : 0; }
  template <class Visit>
  void for_each(Visit visit) const {
    if (lines_)
      lines_->for_each(visit);
  }
  // The line, if it is here.
  [[nodiscard]] std::optional<Entry> line(Slot slot) const;

 private:
  void look_up(Cycle now);
  void write(Cycle now);
  // False: the store queue is full.
  bool put(const LineWrite& write, Cycle now);
  void evict(Slot slot, const Entry& line, Cycle now);

  Ends ends_;
  SessionStorage& sessions_;
  bool allocates_unchanged_;
  std::optional<LineArray> lines_;  // none: no cache
  std::vector<Entry> contents_;     // by the lines' places
  unsigned credits_;                // free places of the load queue
  MatchCacheCounters counters_;
};

}  // namespace nplab::simulator::match
