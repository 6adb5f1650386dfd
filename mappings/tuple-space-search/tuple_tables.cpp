#include "mappings/tuple-space-search/tuple_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <map>

#include "isa/hash_function.h"
#include "mappings/include/readers.h"
#include "mappings/include/verdict.h"
#include "mappings/tables/action_word.h"
#include "mappings/tuple-space-search/layout.h"
#include "mappings/tuple-space-search/rule_chains.h"

namespace nplab::mappings::tuple_space {
namespace {

constexpr std::size_t kFields = 5;  // of a record in layout.h

// Deletes between two times that the core processor waits for all lookups, when it has no other
// reason to.
constexpr std::size_t kSpareEntries = 64;

class Writer {
 public:
  Writer(std::vector<HashTable> tables, const BuildInputs& inputs)
      : rules_(inputs.rules),
        updates_(inputs.updates),
        tables_(std::move(tables)),
        tuples_(inputs.place("tuples")),
        slots_(inputs.place("slots")),
        entries_(inputs.place("entries")),
        uses_hash_unit_(inputs.parameter("hash_unit") != 0),
        readers_(inputs.place("readers")),
        readers_bytes_(inputs.parameter("updates") != 0 ? READERS_BYTES : 0),
        homes_(rules_.size()),
        hashing_(part_of(inputs.progress, 0, 0.5)),
        writing_(part_of(inputs.progress, 0.5, 1)) {
    std::sort(tables_.begin(), tables_.end(), [](const HashTable& a, const HashTable& b) {
      return a.rules.front() < b.rules.front();
    });
  }

  TableSet write() {
    std::uint32_t tuple_at = tuples_.base + GROUPS * GROUP_BYTES;
    for (std::uint32_t group = 0; group < GROUPS; ++group) {
      put(tuples_, tuples_.base + group * GROUP_BYTES, tuple_at);
      for (std::size_t i = group * tables_.size() / GROUPS;
           i < (group + 1) * tables_.size() / GROUPS; ++i) {
        write_table(tables_[i], tuple_at);
        tuple_at += TUPLE_BYTES;
      }
      write_end(tuple_at);
      tuple_at += TUPLE_BYTES;
    }
    write_rules();
    write_readers();
    put_sizes();
    return std::move(set_);
  }

 private:
  void write_table(const HashTable& table, std::uint32_t at) {
    const auto slots = static_cast<std::uint32_t>(std::bit_ceil(2 * table.rules.size()));
    const std::uint32_t slots_at = slots_.base + slot_count_ * SLOT_BYTES;
    const std::uint32_t slot_mask = (slots - 1) * SLOT_BYTES;
    for (std::size_t f = 0; f < kFields; ++f)
      put(tuples_, at + 4 * TUPLE_MASK(f), mask(table, f));
    put(tuples_, at + 4 * TUPLE_BEST, table.rules.front());
    put(tuples_, at + 4 * TUPLE_SLOTS, slots_at);
    put(tuples_, at + 4 * TUPLE_SLOT_MASK, slot_mask);
    for (std::uint32_t slot = 0; slot < slots; ++slot)
      put(slots_, slots_at + slot * SLOT_BYTES, 0);
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_slot;
    for (const std::uint32_t rule : table.rules) {
      tell(hashing_, hashed_++, rules_.size());
      homes_[rule] = {slots_at + (hash_of(table, rule) & slot_mask), entry_of(rule)};
      if (is_in_at_start(rule))
        by_slot[homes_[rule].slot].push_back(rule);
    }
    for (const auto& [slot, rules] : by_slot)
      order_.insert(order_.end(), rules.begin(), rules.end());
    slot_count_ += slots;
  }

  // Searched last of its group: no rule is better than it.
  void write_end(std::uint32_t at) {
    for (std::uint32_t i = 0; i < TUPLE_BYTES / 4; ++i)
      put(tuples_, at + 4 * i, i == TUPLE_BEST ? NO_MATCH : 0);
  }

  [[nodiscard]] bool is_in_at_start(std::uint32_t rule) const {
    return updates_ == nullptr || updates_->at_start[rule];
  }

  // Entries for all rules at any time, and with updates for some that were taken out and cannot be
  // used again yet.
  [[nodiscard]] std::size_t capacity() const {
    return updates_ == nullptr ? rules_.size() : updates_->most_in_force + kSpareEntries;
  }

  // A slot's entries lie side by side.
  void write_rules() {
    RuleChains chains(slots_, entries_, capacity(), std::move(homes_));
    std::size_t written = 0;
    for (const std::uint32_t rule : order_) {
      tell(writing_, written++, order_.size());
      const auto change = chains.insert(rule);
      assert(change && "the table of entries holds all rules in force");
      for (const TableWrite& write : change->preparation)
        put(write);
      put(change->link);
    }
    longest_chain_ = chains.longest_chain();
    if (updates_ != nullptr)
      set_.updater = std::make_shared<RuleChains>(std::move(chains));
  }

  [[nodiscard]] std::array<std::uint32_t, ENTRY_BYTES / 4> entry_of(std::uint32_t index) const {
    const workloads::Rule& rule = rules_.rules()[index];
    std::array<std::uint32_t, ENTRY_BYTES / 4> entry{};
    entry[ENTRY_RULE] = index;
    for (std::uint32_t f = 0; f < rule.ranges.size(); ++f) {
      entry[ENTRY_LOW(f)] = static_cast<std::uint32_t>(rule.ranges[f].low);
      entry[ENTRY_HIGH(f)] = static_cast<std::uint32_t>(rule.ranges[f].high);
    }
    entry[ENTRY_ACTION] = action_word(rule.action);
    return entry;
  }

  [[nodiscard]] std::uint32_t mask(const HashTable& table, std::size_t field) const {
    return field < table.tuple.size() ? mask_of(rules_.fields()[field].bits, table.tuple[field])
                                      : 0;
  }

  // As the search computes it (layout.h).
  [[nodiscard]] std::uint32_t hash_of(const HashTable& table, std::uint32_t rule) const {
    std::array<std::uint32_t, kFields> key{};
    for (std::size_t f = 0; f < table.tuple.size(); ++f) {
      key[f] = static_cast<std::uint32_t>(rules_.rules()[rule].ranges[f].low) & mask(table, f);
    }
    if (uses_hash_unit_) {
      const std::uint64_t high = FOLDED_HIGH(key[0], key[3]);
      const std::uint64_t multiplier =
          std::uint64_t{HASH_MULTIPLIER_HIGH} << 32 | HASH_MULTIPLIER_LOW;
      return static_cast<std::uint32_t>(
          isa::hash_64(high << 32 | FOLDED_LOW(key[1], key[2], key[4]), multiplier));
    }
    std::uint32_t hash = 0;
    for (std::size_t f = 0; f < table.tuple.size(); ++f)
      hash = mix(hash, key[f]);
    return finish(hash);
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    set_.image.put_longword(place.space, address, value);
  }

  void put(const TableWrite& write) {
    for (std::uint32_t i = 0; i < write.longwords.size(); ++i) {
      set_.image.put_longword(write.space, write.address + 4 * i, write.longwords[i]);
    }
  }

  // All lookups begin in epoch 0.
  void write_readers() {
    for (std::uint32_t at = 0; at < readers_bytes_; at += 4)
      put(readers_, readers_.base + at, 0);
  }

  void put_sizes() {
    const std::uint64_t tuples = tables_.size() + GROUPS;
    set_.sizes.push_back({"tuples", GROUPS * GROUP_BYTES + tuples * TUPLE_BYTES,
                          fmt::format("{} parts x {} + ({} tuples + {} ends) x {} bytes", GROUPS,
                                      GROUP_BYTES, tables_.size(), GROUPS, TUPLE_BYTES)});
    set_.sizes.push_back({"slots", std::uint64_t{slot_count_} * SLOT_BYTES,
                          fmt::format("{} slots of {} hash tables x {} bytes", slot_count_,
                                      tables_.size(), SLOT_BYTES)});
    set_.sizes.push_back({"entries", std::uint64_t{capacity()} * ENTRY_BYTES,
                          fmt::format("{} rules x {} bytes (at most {} a slot)", capacity(),
                                      ENTRY_BYTES, longest_chain_)});
    set_.sizes.push_back(
        {"readers", readers_bytes_, "an epoch and two counters for each of two, with updates"});
    set_.facts = {{"hash_tables", tables_.size()}, {"longest_chain", longest_chain_}};
  }

  const workloads::RuleSet& rules_;
  const ExpectedUpdates* const updates_;
  std::vector<HashTable> tables_;
  const TablePlace tuples_;
  const TablePlace slots_;
  const TablePlace entries_;
  const bool uses_hash_unit_;
  const TablePlace readers_;
  const std::uint32_t readers_bytes_;
  std::vector<RuleChains::Home> homes_;  // by rule
  const BuildProgress hashing_;
  const BuildProgress writing_;
  std::size_t hashed_ = 0;            // rules
  std::vector<std::uint32_t> order_;  // of the rules in force, as their entries lie
  std::uint32_t slot_count_ = 0;
  std::size_t longest_chain_ = 0;
  TableSet set_;
};

}  // namespace

Tuple tuple_of(const workloads::RuleSet& rules, std::uint32_t rule) {
  Tuple tuple;
  const auto& ranges = rules.rules()[rule].ranges;
  for (std::size_t f = 0; f < ranges.size(); ++f) {
    tuple.push_back(rules.fields()[f].bits -
                    static_cast<unsigned>(std::bit_width(ranges[f].low ^ ranges[f].high)));
  }
  return tuple;
}

std::uint32_t mask_of(unsigned bits, unsigned length) {
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  return static_cast<std::uint32_t>(all & ~((std::uint64_t{1} << (bits - length)) - 1));
}

bool covers(const Tuple& table, const Tuple& rule) {
  return std::equal(table.begin(), table.end(), rule.begin(),
                    [](unsigned t, unsigned r) { return t <= r; });
}

std::vector<HashTable> tables_by_tuple(const workloads::RuleSet& rules) {
  std::vector<HashTable> tables;
  std::map<Tuple, std::size_t> known;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
    const Tuple tuple = tuple_of(rules, rule);
    const auto [at, is_new] = known.try_emplace(tuple, tables.size());
    if (is_new)
      tables.push_back({tuple, {}});
    tables[at->second].rules.push_back(rule);
  }
  return tables;
}

TableSet write_tables(std::vector<HashTable> tables, const BuildInputs& inputs) {
  return Writer(std::move(tables), inputs).write();
}

}  // namespace nplab::mappings::tuple_space
