#include "simulator/engine/event_inbox.h"

#include <cassert>

#include "simulator/base/state_hash.h"

namespace nplab::simulator {
namespace {

// Room for what usually is under way; more is allocated when needed. A power of two.
constexpr std::size_t kUsual = 64;

}  // namespace

EventInbox::EventInbox() : ring_(kUsual), mask_(kUsual - 1) {}

void EventInbox::grow() {
  std::vector<Delivery> larger(2 * ring_.size());
  for (std::size_t i = 0; i < count_; ++i)
    larger[i] = entry(i);
  ring_ = std::move(larger);
  mask_ = ring_.size() - 1;
  first_ = 0;
}

void EventInbox::add(ContextId context, const Answer& answer) {
  if (count_ == ring_.size())
    grow();
  // Almost everything belongs near the end that is latest.
  std::size_t position = count_++;
  for (; position > 0 && entry(position - 1).is_behind(answer); --position)
    entry(position) = entry(position - 1);
  Delivery& delivery = entry(position);
  assert(answer.longwords.size() <= delivery.longwords.size() &&
         "a burst longer than a context's transfer registers");
  delivery.at = answer.at;
  delivery.unit = answer.unit;
  delivery.context = context;
  delivery.events = answer.events;
  delivery.first = answer.first;
  delivery.count = static_cast<std::uint8_t>(answer.longwords.size());
  for (unsigned i = 0; i < delivery.count; ++i)
    delivery.longwords[i] = answer.longwords[i];
  if (position == 0)
    earliest_ = answer.at;
}

void EventInbox::hash(StateHash& hash) const {
  hash.add(count_);
  for (std::size_t i = count_; i-- > 0;) {
    const Delivery& delivery = entry(i);
    hash.add(delivery.at);
    hash.add(delivery.context.index());
    hash.add(delivery.events);
    if (delivery.count == 0)
      continue;
    hash.add(static_cast<std::uint64_t>(delivery.first.file));
    hash.add(delivery.first.index);
    for (unsigned n = 0; n < delivery.count; ++n)
      hash.add(delivery.longwords[n]);
  }
}

}  // namespace nplab::simulator
