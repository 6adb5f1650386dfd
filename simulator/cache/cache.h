// One cache: its queue, look-ups, lines, and the misses under way. What it needs from outside it
// asks of its CacheExits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "simulator/cache/cache_counters.h"
#include "simulator/cache/cache_reference.h"
#include "simulator/cache/coherence_bus.h"
#include "simulator/cache/forwarded_references.h"
#include "simulator/cache/line_array.h"
#include "simulator/memory/bus_use.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

// What a cache asks of those around it.
class CacheExits {
 public:
  virtual ~CacheExits() = default;
  // A line, or the memory's performance of a reference.
  virtual void request(const Transaction& transaction) = 0;
  // A reference has its lines and takes effect in cycle `at`.
  virtual void perform(const Command& command, Cycle at) = 0;
};

// Look-ups by the words whose references made them, of all caches before one memory.
struct LookUpsByWord {
  BusUse hits;
  BusUse misses;
};

class Cache {
 public:
  // What all caches before one memory share; it outlives them.
  struct Surroundings {
    const CacheDescription& description;
    bool is_coherent;  // there are others
    CacheExits& exits;
    ForwardedReferences& forwarded;
    LookUpsByWord& by_word;
  };
  Cache(unsigned number, const Surroundings& around);

  // The queue.
  [[nodiscard]] bool has_room() const;
  void take(const Command& command, Cycle at);

  // When something can be looked up; never() if nothing can before something comes.
  [[nodiscard]] Cycle next_look_up() const { return look_at_; }
  void look_up_from(Cycle at) { look_at_ = std::min(look_at_, at); }
  void look_up(Cycle at);

  // What transactions do to the lines.
  [[nodiscard]] LineState state(std::uint32_t line) const { return lines_.state(line); }
  // Its transaction found the line still there, and makes it the cache's own.
  void keep_as_own(std::uint32_t line);
  // Another cache, or a reference past the caches, takes the line, or what makes it this cache's
  // alone.
  enum class Loss { kAll, kOwnership };
  void lose(std::uint32_t line, Loss loss);
  // A line comes, or becomes the cache's own.
  void arrive(std::uint32_t line, Cycle at);

  [[nodiscard]] const CacheCounters& counters() const { return counters_; }
  [[nodiscard]] CacheCounters& counters() { return counters_; }
  [[nodiscard]] std::uint64_t lines_held() const { return lines_.lines_held(); }
  [[nodiscard]] std::uint64_t misses_under_way() const { return misses_.size(); }
  [[nodiscard]] const std::deque<CacheReference>& waiting() const { return waiting_; }
  [[nodiscard]] const std::vector<CacheReference>& started() const { return started_; }
  void hash(StateHash& hash) const;

 private:
  // A line that the cache has asked for.
  struct Miss {
    std::uint32_t line = 0;
    bool to_own = false;
    bool was_held = false;  // since the transaction: an upgrade
  };
  // How far a reference's look-ups came.
  enum class Progress { kDone, kNoPort, kWaits };
  struct Ports {
    unsigned reads = 0;
    unsigned writes = 0;
  };

  [[nodiscard]] Need need_of(const Command& command) const;
  // Whether the order of its thread lets it start.
  [[nodiscard]] bool may_start(const Command& command, Need need) const;
  // Starts what a reference of the queue can start; when it can be tried again, if it stays.
  [[nodiscard]] std::optional<Cycle> start(CacheReference& reference, Ports& ports, Cycle at,
                                           Progress& progress);
  Progress go_on(CacheReference& reference, Ports& ports, Cycle at);
  // False: no miss may be added, or the one under way is of no use.
  bool look_up_line(CacheReference& reference, Cycle at);
  [[nodiscard]] bool is_hit(Need need, LineState state) const;
  [[nodiscard]] std::vector<Miss>::iterator miss_of(std::uint32_t line);
  void count(const CacheReference& reference, bool hit);
  // Those that have their lines and come first of their threads.
  void finish_ready(Cycle at);
  void finish(const CacheReference& reference, Cycle at);
  void perform(const CacheReference& reference, Cycle at);
  void count_past(const CacheReference& reference);
  void forward(const Command& command, Cycle at);
  void insert(const Miss& miss, Cycle at);
  // The reference for which a line comes.
  [[nodiscard]] const Command& cause_of(std::uint32_t line) const;

  unsigned number_;
  Surroundings around_;
  LineArray lines_;
  std::deque<CacheReference> waiting_;   // in the queue
  std::vector<CacheReference> started_;  // in the order of their starts
  std::vector<Miss> misses_;
  Cycle look_at_ = Cycle::never();
  CacheCounters counters_;
};

}  // namespace nplab::simulator
