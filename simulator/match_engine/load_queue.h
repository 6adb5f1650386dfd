// Reads under way: a place for each line that sessions wait for, from its look-up in the cache to
// the action pipeline. Sessions that miss a line which is under way join its place. A miss is asked
// of the store queue first, then of memory. While a line waits here and is written in the cache,
// every place of it gets the written line: what was still to be asked of memory is cancelled, what
// memory answers later is dropped.
#pragma once

#include <deque>
#include <vector>

#include "simulator/dram/address_mapping.h"
#include "simulator/match_engine/description.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

struct LoadCounters {
  std::uint64_t merged = 0;       // look-ups that joined a place
  std::uint64_t forwarded = 0;    // answered by the store queue
  std::uint64_t fetched = 0;      // asked of memory
  std::uint64_t cancelled = 0;    // answered by a write before memory was asked
  std::uint64_t dropped = 0;      // ... after: what memory answers is of no use
  std::uint64_t repeated = 0;     // sessions that looked up again
  std::uint64_t held_places = 0;  // sum over all cycles
  unsigned most_held = 0;

  void hash(StateHash& hash) const {
    hash.add_all(std::array<std::uint64_t, 8>{merged, forwarded, fetched, cancelled, dropped,
                                              repeated, held_places, most_held});
  }
};

class LoadQueue final : public Module {
 public:
  struct Ends {
    In<LookedUp> looked_up;
    In<LineWrite> written;
    In<Checked> checked;
    In<Fetched> fetched;
    Out<Credit> credits;
    Out<Check> checks;
    std::vector<Out<Fetch>> fetches;  // by channel
    Out<Pass> passes;
    Out<Tag> repeated;
  };

  LoadQueue(const Ends& ends, const MatchDescription& description,
            const dram::AddressMapping& mapping);

  [[nodiscard]] std::string_view name() const override { return "load queue"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override { return held_ == 0; }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const LoadCounters& counters() const { return counters_; }
  [[nodiscard]] unsigned held() const { return held_; }

 private:
  enum class State : std::uint8_t {
    kFree,
    kChecked,  // the store queue is asked
    kWaits,    // to be asked of memory
    kFetched,  // memory is asked
    kReady,    // the line is here
  };
  struct Load {
    State state{};
    Slot slot = 0;
    Entry line;
    bool is_miss = false;
    bool is_stale = false;     // of a line that was written meanwhile: look up again
    bool answer_owed = false;  // of the store queue or memory, which is dropped
    std::uint64_t number = 0;  // by age
    std::deque<Tag> sessions;
  };

  void take_look_ups(Cycle now);
  void take_writes(Cycle now);
  void take_checks(Cycle now);
  void take_lines(Cycle now);
  void ask_memory(Cycle now);
  void pass_on(Cycle now);
  void discard_writes(Cycle now);
  [[nodiscard]] Load* joinable(Slot slot);
  void supply(Load& load, const LineWrite& write);
  void repeat(Load& load, Cycle now);
  void free_if_done(Load& load, Cycle now);
  template <class Wanted>
  [[nodiscard]] Load* oldest(Wanted wanted);

  Ends ends_;
  const dram::AddressMapping& mapping_;
  bool cancels_;
  std::vector<Load> loads_;
  std::uint64_t next_number_ = 0;
  unsigned held_ = 0;
  LoadCounters counters_;
};

}  // namespace nplab::simulator::match
