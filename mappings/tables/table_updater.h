// Tables into which rules are put, and from which they are taken, while engines look into them:
// what must be written, and in which order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "isa/program_image.h"

namespace nplab::mappings {

// Longwords that follow one another.
struct TableWrite {
  isa::MemorySpace space{};
  std::uint32_t address = 0;  // bytes, a multiple of 4
  std::vector<std::uint32_t> longwords;
};

// A longword.
struct TableRead {
  isa::MemorySpace space{};
  std::uint32_t address = 0;
};

// One rule's coming or going: references in this order.
struct TableChange {
  std::vector<TableWrite> preparation;  // of memory that no lookup reaches, before
  TableWrite link;  // the one longword by which lookups find the rule, or no longer do
  // Of tables that a unit keeps, which changes them by itself: what follows. The change comes into
  // force at some time between the link and the end of the last of these.
  std::vector<std::variant<TableRead, TableWrite>> completion{};
};

// How the counters of a rule are read where a unit has them, at one of the rule's places there.
struct CounterRead {
  std::vector<TableWrite> request;  // in this order
  TableRead outcome;                // which comes when the request has ended
  TableRead counters;               // then: of isa::match::kServiceStateWords longwords
};

// The rules that a builder knows, by index; which of them the tables hold changes.
class TableUpdater {
 public:
  virtual ~TableUpdater() = default;
  [[nodiscard]] virtual std::unique_ptr<TableUpdater> clone() const = 0;

  // Puts in a rule that the tables do not hold. Nothing where its memory must be reclaimed first.
  virtual std::optional<TableChange> insert(std::uint32_t rule) = 0;
  // Takes out a rule that they hold. A lookup under way may still be there and goes on from it, so
  // its memory stays as it is until it is reclaimed.
  virtual TableChange erase(std::uint32_t rule) = 0;
  // The places of a rule where a unit counts its packets, bytes and latest packet. Where no unit
  // does: none.
  [[nodiscard]] virtual std::vector<CounterRead> counters(std::uint32_t /*rule*/) const {
    return {};
  }
  // No lookup is under way any more that began before the last link was written: the memory of all
  // rules that were taken out may be used again.
  virtual void reclaim() = 0;
};

}  // namespace nplab::mappings
