// The DRAM behind a match unit, and its contents. Each cycle every channel takes a read and a write
// if its controller has room; reads see the writes that were taken before them, as controllers keep
// the order of what is asked of one burst. The memory's clock is a rational multiple of the unit's.
#pragma once

#include <vector>

#include "isa/match/entry_memory.h"
#include "simulator/dram/clock_ratio.h"
#include "simulator/dram/dram_memory.h"
#include "simulator/match_engine/description.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

class MatchMemory final : public Module {
 public:
  struct Ends {
    std::vector<In<Fetch>> fetches;  // by channel
    std::vector<In<Store>> stores;
    Out<Fetched> fetched;
    Out<unsigned> stored;
  };

  MatchMemory(const Ends& ends, const MatchDescription& description,
              isa::match::EntryMemory contents);

  [[nodiscard]] std::string_view name() const override { return "memory"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override { return reads_.empty(); }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  void observe(dram::CommandObserver* observer) { dram_.observe(observer); }
  [[nodiscard]] const dram::DramMemory& dram() const { return dram_; }
  [[nodiscard]] const dram::ClockRatio& ratio() const { return ratio_; }
  [[nodiscard]] const isa::match::EntryMemory& contents() const { return contents_; }
  // Sum over all reads, from being taken to their last data.
  [[nodiscard]] dram::Clock read_clocks() const { return read_clocks_; }
  [[nodiscard]] std::uint64_t reads() const { return reads_done_; }
  [[nodiscard]] std::uint64_t reads_taken() const { return reads_done_ + reads_under_way_; }
  [[nodiscard]] std::uint64_t writes_taken() const { return next_write_ - first_write_; }
  // Sum over all channels of the cycles in which a read or a write waited for room.
  [[nodiscard]] std::uint64_t full_cycles() const { return full_cycles_; }

 private:
  struct Read {
    unsigned load = 0;
    Entry line;
    dram::Clock taken = 0;
    Cycle done = Cycle::never();  // until it is served
  };
  void count_full(Cycle now);
  void take_reads(Cycle now, dram::Clock clock);
  void take_writes(Cycle now, dram::Clock clock);
  void answer(Cycle now);

  Ends ends_;
  Cycles return_latency_;
  dram::ClockRatio ratio_;
  dram::DramMemory dram_;
  isa::match::EntryMemory contents_;
  std::vector<Read> reads_;    // under way, in the order in which they were taken
  std::uint64_t first_write_;  // tag
  std::uint64_t next_write_;
  std::uint64_t reads_under_way_ = 0;
  std::uint64_t full_cycles_ = 0;
  dram::Clock read_clocks_ = 0;
  std::uint64_t reads_done_ = 0;
};

}  // namespace nplab::simulator::match
