// What the three memory units have in common: contents, statistics, the way back to the threads,
// and faults.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/base/ports.h"
#include "simulator/base/queued_references.h"
#include "simulator/base/reference_observer.h"
#include "simulator/base/watched_area.h"
#include "simulator/memory/bus_use.h"
#include "simulator/memory/memory_storage.h"
#include "simulator/memory/reference_effect.h"
#include "simulator/memory/reference_statistics.h"

namespace nplab::simulator {

// A command in one of a unit's queues.
struct QueuedCommand {
  Command command;
  Cycle arrival;  // of the scratch memory's: when the FBI's processor begins with it
};

// What a unit says to the cache before it.
class CacheSide {
 public:
  virtual ~CacheSide() = default;
  // A line's reference, or one that the cache forwarded, is served in cycle `at` and done in
  // `done`.
  virtual void served(const Command& command, Cycle at, Cycle done) = 0;
};

class MemoryUnit : public UnitQueue, public Inspectable {
 public:
  struct Connections {
    ThreadAccess* threads = nullptr;
    RunMonitor* monitor = nullptr;
  };
  // Once, before the first cycle.
  void connect(const Connections& connections) { connections_ = connections; }

  // Is notified of references that are served; may be null.
  void observe(ReferenceObserver* observer) { observer_ = observer; }
  // The cache through which all references come from now on. It outlives the last of them.
  void put_behind(CacheSide& cache) { cache_ = &cache; }
  // Works through all cycles before `horizon` that are not done yet.
  virtual void run(Cycle horizon) = 0;
  // In which the unit may choose a reference; never() if none waits.
  [[nodiscard]] Cycle next_decision() const { return next_decision_; }
  // Reports a fault and returns false unless the command, a read, write or modification, refers to
  // longwords or quadwords of the memory.
  bool admits(const Command& command, Cycle at);
  // A cache has performed a reference in cycle `at`, which is done in `done`: as complete().
  void complete_cached(const Command& command, std::span<const std::uint32_t> data, Cycle at,
                       Cycle done);
  // References take as long as in an idle unit, as many of them as there are: none holds the bus.
  // Not of a real chip.
  void stop_occupying() { never_occupied_ = true; }
  // Counts the engines' references by area from now on.
  void watch(AreaCounters areas) { areas_ = std::move(areas); }
  [[nodiscard]] const AreaCounters& areas() const { return areas_; }

  [[nodiscard]] MemoryStorage& storage() { return storage_; }
  [[nodiscard]] const MemoryStorage& storage() const { return storage_; }
  [[nodiscard]] const ReferenceStatistics& statistics() const { return statistics_; }
  // References under way to the unit or in its queues.
  [[nodiscard]] virtual QueuedReferences queued_references() const = 0;
  // Cycles before `end` in which the bus was taken.
  [[nodiscard]] Cycles active_cycles(Cycle end) const;
  // The same by the words whose references it was taken for; the core processor's are left out.
  [[nodiscard]] CyclesByWord active_by_word(Cycle end) const;
  // No answer still to be given comes before this cycle, if the next command arrives at `arrival`
  // or later.
  [[nodiscard]] Cycle earliest_answer(Cycle arrival) const {
    return std::min(
        next_decision_ == Cycle::never() ? next_decision_ : next_decision_ + least_.queued_service,
        arrival + least_.wait + least_.service);
  }

 protected:
  // The least that a reference takes: from its arrival to the decision; from there to its answer,
  // one of those that are in the unit and any.
  struct Least {
    Cycles wait = 0;
    Cycles queued_service = 0;
    Cycles service = 0;
  };
  // The period of the unit's clock, and the least times of its references.
  struct Clocking {
    Cycles period = 1;
    Cycles least_wait = 0;
    Cycles least_service = 0;
  };
  MemoryUnit(std::uint32_t bytes, const Clocking& clocking)
      : storage_(bytes),
        least_{clocking.least_wait, clocking.least_service, clocking.least_service},
        period_(clocking.period),
        period_mask_(std::has_single_bit(clocking.period) ? ~(clocking.period - 1) : 0) {}

  [[nodiscard]] bool is_behind_cache() const { return cache_ != nullptr; }
  // An engine's read that a cache answers, where somebody watches reads.
  virtual void note_read(const Command& /*command*/, Cycle /*done*/) {}
  // Of a cache's line only the time counts: the memory holds its contents all along.
  [[nodiscard]] static bool is_line(const Command& command) {
    return command.issuer == Issuer::kCache;
  }
  // Reports a fault and returns false unless `bytes` from the command's address on lie in the
  // memory and are aligned to `alignment`.
  bool check_address(const Command& command, std::uint32_t bytes, std::uint32_t alignment,
                     Cycle at) {
    if (command.address % alignment == 0 && storage_.holds(command.address, bytes)) [[likely]]
      return true;
    report_address(command, alignment, at);
    return false;
  }
  void fault(const Command& command, Fault::Kind kind, std::string_view message, Cycle at);

  void load(std::uint32_t address, std::span<std::uint32_t> longwords) const {
    for (std::uint32_t& longword : longwords) {
      longword = storage_.read(address);
      address += 4;
    }
  }
  void store(std::uint32_t address, std::span<const std::uint32_t> longwords) {
    for (const std::uint32_t longword : longwords) {
      storage_.write(address, longword);
      address += 4;
    }
  }
  // A reference's data have one of several buses for some of its time: the unit's bus counts as
  // held for so many cycles, from `from` on.
  void hold_share(BusUser user, Cycle from, Cycles cycles) {
    if (cycles == 0)
      return;
    statistics_.active(cycles);
    bus_use_.add(user, cycles);
    if (occupations_.size() >= many_occupations_)
      forget_occupations();
    occupations_.push_back({from, from + cycles, user});
  }
  // The reference is done in cycle `done`: `data` for its transfer registers, event and statistics,
  // which count `longwords`.
  void complete(const Command& command, std::span<const std::uint32_t> data, unsigned longwords,
                Cycle done) {
    complete(command, data, longwords, now_, done);
  }
  // ... of a reference that was served in cycle `at`.
  void complete(const Command& command, std::span<const std::uint32_t> data, unsigned longwords,
                Cycle at, Cycle done);
  // ... of a reference that brings nothing.
  void complete(const Command& command, unsigned longwords, Cycle done) {
    complete(command, {}, longwords, done);
  }
  // The first tick of the unit's clock that comes at most `ahead` cycles before the bus is free and
  // is neither before `due` nor one at which a decision has been made; never() if `due` is.
  [[nodiscard]] Cycle next_tick(Cycle due, Cycles ahead) const {
    if (due == Cycle::never())
      return due;
    const Cycle bus_claimed(bus_free_.number() > ahead ? bus_free_.number() - ahead : 0);
    return tick(std::max({due, bus_claimed, undecided_}));
  }
  // The first tick of the unit's clock that is not before `soonest`.
  [[nodiscard]] Cycle tick(Cycle soonest) const {
    const std::uint64_t rounded_up = soonest.number() + period_ - 1;
    return Cycle(period_mask_ != 0 ? rounded_up & period_mask_ : rounded_up / period_ * period_);
  }
  // Goes on to the cycle of the next decision.
  void begin_decision() {
    now_ = next_decision_;
    undecided_ = now_ + 1;
  }
  // Cycles that `bytes` take on a bus of `description`, which is a power of two wide.
  template <class Description>
  static Cycles data_cycles(const Description& description, unsigned bytes) {
    return Cycles{(bytes + description.bus_bytes - 1) >> std::countr_zero(description.bus_bytes)} *
           description.bus_cycles;
  }
  // Holds the bus for `command` from `from`, when it is free, for `occupied` cycles; in an idle
  // unit it would have had the bus from `undelayed`.
  void occupy(const Command& command, Cycle undelayed, Cycle from, Cycles occupied) {
    data_end_ = from + occupied;
    if (!holds_bus(command)) {
      undecided_ = now_;  // the next reference may be served at once
      return;
    }
    const BusUser user(command);
    statistics_.active(occupied);
    statistics_.delayed(from - undelayed);
    bus_use_.add(user, occupied);
    bus_free_ = data_end_;
    if (occupations_.size() >= many_occupations_)
      forget_occupations();
    occupations_.push_back({from, bus_free_, user});
  }

  [[nodiscard]] bool holds_bus(const Command& command) const {
    return command.holds_bus && !never_occupied_;
  }

  void hash_common(StateHash& hash) const;

  Connections connections_;
  MemoryStorage storage_;
  Least least_;
  ReferenceStatistics statistics_;
  AreaCounters areas_;
  Cycle now_;        // of the last decision
  Cycle undecided_;  // the first cycle in which none has been made
  Cycle next_decision_ = Cycle::never();
  Cycle bus_free_;
  Cycle data_end_;  // of the reference served last

 private:
  struct Occupation {
    Cycle from;
    Cycle to;
    BusUser user;
  };
  // Of a command that no engine sent directly: what its sender wants to know. Whether it is a
  // reference of its own, which counts.
  bool notify_sender(const Command& command, Cycle done);
  void report_address(const Command& command, std::uint32_t alignment, Cycle at);
  void answer_thread(const Command& command, std::span<const std::uint32_t> data,
                     unsigned longwords, Cycle at, Cycle done);
  // Those that ended by now_.
  void forget_occupations();

  Cycles period_;
  Cycles period_mask_;  // the bits of a tick's number, if the period is a power of two, as most
                        // are; else 0
  bool never_occupied_ = false;
  ReferenceObserver* observer_ = nullptr;
  CacheSide* cache_ = nullptr;
  BusUse bus_use_;
  std::vector<Occupation> occupations_;  // those that may end after now_, in order
  std::size_t many_occupations_ = 32;
};

}  // namespace nplab::simulator
