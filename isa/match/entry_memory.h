// The contents of a memory of entries, most of which are empty: what is not there is zeros.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "isa/match/entry.h"

namespace nplab::isa::match {

class EntryMemory {
 public:
  [[nodiscard]] Entry read(Slot slot) const {
    const auto found = entries_.find(slot);
    return found == entries_.end() ? Entry() : found->second;
  }
  void write(Slot slot, const Entry& entry) {
    if (entry == Entry())
      entries_.erase(slot);
    else
      entries_[slot] = entry;
  }
  void reserve(std::size_t entries) { entries_.reserve(entries); }
  [[nodiscard]] std::size_t entries() const { return entries_.size(); }
  // In no order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [slot, entry] : entries_)
      visit(slot, entry);
  }

 private:
  std::unordered_map<Slot, Entry> entries_;
};

}  // namespace nplab::isa::match
