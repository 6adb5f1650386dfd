// A memory unit whose references wait in a set of queues until its arbiter chooses them. Refusal,
// stall causes, state hash and inspection follow from `kRows`, the description of the queues.
// `Unit` says which queue a command belongs to (`queue_of`), decides what is served (`decide`) and
// when the next decision is due (`schedule`). References that it holds back keep their places in
// the queues that they came from (`places_kept`, `for_each_held_back`).
#pragma once

#include <array>
#include <utility>

#include "simulator/base/command_text.h"
#include "simulator/base/fixed_queue.h"
#include "simulator/base/unit_queues.h"
#include "simulator/memory/memory_unit.h"

namespace nplab::simulator {

// `Base` is MemoryUnit, or what units of one kind have in common.
template <class Unit, const auto& kRows, class Base = MemoryUnit>
class QueuedUnit : public Base {
 public:
  static constexpr unsigned kQueues = kRows.size();

  [[nodiscard]] bool has_room(const Command& command, Cycle at) final {
    run(at);
    return !is_full_for(command);
  }
  [[nodiscard]] Cycle full_before(const Command& command) const final {
    return is_full_for(command) ? next_decision_ + 1 : Cycle();
  }
  [[nodiscard]] UnitQueue::Refusal refusal(const Command& command) const final {
    const unsigned queue = unit().queue_of(command);
    return {is_full(queue) ? kCauses[queue] : capacity_cause(), next_decision_ + 1};
  }
  void run(Cycle horizon) final {
    while (next_decision_ < horizon)
      unit().decide();
  }

  // Of the bases only that of SDRAM declares these two.
  // NOLINTBEGIN(modernize-use-override)
  [[nodiscard]] std::array<std::size_t, kQueues> queue_sizes() const {
    std::array<std::size_t, kQueues> sizes{};
    for (unsigned queue = 0; queue < kQueues; ++queue)
      sizes[queue] = queues_[queue].size() + unit().places_kept(queue);
    return sizes;
  }
  // The queue that a command belongs to, as the chip file names it.
  [[nodiscard]] std::string_view queue_name(const Command& command) const {
    return kRows.rows[unit().queue_of(command)].name;
  }
  // NOLINTEND(modernize-use-override)
  [[nodiscard]] QueuedReferences queued_references() const override {
    QueuedReferences queued;
    for_each_waiting([&queued](unsigned, const QueuedCommand& waiting) {
      if (!Base::is_line(waiting.command))
        queued.add(waiting.command);
    });
    return queued;
  }
  void describe_waiting(std::vector<std::string>& lines) const override {
    for_each_waiting([&lines](unsigned queue, const QueuedCommand& waiting) {
      lines.push_back(kRows.full_name(queue) + ": " + to_text(waiting.command));
    });
  }

 protected:
  using Base::next_decision_;
  using Base::now_;
  using Base::statistics_;
  using CommandQueue = FixedQueue<QueuedCommand>;

  // `effective_capacity`: references waiting in all queues that refuse, at most; 0: the queues
  // alone limit.
  QueuedUnit(std::uint32_t bytes, const MemoryUnit::Clocking& clocking,
             const QueueSizes<kRows>& sizes, unsigned effective_capacity = 0)
      : Base(bytes, clocking),
        queues_(make_queues(sizes, std::make_index_sequence<kQueues>())),
        effective_capacity_(effective_capacity) {}

  // The command arrives in the queue it belongs to.
  void enqueue(const Command& command, Cycle at) {
    CommandQueue& queue = queues_[unit().queue_of(command)];
    queue.push({command, at});
    ++waiting_;
    statistics_.queued(waiting_ + held_back());
    if (queue.size() == 1)
      unit().schedule();  // after others it changes nothing yet
  }
  // The first command of `queue` leaves it, once `serve` is done with it.
  template <class Serve>
  void take_first(unsigned queue, Serve serve) {
    --waiting_;
    arrival_ = queues_[queue].front().arrival;
    serve(queues_[queue].front().command);
    queues_[queue].drop();
  }
  // The queues, a bit each, whose first command arrived at least `latency` cycles before now.
  [[nodiscard]] std::uint64_t due(Cycles latency) const {
    std::uint64_t queues = 0;
    for (unsigned queue = 0; queue < kQueues; ++queue)
      if (refuses(queue) && is_due(queues_[queue], latency))
        queues |= std::uint64_t{1} << queue;
    return queues;
  }
  // The earliest arrival of the first commands; never() if there are none.
  [[nodiscard]] Cycle earliest_arrival() const {
    Cycle earliest = Cycle::never();
    for (unsigned queue = 0; queue < kQueues; ++queue)
      if (refuses(queue) && !queues_[queue].empty())
        earliest = std::min(earliest, queues_[queue].front().arrival);
    return earliest;
  }
  void hash_queues(StateHash& hash) const {
    for (const std::size_t size : queue_sizes())
      hash.add(size);
    for_each_waiting([&hash](unsigned, const QueuedCommand& waiting) {
      add_to(hash, waiting.command);
      hash.add(waiting.arrival);
    });
  }
  // A unit that holds nothing back.
  [[nodiscard]] static constexpr unsigned places_kept(unsigned) { return 0; }
  template <class Visit>
  void for_each_held_back(Visit) const {}

  std::array<CommandQueue, kQueues> queues_;
  Cycle arrival_;  // of the command that is served

 private:
  [[nodiscard]] static constexpr bool refuses(unsigned queue) {
    return kRows.rows[queue].when_full == FullQueueEffect::kRefuses;
  }
  static constexpr std::array<StallCause, kQueues> kCauses = [] {
    std::array<StallCause, kQueues> causes{};
    for (unsigned queue = 0; queue < kQueues; ++queue)
      if (refuses(queue))
        causes[queue] = stall_cause(kRows.unit, kRows.rows[queue].name);
    return causes;
  }();
  [[nodiscard]] static constexpr StallCause capacity_cause() {
    if constexpr (kRows.limit == SharedLimit::kEffectiveCapacity)
      return stall_cause(kRows.unit, "capacity");
    else
      return kCauses[0];  // a unit without a shared limit refuses only when a queue is full
  }
  template <std::size_t... kNumbers>
  static std::array<CommandQueue, kQueues> make_queues(const QueueSizes<kRows>& sizes,
                                                       std::index_sequence<kNumbers...>) {
    return {CommandQueue(sizes.entries[kNumbers])...};
  }

  [[nodiscard]] Unit& unit() { return static_cast<Unit&>(*this); }
  [[nodiscard]] const Unit& unit() const { return static_cast<const Unit&>(*this); }

  // What the unit itself puts aside does not count towards the shared limit: what frees it must
  // find room.
  [[nodiscard]] bool is_full_for(const Command& command) const {
    if (effective_capacity_ != 0 && waiting_ >= effective_capacity_)
      return true;
    return is_full(unit().queue_of(command));
  }
  [[nodiscard]] bool is_full(unsigned queue) const {
    return queues_[queue].size() + unit().places_kept(queue) == queues_[queue].capacity();
  }
  // Visits all references that wait, with the queue whose place each takes.
  template <class Visit>
  void for_each_waiting(Visit visit) const {
    for (unsigned queue = 0; queue < kQueues; ++queue)
      for (std::size_t i = 0; i < queues_[queue].size(); ++i)
        visit(queue, queues_[queue].at(i));
    unit().for_each_held_back(visit);
  }
  [[nodiscard]] bool is_due(const CommandQueue& queue, Cycles latency) const {
    return !queue.empty() && queue.front().arrival + latency <= now_;
  }
  // References that the unit itself has put aside.
  [[nodiscard]] unsigned held_back() const {
    std::size_t waiting = 0;
    for (unsigned queue = 0; queue < kQueues; ++queue)
      waiting += unit().places_kept(queue) + (refuses(queue) ? 0 : queues_[queue].size());
    return static_cast<unsigned>(waiting);
  }

  unsigned effective_capacity_;
  unsigned waiting_ = 0;  // in the queues that refuse, but for what is held back
};

// What a unit's arbiter may know of its queues.
template <class CommandQueue>
class QueueRequests {
 public:
  QueueRequests(std::uint64_t asking, const CommandQueue* queues)
      : asking_(asking), queues_(queues) {}

  [[nodiscard]] std::uint64_t asking() const { return asking_; }
  [[nodiscard]] Cycle since(unsigned queue) const { return queues_[queue].front().arrival; }

 private:
  std::uint64_t asking_;
  const CommandQueue* queues_;
};

}  // namespace nplab::simulator
