// The queues in which references wait before the units: the one description of them. The chip
// file's keys, refusals and the stall causes, the state hash, and the names and sizes in records,
// traces and deadlock reports all follow from it.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nplab::simulator {

// What a full queue does to the next reference.
enum class FullQueueEffect : std::uint8_t {
  kRefuses,    // the command bus keeps the reference, and its engine stalls
  kHoldsBack,  // the unit itself fills the queue: a reference too many keeps its place in the queue
               // that it comes from
};

struct QueueRow {
  std::string_view name;      // its key in the unit's section of the chip file
  std::string_view contents;  // the references that wait in it
  FullQueueEffect when_full = FullQueueEffect::kRefuses;
};

// Whether all queues that refuse have one limit together besides their own (effective_capacity).
enum class SharedLimit : std::uint8_t { kNone, kEffectiveCapacity };

template <std::size_t kQueues>
struct UnitQueues {
  std::string_view unit;  // the unit's section of the chip file
  SharedLimit limit{};
  std::array<QueueRow, kQueues> rows;

  [[nodiscard]] static constexpr std::size_t size() { return kQueues; }
  // The number of the queue `name`, which exists.
  [[nodiscard]] constexpr unsigned index_of(std::string_view name) const {
    unsigned index = 0;
    while (index < kQueues && rows[index].name != name)
      ++index;
    assert(index < kQueues && "a unit has no queue of this name");
    return index;
  }
  // As `sram.order_queue`.
  [[nodiscard]] std::string full_name(unsigned queue) const {
    return std::string(unit) + "." + std::string(rows[queue].name);
  }
};

inline constexpr UnitQueues<4> kSramQueues{
    "sram",
    SharedLimit::kEffectiveCapacity,
    {{{"priority_queue", "references with the token priority"},
      {"read_queue", "reads with the token optimize_mem"},
      {"order_queue", "all other references, in their order"},
      {"lock_fail_queue", "read_locks of addresses that are locked",
       FullQueueEffect::kHoldsBack}}}};

inline constexpr UnitQueues<4> kSdramQueues{
    "sdram",
    SharedLimit::kEffectiveCapacity,
    {{{"priority_queue", "references with the token priority"},
      {"even_queue", "references to even banks with the token optimize_mem"},
      {"odd_queue", "references to odd banks with the token optimize_mem"},
      {"order_queue", "all other references, in their order"}}}};

inline constexpr UnitQueues<1> kScratchQueues{
    "scratch", SharedLimit::kNone, {{{"queue", "all references"}}}};

inline constexpr UnitQueues<1> kFbiQueues{
    "fbi", SharedLimit::kNone, {{{"queue", "all references"}}}};

// Calls `visit` for the queues of every unit.
template <class Visit>
constexpr void for_each_unit(Visit visit) {
  visit(kSramQueues);
  visit(kSdramQueues);
  visit(kScratchQueues);
  visit(kFbiQueues);
}

// How many references each queue of a unit holds.
template <const auto& kUnit>
struct QueueSizes {
  std::array<unsigned, kUnit.size()> entries{};

  [[nodiscard]] constexpr unsigned& operator[](std::string_view name) {
    return entries[kUnit.index_of(name)];
  }
  [[nodiscard]] constexpr unsigned operator[](std::string_view name) const {
    return entries[kUnit.index_of(name)];
  }
};

}  // namespace nplab::simulator
