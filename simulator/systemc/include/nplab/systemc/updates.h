// Rules that a host inserts and deletes while a chip classifies: what is to be written, in which
// order, and how the host knows that no lookup under way has seen what was there before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nplab::systemc {

// Longwords that follow one another, at an address of a memory in bytes.
struct TableWrite {
  std::string memory;  // `sram`, `sdram`, `scratch`
  std::uint32_t address = 0;
  std::vector<std::uint32_t> longwords;
};

// One rule's coming or going.
struct TableChange {
  std::vector<TableWrite> preparation;  // of memory that no lookup reaches, before
  TableWrite link;  // the one longword by which lookups find the rule, or no longer do
  // Of tables that a unit of the chip keeps: references that follow, in this order. One without
  // longwords reads one, which comes when the unit is done with what was written before. The change
  // comes into force at some time between the link and the end of the last of these.
  std::vector<TableWrite> completion;
};

// How a host reads what a unit has counted for a rule, at one of the rule's places in the unit.
struct CounterRead {
  std::vector<TableWrite> request;  // in this order
  TableWrite outcome;   // without longwords: one is read, which comes when the request has ended
  TableWrite counters;  // without longwords: then counters::kLongwords are read, in one access
};

// What they are. The latest packet is a cycle of the unit.
namespace counters {
inline constexpr unsigned kLongwords = 6;
struct Values {
  std::uint64_t packets = 0, bytes = 0, latest = 0;
};
inline Values values_of(const std::uint32_t* longwords) {
  const auto value = [longwords](unsigned first) {
    return std::uint64_t{longwords[first]} << 32 | longwords[first + 1];
  };
  return {value(0), value(2), value(4)};
}
}  // namespace counters

// The tables of a program, as they are after all that was inserted and erased here.
class TableUpdater {
 public:
  virtual ~TableUpdater() = default;
  // Puts in a rule that the tables do not hold. Nothing where memory must be reclaimed first.
  virtual std::optional<TableChange> insert(std::uint32_t rule) = 0;
  // Takes out a rule that they hold.
  virtual TableChange erase(std::uint32_t rule) = 0;
  // The places of a rule where a unit counts; none: no unit does, or the tables do not hold it.
  [[nodiscard]] virtual std::vector<CounterRead> counters(std::uint32_t rule) const = 0;
  // No lookup is under way any more that began before the last link was written: the memory of the
  // rules that were taken out may be used again.
  virtual void reclaim() = 0;
};

// The table `readers` of a program that takes updates (Program::table), in bytes: a lookup counts
// itself in with the epoch that it finds, and out at its end. Who waits for all lookups that began
// before reads the counts until those of the epoch that is not in use are equal, writes the other
// epoch, and reads until those of the one that was in use are equal, too.
namespace readers {
inline constexpr std::uint32_t kBytes = 24;
inline constexpr std::uint32_t kEpoch = 0;  // that lookups begin in: 0 or 1
constexpr std::uint32_t begun(std::uint32_t epoch) {
  return 4 + 4 * epoch;
}
constexpr std::uint32_t ended(std::uint32_t epoch) {
  return 12 + 4 * epoch;
}
}  // namespace readers

// An update that ProgramOptions::updates plans.
struct RuleUpdate {
  enum class Kind { kInsert, kDelete };
  Kind kind{};
  std::uint32_t rule = 0;
  std::uint64_t due = 0;  // the chip's cycle before which it is not begun
};

}  // namespace nplab::systemc
