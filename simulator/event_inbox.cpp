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
  order_.reserve(kUsual);
}

Delivery& EventInbox::insert(Cycle at) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint16_t>(pool_.size()));
    pool_.emplace_back();
  }
  const std::uint16_t place = free_.back();
  free_.pop_back();
  // Almost everything belongs near the end that is latest.
  auto position = order_.begin();
  while (position != order_.end() && pool_[*position].at > at) ++position;
  order_.insert(position, place);
  earliest_ = std::min(earliest_, at);
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

void EventInbox::pop() {
  free_.push_back(order_.back());
  order_.pop_back();
  earliest_ = order_.empty() ? Cycle::never() : pool_[order_.back()].at;
}

void EventInbox::hash(StateHash& hash) const {
  hash.add(order_.size());
  for (const std::uint16_t place : order_) {
    const Delivery& delivery = pool_[place];
    hash.add(delivery.at);
    hash.add(delivery.context.index());
    hash.add(delivery.event);
    for (unsigned i = 0; i < delivery.count; ++i) hash.add(delivery.longwords[i]);
  }
}

}  // namespace nplab::simulator
