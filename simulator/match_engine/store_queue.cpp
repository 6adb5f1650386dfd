#include "simulator/match_engine/store_queue.h"

#include <fmt/format.h>
#include <algorithm>

namespace nplab::simulator::match {

StoreQueue::StoreQueue(const Ends& ends, const MatchDescription& description,
                       const dram::AddressMapping& mapping)
    : ends_(ends), mapping_(mapping), stores_(description.store_queue) {}

const Entry* StoreQueue::line(Slot slot) const {
  const Waiting* newest = nullptr;
  for (const Waiting& store : stores_)
    if (store.state != State::kFree && store.slot == slot &&
        (newest == nullptr || store.number > newest->number))
      newest = &store;
  return newest == nullptr ? nullptr : &newest->line;
}

// Lines come before the questions of their cycle, which ask for what left the cache before them.
void StoreQueue::step(Cycle now) {
  while (ends_.stored.front(now) != nullptr) {
    stores_[ends_.stored.take(now)].state = State::kFree;
    --held_;
  }
  take_lines(now);
  answer(now);
  if (held_ == 0)
    return;
  send(now);
  counters_.held_places += held_;
  counters_.most_held = std::max(counters_.most_held, held_);
}

void StoreQueue::take_lines(Cycle now) {
  while (const Store* const store = ends_.evicted.front(now)) {
    auto place = std::find_if(stores_.begin(), stores_.end(), [store](const Waiting& waiting) {
      return waiting.state == State::kWaits && waiting.slot == store->slot;
    });
    if (place != stores_.end()) {
      ++counters_.merged;
      place->line = store->line;
    } else {
      place = std::find_if(stores_.begin(), stores_.end(),
                           [](const Waiting& waiting) { return waiting.state == State::kFree; });
      if (place == stores_.end())
        return;
      *place = {State::kWaits, store->slot, store->line, next_number_++};
      ++held_;
    }
    ends_.evicted.take(now);
  }
}

// What has no place yet is newer than what has one.
void StoreQueue::answer(Cycle now) {
  while (ends_.checks.front(now) != nullptr) {
    const Check check = ends_.checks.take(now);
    const Entry* found = line(check.slot);
    std::optional<Entry> answer = found != nullptr ? std::optional(*found) : std::nullopt;
    ends_.evicted.for_each_sent_before(now, [&](const Store& store) {
      if (store.slot == check.slot)
        answer = store.line;
    });
    ends_.checked.send({check.load, answer}, now);
  }
}

void StoreQueue::send(Cycle now) {
  for (unsigned channel = 0; channel < ends_.stores.size(); ++channel) {
    if (!ends_.stores[channel].has_room(now))
      continue;
    Waiting* oldest = nullptr;
    for (Waiting& store : stores_)
      if (store.state == State::kWaits && mapping_.target(store.slot).channel == channel &&
          (oldest == nullptr || store.number < oldest->number))
        oldest = &store;
    if (oldest == nullptr)
      continue;
    oldest->state = State::kSent;
    ++counters_.stores;
    ends_.stores[channel].send(
        {oldest->slot, oldest->line, static_cast<unsigned>(oldest - stores_.data())}, now);
  }
}

void StoreQueue::describe_waiting(std::vector<std::string>& lines) const {
  for (const Waiting& store : stores_)
    if (store.state != State::kFree)
      lines.push_back(fmt::format("store queue: slot {} waits for {}", store.slot,
                                  store.state == State::kWaits ? "its turn at memory" : "memory"));
}

void StoreQueue::hash(StateHash& hash) const {
  for (const Waiting& store : stores_) {
    hash.add(static_cast<std::uint64_t>(store.state));
    if (store.state != State::kFree)
      hash.add_all(std::array<std::uint64_t, 3>{store.slot, store.line.packets, store.number});
  }
  counters_.hash(hash);
}

}  // namespace nplab::simulator::match
