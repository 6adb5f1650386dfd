#include "simulator/event_inbox.h"

#include <algorithm>
#include <cassert>

#include "simulator/state_hash.h"

namespace nplab::simulator {
namespace {

// Room for what usually is under way; more is allocated when needed.
constexpr std::size_t kUsual = 64;

}  // namespace

EventInbox::EventInbox() {
  pool_.reserve(kUsual);
  free_.reserve(kUsual);
  grow();
}

void EventInbox::grow() {
  std::vector<Entry> larger(std::max(kUsual, 2 * order_.size()));
  for (std::size_t i = 0; i < count_; ++i) larger[i] = entry(i);
  order_ = std::move(larger);
  first_ = 0;
  for (std::size_t i = pool_.size(); i < order_.size(); ++i) free_.push_back(static_cast<std::uint32_t>(i));
  pool_.resize(order_.size());
}

Delivery& EventInbox::insert(Cycle at, isa::Unit unit) {
  if (count_ == order_.size()) grow();
  // Almost everything belongs near the end that is latest.
  std::size_t position = count_++;
  for (; position > 0 && entry(position - 1).is_behind(at, unit); --position) entry(position) = entry(position - 1);
  const std::uint32_t place = free_.back();
  free_.pop_back();
  entry(position) = {at, unit, place};
  if (position == 0) earliest_ = at;
  pool_[place].at = at;
  return pool_[place];
}

void EventInbox::add(ContextId context, const Answer& answer) {
  Delivery& delivery = insert(answer.at, answer.unit);
  assert(answer.longwords.size() <= delivery.longwords.size() && "a burst longer than a context's transfer registers");
  delivery.context = context;
  delivery.events = answer.events;
  delivery.first = answer.first;
  delivery.count = static_cast<std::uint8_t>(answer.longwords.size());
  std::copy(answer.longwords.begin(), answer.longwords.end(), delivery.longwords.begin());
}

void EventInbox::hash(StateHash& hash) const {
  hash.add(count_);
  for (std::size_t i = count_; i-- > 0;) {
    const Delivery& delivery = pool_[entry(i).place];
    hash.add(delivery.at);
    hash.add(delivery.context.index());
    hash.add(delivery.events);
    if (delivery.count == 0) continue;
    hash.add(static_cast<std::uint64_t>(delivery.first.file));
    hash.add(delivery.first.index);
    for (unsigned n = 0; n < delivery.count; ++n) hash.add(delivery.longwords[n]);
  }
}

}  // namespace nplab::simulator
