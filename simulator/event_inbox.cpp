#include "simulator/event_inbox.h"

#include <algorithm>
#include <cassert>

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
  for (std::size_t i = pool_.size(); i < order_.size(); ++i) free_.push_back(static_cast<std::uint16_t>(i));
  pool_.resize(order_.size());
}

Delivery& EventInbox::insert(Cycle at) {
  if (count_ == order_.size()) grow();
  // Almost everything belongs near the end that is latest.
  std::size_t position = count_++;
  for (; position > 0 && entry(position - 1).at > at; --position) entry(position) = entry(position - 1);
  const std::uint16_t place = free_.back();
  free_.pop_back();
  entry(position) = {at, place};
  if (position == 0) earliest_ = at;
  pool_[place].at = at;
  return pool_[place];
}

void EventInbox::add_event(ContextId context, std::uint16_t event, Cycle at) {
  Delivery& delivery = insert(at);
  delivery.context = context;
  delivery.event = event;
  delivery.count = 0;
}

void EventInbox::add_data(ContextId context, TransferRegister first, std::span<const std::uint32_t> longwords,
                          Cycle at) {
  Delivery& delivery = insert(at);
  assert(longwords.size() <= delivery.longwords.size() && "a burst longer than a context's transfer registers");
  delivery.context = context;
  delivery.event = 0;
  delivery.first = first;
  delivery.count = static_cast<std::uint8_t>(longwords.size());
  std::copy(longwords.begin(), longwords.end(), delivery.longwords.begin());
}

void EventInbox::hash(StateHash& hash) const {
  hash.add(count_);
  for (std::size_t i = count_; i-- > 0;) {
    const Delivery& delivery = pool_[entry(i).place];
    hash.add(delivery.at);
    hash.add(delivery.context.index());
    hash.add(delivery.event);
    for (unsigned i = 0; i < delivery.count; ++i) hash.add(delivery.longwords[i]);
  }
}

}  // namespace nplab::simulator
