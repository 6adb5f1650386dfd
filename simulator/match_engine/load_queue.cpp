#include "simulator/match_engine/load_queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cassert>

namespace nplab::simulator::match {

LoadQueue::LoadQueue(const Ends& ends, const MatchDescription& description,
                     const dram::AddressMapping& mapping)
    : ends_(ends),
      mapping_(mapping),
      cancels_(description.stale_reads == StaleReads::kCancelled),
      loads_(description.load_queue) {}

template <class Wanted>
LoadQueue::Load* LoadQueue::oldest(Wanted wanted) {
  Load* found = nullptr;
  for (Load& load : loads_)
    if (load.state != State::kFree && wanted(load) &&
        (found == nullptr || load.number < found->number))
      found = &load;
  return found;
}

// Look-ups come before the writes of their cycle, which they did not see.
void LoadQueue::step(Cycle now) {
  if (held_ == 0 && ends_.looked_up.empty())
    return discard_writes(now);
  take_look_ups(now);
  take_writes(now);
  take_checks(now);
  take_lines(now);
  ask_memory(now);
  pass_on(now);
  counters_.held_places += held_;
  counters_.most_held = std::max(counters_.most_held, held_);
}

// Nothing waits for a line.
void LoadQueue::discard_writes(Cycle now) {
  while (ends_.written.front(now) != nullptr)
    ends_.written.take(now);
}

// A place of the line that sessions can still join.
LoadQueue::Load* LoadQueue::joinable(Slot slot) {
  return oldest([slot](const Load& load) {
    return load.slot == slot && load.is_miss && !load.is_stale && !load.sessions.empty();
  });
}

void LoadQueue::take_look_ups(Cycle now) {
  if (ends_.looked_up.front(now) == nullptr)
    return;
  const LookedUp look_up = ends_.looked_up.take(now);
  const bool is_miss = !look_up.line.has_value();
  if (is_miss && !look_up.is_stale) {
    if (Load* const load = joinable(look_up.slot)) {
      load->sessions.push_back(look_up.tag);
      ++counters_.merged;
      return ends_.credits.send({}, now);
    }
  }
  const auto place = std::find_if(loads_.begin(), loads_.end(),
                                  [](const Load& load) { return load.state == State::kFree; });
  assert(place != loads_.end() && "the cache counts the places");
  *place = Load{is_miss ? State::kChecked : State::kReady,
                look_up.slot,
                look_up.line.value_or(Entry()),
                is_miss,
                look_up.is_stale,
                is_miss,
                next_number_++,
                {look_up.tag}};
  ++held_;
  if (is_miss)
    ends_.checks.send({static_cast<unsigned>(place - loads_.begin()), look_up.slot}, now);
}

void LoadQueue::take_writes(Cycle now) {
  if (ends_.written.front(now) == nullptr)
    return;
  const LineWrite write = ends_.written.take(now);
  for (Load& load : loads_)
    if (load.state != State::kFree && load.slot == write.slot)
      supply(load, write);
  // Look-ups that have not arrived.
  ends_.looked_up.for_each_sent_before(now, [&](LookedUp& look_up) {
    if (look_up.slot != write.slot)
      return;
    if (look_up.line || cancels_) {
      counters_.cancelled += look_up.line ? 0 : 1;
      look_up.line = write.line;
    } else {
      look_up.is_stale = true;
    }
  });
}

void LoadQueue::supply(Load& load, const LineWrite& write) {
  if (load.state != State::kReady && !cancels_) {
    load.is_stale = true;
    return;
  }
  if (load.state != State::kReady)
    ++(load.state == State::kFetched ? counters_.dropped : counters_.cancelled);
  load.line = write.line;
  load.state = State::kReady;
}

void LoadQueue::take_checks(Cycle now) {
  while (ends_.checked.front(now) != nullptr) {
    const Checked checked = ends_.checked.take(now);
    Load& load = loads_[checked.load];
    load.answer_owed = false;
    if (load.state != State::kChecked) {
      free_if_done(load, now);
      continue;
    }
    load.state = checked.line ? State::kReady : State::kWaits;
    if (!checked.line)
      continue;
    ++counters_.forwarded;
    load.line = *checked.line;
    if (load.is_stale)
      repeat(load, now);
  }
}

void LoadQueue::take_lines(Cycle now) {
  while (ends_.fetched.front(now) != nullptr) {
    const Fetched fetched = ends_.fetched.take(now);
    Load& load = loads_[fetched.load];
    load.answer_owed = false;
    if (load.state != State::kFetched) {
      free_if_done(load, now);
      continue;
    }
    load.line = fetched.line;
    load.state = State::kReady;
    if (load.is_stale)
      repeat(load, now);
  }
}

void LoadQueue::repeat(Load& load, Cycle now) {
  for (const Tag tag : load.sessions) {
    ++counters_.repeated;
    ends_.repeated.send(tag, now);
  }
  load.sessions.clear();
  free_if_done(load, now);
}

// A place whose sessions have gone on is free once nothing comes for it any more.
void LoadQueue::free_if_done(Load& load, Cycle now) {
  if (!load.sessions.empty() || load.answer_owed)
    return;
  load.state = State::kFree;
  --held_;
  ends_.credits.send({}, now);
}

void LoadQueue::ask_memory(Cycle now) {
  for (unsigned channel = 0; channel < ends_.fetches.size(); ++channel) {
    if (!ends_.fetches[channel].has_room(now))
      continue;
    Load* const load = oldest([&](const Load& one) {
      return one.state == State::kWaits && mapping_.target(one.slot).channel == channel;
    });
    if (load == nullptr)
      continue;
    ++counters_.fetched;
    load->state = State::kFetched;
    load->answer_owed = true;
    ends_.fetches[channel].send({static_cast<unsigned>(load - loads_.data()), load->slot}, now);
  }
}

void LoadQueue::pass_on(Cycle now) {
  if (!ends_.passes.has_room(now))
    return;
  Load* const load =
      oldest([](const Load& one) { return one.state == State::kReady && !one.sessions.empty(); });
  if (load == nullptr)
    return;
  ends_.passes.send({load->sessions.front(), load->slot, load->line, load->is_miss}, now);
  load->sessions.pop_front();
  free_if_done(*load, now);
}

void LoadQueue::describe_waiting(std::vector<std::string>& lines) const {
  static constexpr const char* kWhat[] = {"", "the store queue's answer", "its turn at memory",
                                          "memory", "the action pipeline"};
  for (const Load& load : loads_)
    if (load.state != State::kFree)
      lines.push_back(fmt::format("load queue: slot {} waits for {}; tags {}", load.slot,
                                  kWhat[static_cast<unsigned>(load.state)],
                                  fmt::join(load.sessions, ", ")));
}

void LoadQueue::hash(StateHash& hash) const {
  for (const Load& load : loads_) {
    hash.add(static_cast<std::uint64_t>(load.state));
    if (load.state == State::kFree)
      continue;
    hash.add_all(std::array<std::uint64_t, 5>{
        load.slot, load.line.packets, load.number, load.sessions.size(),
        (load.is_miss ? 1u : 0u) | (load.is_stale ? 2u : 0u) | (load.answer_owed ? 4u : 0u)});
    hash.add_all(load.sessions);
  }
  counters_.hash(hash);
}

}  // namespace nplab::simulator::match
