// Changed lines on their way to memory. A line that comes again while it waits is merged; a read of
// a line that is here gets it from here. A place is free once memory has taken its line, so that no
// read can overtake a write.
#pragma once

#include <vector>

#include "simulator/dram/address_mapping.h"
#include "simulator/match_engine/description.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

struct StoreCounters {
  std::uint64_t stores = 0;  // sent to memory
  std::uint64_t merged = 0;
  std::uint64_t held_places = 0;  // sum over all cycles
  unsigned most_held = 0;

  void hash(StateHash& hash) const {
    hash.add_all(std::array<std::uint64_t, 4>{stores, merged, held_places, most_held});
  }
};

class StoreQueue final : public Module {
 public:
  struct Ends {
    In<Store> evicted;
    In<Check> checks;
    In<unsigned> stored;
    Out<Checked> checked;
    std::vector<Out<Store>> stores;  // by channel
  };

  StoreQueue(const Ends& ends, const MatchDescription& description,
             const dram::AddressMapping& mapping);

  [[nodiscard]] std::string_view name() const override { return "store queue"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override { return held_ == 0; }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const StoreCounters& counters() const { return counters_; }
  [[nodiscard]] unsigned held() const { return held_; }
  // The newest of the lines that wait for this slot.
  [[nodiscard]] const Entry* line(Slot slot) const;

 private:
  enum class State : std::uint8_t { kFree, kWaits, kSent };
  struct Waiting {
    State state{};
    Slot slot = 0;
    Entry line;
    std::uint64_t number = 0;  // by age
  };
  void take_lines(Cycle now);
  void answer(Cycle now);
  void send(Cycle now);

  Ends ends_;
  const dram::AddressMapping& mapping_;
  std::vector<Waiting> stores_;
  std::uint64_t next_number_ = 0;
  unsigned held_ = 0;
  StoreCounters counters_;
};

}  // namespace nplab::simulator::match
