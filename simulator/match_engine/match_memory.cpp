#include "simulator/match_engine/match_memory.h"

#include <fmt/format.h>
#include <algorithm>

namespace nplab::simulator::match {

MatchMemory::MatchMemory(const Ends& ends, const MatchDescription& description,
                         isa::match::EntryMemory contents)
    : ends_(ends),
      return_latency_(description.interconnect_latency),
      ratio_(description.dram_fifteenths, description.clock_hz),
      dram_(description.dram),
      contents_(std::move(contents)),
      first_write_(description.load_queue),
      next_write_(first_write_) {}

void MatchMemory::step(Cycle now) {
  const dram::Clock clock = ratio_.first_clock(now);
  dram_.run(clock, [this](const dram::ServedRequest& served) {
    if (served.is_write)
      return;
    const auto read = std::find_if(reads_.begin(), reads_.end(),
                                   [&served](const Read& one) { return one.load == served.tag; });
    read_clocks_ += served.end - read->taken;
    ++reads_done_;
    --reads_under_way_;
    read->done = ratio_.cycle_from(served.end) + return_latency_;
  });
  count_full(now);
  take_writes(now, clock);
  take_reads(now, clock);
  answer(now);
}

void MatchMemory::count_full(Cycle now) {
  for (std::size_t channel = 0; channel < ends_.fetches.size(); ++channel) {
    const Fetch* const fetch = ends_.fetches[channel].front(now);
    const Store* const store = ends_.stores[channel].front(now);
    const bool is_full = (fetch != nullptr && !dram_.has_room(fetch->slot, false)) ||
                         (store != nullptr && !dram_.has_room(store->slot, true));
    full_cycles_ += is_full ? 1 : 0;
  }
}

void MatchMemory::take_reads(Cycle now, dram::Clock clock) {
  for (In<Fetch>& port : ends_.fetches) {
    const Fetch* const fetch = port.front(now);
    if (fetch == nullptr || !dram_.has_room(fetch->slot, false))
      continue;
    Read read{fetch->load, contents_.read(fetch->slot), clock, Cycle::never()};
    if (dram_.add(fetch->load, fetch->slot, false, clock) ==
        dram::Controller::Added::kFromWriteQueue) {
      read.done = now + 1 + return_latency_;
      ++reads_done_;
    } else {
      ++reads_under_way_;
    }
    reads_.push_back(read);
    port.take(now);
  }
}

void MatchMemory::take_writes(Cycle now, dram::Clock clock) {
  for (In<Store>& port : ends_.stores) {
    const Store* const store = port.front(now);
    if (store == nullptr || !dram_.has_room(store->slot, true))
      continue;
    dram_.add(next_write_++, store->slot, true, clock);
    contents_.write(store->slot, store->line);
    ends_.stored.send(store->place, now);
    port.take(now);
  }
}

// Those whose data came in this cycle, in the order in which they were asked.
void MatchMemory::answer(Cycle now) {
  for (std::size_t i = 0; i < reads_.size();) {
    if (reads_[i].done > now) {
      ++i;
      continue;
    }
    ends_.fetched.send({reads_[i].load, reads_[i].line}, now);
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void MatchMemory::describe_waiting(std::vector<std::string>& lines) const {
  if (!reads_.empty())
    lines.push_back(fmt::format("memory: {} reads wait, {} requests in the controllers",
                                reads_.size(), dram_.waiting()));
}

void MatchMemory::hash(StateHash& hash) const {
  for (const Read& read : reads_) {
    hash.add(read.load);
    hash.add(read.done);
  }
  dram_.hash(hash);
  hash.add_all(std::array<std::uint64_t, 4>{static_cast<std::uint64_t>(read_clocks_), reads_done_,
                                            full_cycles_, contents_.entries()});
}

}  // namespace nplab::simulator::match
