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
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cache/cache_counters.h"
#include "simulator/cache/line_array.h"
#include "simulator/memory/memory_unit.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class CachedMemory final : public UnitQueue, public Inspectable, public CacheSide {
 public:
  // `memory` as reports name it: `sram`. The unit outlives this.
  CachedMemory(std::string memory, const CacheDescription& description, unsigned engines,
               MemoryUnit& unit);
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
    return caches_[cache].counters;
  }
  [[nodiscard]] std::uint64_t lines_held(unsigned cache) const {
    return caches_[cache].lines.lines_held();
  }
  [[nodiscard]] std::uint64_t misses_under_way(unsigned cache) const {
    return caches_[cache].misses.size();
  }
  [[nodiscard]] const CacheBusCounters& bus() const { return bus_; }
  // By the words whose references looked lines up.
  [[nodiscard]] CyclesByWord hits_by_word() const { return hits_by_word_.cycles(); }
  [[nodiscard]] CyclesByWord misses_by_word() const { return misses_by_word_.cycles(); }
  // The state of the line of `address` in a cache.
  [[nodiscard]] LineState state(unsigned cache, std::uint32_t address) const {
    return caches_[cache].lines.state(address / description_.line_bytes);
  }
  // References in the caches or on their way to the memory's queues.
  [[nodiscard]] QueuedReferences queued_references() const;

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  // What a reference needs of its lines.
  enum class Need : std::uint8_t {
    kNothing,  // the memory performs it
    kShared,
    kSharedThenMemory,  // a write through that allocates
    kModified,
  };
  struct Reference {
    Command command;
    Cycle arrival;
    Need need{};
    std::uint32_t first_line = 0;
    unsigned lines = 0;
    unsigned looked_up = 0;
    std::uint32_t missing = 0;  // bit n: line first_line + n is on its way
  };
  // A reference that the memory performs; `done` is not known until it is served.
  struct Forwarded {
    ThreadId thread;
    Cycle done = Cycle::never();
  };
  // A line that a cache has asked for.
  struct Miss {
    std::uint32_t line = 0;
    bool to_own = false;
    bool was_held = false;  // since the transaction: an upgrade
  };
  struct Cache {
    LineArray lines;
    std::deque<Reference> waiting;   // in the queue
    std::vector<Reference> started;  // in the order of their starts
    std::vector<Miss> misses;
    Cycle look_at = Cycle::never();  // when something can be looked up
    CacheCounters counters;
  };
  enum class Kind : std::uint8_t { kFetch, kOwn, kWriteBack, kForward };
  struct Transaction {
    Kind kind{};
    unsigned cache = 0;
    std::uint32_t line = 0;
    Command command;  // for which it is
    Cycle ready;
  };
  // To the memory's queue.
  struct Outgoing {
    Command command;
    Cycle ready;
  };
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

  // Look-ups.
  void look_up(unsigned number, Cycle at);
  [[nodiscard]] Need need_of(const Cache& cache, const Command& command) const;
  [[nodiscard]] bool may_start(const Cache& cache, const Command& command, Need need) const;
  // When all that the memory performs for the thread is done; never: that is not known yet.
  [[nodiscard]] Cycle forwarded_until(ThreadId thread) const;
  // How far a reference's look-ups came.
  enum class Progress { kDone, kNoPort, kWaits };
  struct Ports {
    unsigned reads = 0;
    unsigned writes = 0;
  };
  Progress go_on(unsigned number, Reference& reference, Ports& ports, Cycle at);
  // False: no miss may be added, or the one under way is of no use.
  bool look_up_line(unsigned number, Reference& reference, Cycle at);
  [[nodiscard]] bool is_hit(Need need, LineState state) const;
  void count(Cache& cache, const Reference& reference, bool hit);
  // Those that have their lines and come first of their threads.
  void finish_ready(unsigned number, Cycle at);
  void finish(unsigned number, const Reference& reference, Cycle at);
  void perform_here(Cache& cache, const Reference& reference, Cycle at);
  void forward(unsigned number, const Command& command, Cycle at);

  // Transactions.
  void request(const Transaction& transaction);
  [[nodiscard]] bool is_grantable(const Transaction& transaction) const;
  [[nodiscard]] std::optional<std::size_t> next_transaction(Cycle at) const;
  // Takes effect in cycle `at`; memory is asked, and others answer, `latency` later.
  void execute(const Transaction& transaction, Cycle at, Cycles latency);
  void fetch(const Transaction& transaction, Cycle at, Cycles latency);
  // The caches but `keeps` lose the line, or what makes it theirs alone. Whether one had modified
  // it.
  enum class Loss { kAll, kOwnership };
  bool take_from_others(std::optional<unsigned> keeps, std::uint32_t line, Loss loss,
                        const Command& cause, Cycle ready);
  void write_back(unsigned cache, std::uint32_t line, const Command& cause, Cycle ready);
  void send_line(isa::Operation operation, unsigned cache, std::uint32_t line, const Command& cause,
                 Cycle ready);
  void send(const Command& command, Cycle ready);
  void deliver_outgoing(Cycle at);
  void arrive(const Arrival& arrival, Cycle at);
  void add_arrival(const Arrival& arrival);
  [[nodiscard]] static const Command& cause_of(const Cache& cache, std::uint32_t line);
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> lines_of(const Command& command) const;

  std::string memory_;
  CacheDescription description_;
  MemoryUnit& unit_;
  ThreadAccess* threads_ = nullptr;
  bool is_coherent_;
  std::vector<Cache> caches_;
  std::vector<Transaction> transactions_;  // that wait for the bus, in their order
  Cycle bus_free_;
  std::vector<std::uint32_t> in_flight_;  // lines whose transactions are not over
  std::vector<Arrival> arrivals_;         // the earliest first
  std::deque<Outgoing> outgoing_;
  Cycle way_free_;  // to the memory
  std::vector<Forwarded> forwarded_;
  CacheBusCounters bus_;
  BusUse hits_by_word_;
  BusUse misses_by_word_;
};

}  // namespace nplab::simulator
