// The caches between the command bus and one memory unit: one that all engines share, or one for
// each engine, which then keep one another coherent by invalidation (MSI) over a bus of their own.
//
// A reference arrives in its cache's queue. Each cycle so many may look a line up as the cache has
// ports; a reference of several lines looks them up one after the other. Once it has all of them it
// is performed, all its longwords at once, and is done `read_latency` or `write_latency` later. A
// line that is missing is asked for `miss_latency` after its look-up: of the memory, or on the bus,
// which holds a transaction for `bus_cycles` and gives its result after `bus_latency`. A modified
// line of another cache comes from there, `intervention_latency` after that, and is written back.
// Caches that share a memory have one line in flight at a time for one address.
//
// Order: a thread's references take effect, and are done, in the order in which it issued them.
// Reads fetch their lines at the same time; a write waits for what its thread has issued before,
// and what follows waits for it. References of different threads have no order.
//
// Locks, free lists, SDRAM's ways to the FIFOs and the core processor's references are the
// memory's: the caches forward them, once other caches have lost the lines that they write.
//
// Simplified: contents stay in the memory, and a cache holds tags and states. A reference of
// several lines keeps those that it has until it has all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/cache/cache.h"
#include "simulator/cache/cache_counters.h"
#include "simulator/cache/coherence_bus.h"
#include "simulator/cache/forwarded_references.h"
#include "simulator/cache/memory_way.h"
#include "simulator/memory/memory_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class CachedMemory final : public UnitQueue,
                           public Inspectable,
                           public CacheSide,
                           private CacheExits {
 public:
  // `memory` as reports name it: `sram`. The unit outlives this.
  CachedMemory(std::string memory, const CacheDescription& description, unsigned engines,
               MemoryUnit& unit);
  CachedMemory(const CachedMemory&) = delete;  // the caches refer to it
  CachedMemory& operator=(const CachedMemory&) = delete;
  // Once, before the first cycle.
  void connect(ThreadAccess& threads) { threads_ = &threads; }

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override;
  [[nodiscard]] Cycle full_before(const Command& command) const override;
  [[nodiscard]] Refusal refusal(const Command& command) const override;
  void deliver(const Command& command, Cycle at) override;
  void served(const Command& command, Cycle at, Cycle done) override;

  // Works through all cycles before `horizon` that are not done yet, of the memory as well.
  void run(Cycle horizon);
  // No answer still to be given, by the caches or the memory, comes before this cycle, if the next
  // command arrives at `arrival` or later.
  [[nodiscard]] Cycle earliest_answer(Cycle arrival) const;

  [[nodiscard]] const std::string& memory() const { return memory_; }
  [[nodiscard]] unsigned caches() const { return static_cast<unsigned>(caches_.size()); }
  [[nodiscard]] const CacheCounters& counters(unsigned cache) const {
    return caches_[cache].counters();
  }
  [[nodiscard]] std::uint64_t lines_held(unsigned cache) const {
    return caches_[cache].lines_held();
  }
  [[nodiscard]] std::uint64_t misses_under_way(unsigned cache) const {
    return caches_[cache].misses_under_way();
  }
  [[nodiscard]] const CacheBusCounters& bus() const { return counters_; }
  // By the words whose references looked lines up.
  [[nodiscard]] CyclesByWord hits_by_word() const { return by_word_.hits.cycles(); }
  [[nodiscard]] CyclesByWord misses_by_word() const { return by_word_.misses.cycles(); }
  // The state of the line of `address` in a cache.
  [[nodiscard]] LineState state(unsigned cache, std::uint32_t address) const {
    return caches_[cache].state(address / description_.line_bytes);
  }
  // References in the caches or on their way to the memory's queues.
  [[nodiscard]] QueuedReferences queued_references() const;

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  // A line comes, or becomes its cache's own.
  struct Arrival {
    Cycle at;
    unsigned cache = 0;
    std::uint32_t line = 0;
  };

  [[nodiscard]] unsigned cache_of(const Command& command) const {
    return is_coherent_ ? command.thread.engine.index() : 0;
  }
  [[nodiscard]] Cycle next_event() const;
  void process(Cycle at);

  // What the caches ask for.
  void request(const Transaction& transaction) override;
  void perform(const Command& command, Cycle at) override;

  // A transaction takes effect in cycle `at`; memory is asked, and others answer, `latency` later.
  void execute(const Transaction& transaction, Cycle at, Cycles latency);
  void fetch(const Transaction& transaction, Cycle at, Cycles latency);
  void forward(const Transaction& transaction, Cycle ready);
  // The caches but `keeps` lose the line, or what makes it theirs alone. Whether one had modified
  // it.
  bool take_from_others(std::optional<unsigned> keeps, std::uint32_t line, Cache::Loss loss,
                        const Command& cause, Cycle ready);
  void write_back(unsigned cache, std::uint32_t line, const Command& cause, Cycle ready);
  void send_line(isa::Operation operation, unsigned cache, std::uint32_t line, const Command& cause,
                 Cycle ready);
  void add_arrival(const Arrival& arrival);

  std::string memory_;
  CacheDescription description_;
  MemoryUnit& unit_;
  ThreadAccess* threads_ = nullptr;
  bool is_coherent_;
  LookUpsByWord by_word_;
  ForwardedReferences forwarded_;
  std::vector<Cache> caches_;
  CoherenceBus bus_;
  MemoryWay way_;
  std::vector<Arrival> arrivals_;  // the earliest first
  CacheBusCounters counters_;
};

}  // namespace nplab::simulator
