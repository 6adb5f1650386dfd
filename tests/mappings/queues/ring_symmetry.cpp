#include "ring_symmetry.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace nplab::ring_model {
namespace {

using Order = std::array<unsigned, kMostThreads>;  // by place: the number that comes there

template <class Thread>
int compare(const Thread& left, const Thread& right) {
  return std::memcmp(&left, &right, sizeof(Thread));
}

// Sorts the threads of a side, with their engines where each has one, by what is in them.
template <class Thread, class Engine>
class SideSorter {
 public:
  SideSorter(const Side& side, std::array<Thread, kMostThreads>& threads,
             std::array<Engine, kMostThreads>& engines)
      : side_(side), threads_(threads), engines_(engines) {}

  // Returns where each thread was. Bubble sort: there are three threads at most, mostly in order.
  Order sort() {
    for (unsigned end = side_.threads(); end > 1; --end) {
      for (unsigned i = 0; i + 1 < end; ++i) {
        if (may_swap(i) && is_after_next(i))
          swap_with_next(i);
      }
    }
    return order_;
  }

 private:
  // Threads of one engine are alike; engines are where each has one thread.
  [[nodiscard]] bool may_swap(unsigned i) const {
    return side_.engines[i] == side_.engines[i + 1] || !side_.shares_engine;
  }
  [[nodiscard]] Engine& engine(unsigned i) const { return engines_[side_.engines[i]]; }
  [[nodiscard]] bool is_after_next(unsigned i) const {
    const int by_thread = compare(threads_[i], threads_[i + 1]);
    return by_thread > 0 || (by_thread == 0 && compare(engine(i), engine(i + 1)) > 0);
  }
  void swap_with_next(unsigned i) {
    std::swap(threads_[i], threads_[i + 1]);
    std::swap(order_[i], order_[i + 1]);
    if (!side_.shares_engine)
      std::swap(engine(i), engine(i + 1));
  }

  const Side& side_;
  std::array<Thread, kMostThreads>& threads_;
  std::array<Engine, kMostThreads>& engines_;
  Order order_{0, 1, 2};
};

void rename(Item& item, const Order& new_number) {
  if (is_unread(item))
    item = item_of(new_number[producer_of(item)], number_of(item));
}

void rename(Entry& entry, const Order& new_number) {
  rename(entry.item, new_number);
  rename(entry.rest, new_number);
}

void rename_items(RingState& state, const Order& order) {
  Order new_number{};
  for (unsigned place = 0; place < kMostThreads; ++place)
    new_number[order[place]] = place;
  for (Entry& entry : state.memory.entries)
    rename(entry, new_number);
  for (Producer& producer : state.producers)
    rename(producer.entry, new_number);
  for (Consumer& consumer : state.consumers)
    rename(consumer.entry, new_number);
  for (Item& item : state.ledger.ahead)
    rename(item, new_number);
  const auto items = state.ledger.items;
  for (unsigned place = 0; place < kMostThreads; ++place)
    state.ledger.items[place] = items[order[place]];
}

}  // namespace

void make_canonical(const RingSetup& setup, RingState& state) {
  const Order order = SideSorter(setup.producers, state.producers, state.producer_engines).sort();
  if (order != Order{0, 1, 2})
    rename_items(state, order);
  if (setup.wait != Wait::kSignal)
    SideSorter(setup.consumers, state.consumers, state.consumer_engines).sort();
  SideSorter(setup.releasers, state.releasers, state.releaser_engines).sort();
}

}  // namespace nplab::ring_model
