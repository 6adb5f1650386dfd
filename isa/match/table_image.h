// The tables of a match unit, as a builder lays them out before a run: every rule in the place
// that its hash names, or, where that is taken, refused or chained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/match/entry_memory.h"

namespace nplab::isa::match {

// What becomes of a rule whose place another one has; the default first.
enum class Collisions : std::uint8_t { kRefuse, kChain };
std::vector<std::string> choice_words(Collisions collisions);

struct TableSize {
  std::uint64_t home_slots = 0;      // a power of two, at most 2^31
  std::uint64_t overflow_slots = 0;  // for entries of chains; they follow the home slots
};

// What came of a rule.
enum class Placed : std::uint8_t { kPlaced, kCollides, kSameKey, kNoOverflow };
std::string sentence_of(Placed placed);

class TableImage {
 public:
  TableImage(TableSize size, Collisions collisions) : size_(size), collisions_(collisions) {}

  // The rule has key, tuple, next table, action and priority; state and link are the image's.
  Placed insert(const Entry& rule);

  [[nodiscard]] const TableSize& size() const { return size_; }
  [[nodiscard]] const EntryMemory& memory() const { return memory_; }
  [[nodiscard]] EntryMemory& memory() { return memory_; }
  // Overflow slots that are taken: the first of them.
  [[nodiscard]] std::uint64_t overflow_used() const { return overflow_used_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  TableSize size_;
  Collisions collisions_;
  EntryMemory memory_;
  std::uint64_t overflow_used_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace nplab::isa::match
