// The rules of hash tables, chained by slot: which writes put a rule in and take it out. The
// builder makes the tables by the same steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mappings/tables/table_builder.h"
#include "mappings/tuple-space-search/layout.h"

namespace nplab::mappings::tuple_space {

// Entries for all rules at any time, and with updates for some that were taken out and cannot be
// used again yet.
std::size_t chain_capacity(std::size_t rules, const ExpectedUpdates* updates);

// Is the rule in the tables from the start?
bool is_in_at_start(std::uint32_t rule, const ExpectedUpdates* updates);

class RuleChains final : public TableUpdater {
 public:
  // Where a rule belongs, and its entry in the table `entries`, the link to the next aside.
  struct Home {
    std::uint32_t slot = 0;  // address
    std::array<std::uint32_t, ENTRY_BYTES / 4> entry{};
  };
  // `homes` by rule; `capacity` entries. No rule is in.
  RuleChains(TablePlace slots, TablePlace entries, std::size_t capacity, std::vector<Home> homes);

  [[nodiscard]] std::unique_ptr<TableUpdater> clone() const override {
    return std::make_unique<RuleChains>(*this);
  }
  // The entry is written before the link that leads to it.
  std::optional<TableChange> insert(std::uint32_t rule) override;
  // The entry before it leads past it from now on; its own link stays for lookups that are there.
  TableChange erase(std::uint32_t rule) override;
  void reclaim() override;

 private:
  using Chain = std::vector<std::uint32_t>;  // rules, ascending

  [[nodiscard]] std::optional<std::uint32_t> take_entry();
  [[nodiscard]] std::uint32_t address_at(const Chain& chain, Chain::const_iterator at) const {
    return at == chain.end() ? 0 : address_[*at];
  }
  // What leads to the rule at a place of its chain: the slot, or the entry before it.
  [[nodiscard]] TableWrite link_to(const Chain& chain, Chain::const_iterator at,
                                   std::uint32_t target) const;

  TablePlace slots_;
  TablePlace entries_;
  std::size_t capacity_;
  std::vector<Home> homes_;
  std::unordered_map<std::uint32_t, Chain> chains_;  // by address of the slot
  std::vector<std::uint32_t> address_;               // of the rule's entry, where it is in
  std::size_t used_ = 0;                             // entries that were in use at some time
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> retired_;
};

}  // namespace nplab::mappings::tuple_space
