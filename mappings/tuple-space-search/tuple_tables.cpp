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

class TupleTables final : public TableBuilder {
 public:
  TupleTables(ChooseTables choose, const BuildInputs& inputs, TableOrder order)
      : choose_(std::move(choose)),
        order_of_tables_(order),
        rules_(inputs.rules),
        updates_(inputs.updates),
        uses_hash_unit_(inputs.parameter("hash_unit") != 0),
        readers_bytes_(inputs.parameter("updates") != 0 ? READERS_BYTES : 0),
        choosing_(part_of(inputs.progress, 0, 0.4)),
        hashing_(part_of(inputs.progress, 0.4, 0.7)),
        writing_(part_of(inputs.progress, 0.7, 1)) {}

  std::vector<TableSize> size(Diagnostics&) override {
    tables_ = choose_(rules_, choosing_);
    if (order_of_tables_ == TableOrder::kByBestRule)
      sort_by_best_rule();
    hash_rules();
    const std::uint64_t tuples = tables_.size() + GROUPS;
    return {{"tuples", GROUPS * GROUP_BYTES + tuples * TUPLE_BYTES,
             fmt::format("{} parts x {} + ({} tuples + {} ends) x {} bytes", GROUPS, GROUP_BYTES,
                         tables_.size(), GROUPS, TUPLE_BYTES)},
            {"slots", std::uint64_t{slot_count_} * SLOT_BYTES,
             fmt::format("{} slots of {} hash tables x {} bytes", slot_count_, tables_.size(),
                         SLOT_BYTES)},
            {"entries", std::uint64_t{capacity()} * ENTRY_BYTES,
             fmt::format("{} rules x {} bytes (at most {} a slot)", capacity(), ENTRY_BYTES,
                         longest_chain_)},
            {"readers", readers_bytes_, "an epoch and two counters for each of two, with updates"}};
  }

  TableContents write(const TablePlaces& places) override {
    tuples_ = places.at("tuples");
    slots_ = places.at("slots");
    entries_ = places.at("entries");
    write_tuples();
    for (std::uint32_t slot = 0; slot < slot_count_; ++slot)
      put(slots_, slots_.base + slot * SLOT_BYTES, 0);
    auto chains = write_rules();
    write_readers(places.at("readers"));
    TableContents contents{std::move(image_),
                           {{"hash_tables", tables_.size()}, {"longest_chain", longest_chain_}}};
    if (updates_ != nullptr)
      contents.updater = std::make_shared<RuleChains>(std::move(chains));
    return contents;
  }

 private:
  [[nodiscard]] static std::uint32_t slots_of(const HashTable& table) {
    return static_cast<std::uint32_t>(std::bit_ceil(2 * table.rules.size()));
  }
  [[nodiscard]] static std::uint32_t slot_mask(const HashTable& table) {
    return (slots_of(table) - 1) * SLOT_BYTES;
  }

  void sort_by_best_rule() {
    std::sort(tables_.begin(), tables_.end(), [](const HashTable& a, const HashTable& b) {
      return a.rules.front() < b.rules.front();
    });
  }

  // Finds the slot of every rule, and the order in which the entries lie: a slot's side by side.
  void hash_rules() {
    slot_of_.resize(rules_.size());
    std::size_t hashed = 0;
    for (const HashTable& table : tables_) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> by_slot;
      for (const std::uint32_t rule : table.rules) {
        tell(hashing_, hashed++, rules_.size());
        slot_of_[rule] = slot_count_ * SLOT_BYTES + (hash_of(table, rule) & slot_mask(table));
        if (is_in_at_start(rule, updates_))
          by_slot[slot_of_[rule]].push_back(rule);
      }
      for (const auto& [slot, rules] : by_slot) {
        order_.insert(order_.end(), rules.begin(), rules.end());
        longest_chain_ = std::max(longest_chain_, rules.size());
      }
      slot_count_ += slots_of(table);
    }
  }

  void write_tuples() {
    std::uint32_t tuple_at = tuples_.base + GROUPS * GROUP_BYTES;
    std::uint32_t slots_at = slots_.base;
    for (std::uint32_t group = 0; group < GROUPS; ++group) {
      put(tuples_, tuples_.base + group * GROUP_BYTES, tuple_at);
      for (std::size_t i = group * tables_.size() / GROUPS;
           i < (group + 1) * tables_.size() / GROUPS; ++i) {
        write_tuple(tables_[i], tuple_at, slots_at);
        slots_at += slots_of(tables_[i]) * SLOT_BYTES;
        tuple_at += TUPLE_BYTES;
      }
      write_end(tuple_at);
      tuple_at += TUPLE_BYTES;
    }
  }

  void write_tuple(const HashTable& table, std::uint32_t at, std::uint32_t slots_at) {
    for (std::size_t f = 0; f < kFields; ++f)
      put(tuples_, at + 4 * TUPLE_MASK(f), mask(table, f));
    put(tuples_, at + 4 * TUPLE_BEST, table.rules.front());
    put(tuples_, at + 4 * TUPLE_SLOTS, slots_at);
    put(tuples_, at + 4 * TUPLE_SLOT_MASK, slot_mask(table));
  }

  // Searched last of its group: no rule is better than it.
  void write_end(std::uint32_t at) {
    for (std::uint32_t i = 0; i < TUPLE_BYTES / 4; ++i)
      put(tuples_, at + 4 * i, i == TUPLE_BEST ? NO_MATCH : 0);
  }

  [[nodiscard]] std::size_t capacity() const { return chain_capacity(rules_.size(), updates_); }

  RuleChains write_rules() {
    std::vector<RuleChains::Home> homes;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      homes.push_back({slots_.base + slot_of_[rule], rule_entry(rules_, rule)});
    RuleChains chains(slots_, entries_, capacity(), std::move(homes));
    std::size_t written = 0;
    for (const std::uint32_t rule : order_) {
      tell(writing_, written++, order_.size());
      const auto change = chains.insert(rule);
      assert(change && "the table of entries holds all rules in force");
      for (const TableWrite& write : change->preparation)
        put(write);
      put(change->link);
    }
    return chains;
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
    return finish_hash(hash);
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place.space, address, value);
  }

  void put(const TableWrite& write) {
    for (std::uint32_t i = 0; i < write.longwords.size(); ++i)
      image_.put_longword(write.space, write.address + 4 * i, write.longwords[i]);
  }

  // All lookups begin in epoch 0.
  void write_readers(const TablePlace& readers) {
    for (std::uint32_t at = 0; at < readers_bytes_; at += 4)
      put(readers, readers.base + at, 0);
  }

  const ChooseTables choose_;
  const TableOrder order_of_tables_;
  const workloads::RuleSet& rules_;
  const ExpectedUpdates* const updates_;
  const bool uses_hash_unit_;
  const std::uint32_t readers_bytes_;
  const BuildProgress choosing_;
  const BuildProgress hashing_;
  const BuildProgress writing_;
  std::vector<HashTable> tables_;
  std::vector<std::uint32_t> slot_of_;  // by rule: offset into the table of slots
  std::vector<std::uint32_t> order_;    // of the rules in force, as their entries lie
  std::uint32_t slot_count_ = 0;
  std::size_t longest_chain_ = 0;
  TablePlace tuples_;
  TablePlace slots_;
  TablePlace entries_;
  MemoryImage image_;
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

std::vector<HashTable> tables_by_tuple(const workloads::RuleSet& rules,
                                       const BuildProgress& progress) {
  std::vector<HashTable> tables;
  std::map<Tuple, std::size_t> known;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
    tell(progress, rule, rules.size());
    const Tuple tuple = tuple_of(rules, rule);
    const auto [at, is_new] = known.try_emplace(tuple, tables.size());
    if (is_new)
      tables.push_back({tuple, {}});
    tables[at->second].rules.push_back(rule);
  }
  return tables;
}

RuleEntry rule_entry(const workloads::RuleSet& rules, std::uint32_t index) {
  const workloads::Rule& rule = rules.rules()[index];
  RuleEntry entry{};
  entry[ENTRY_RULE] = index;
  for (std::uint32_t f = 0; f < rule.ranges.size(); ++f) {
    entry[ENTRY_LOW(f)] = static_cast<std::uint32_t>(rule.ranges[f].low);
    entry[ENTRY_HIGH(f)] = static_cast<std::uint32_t>(rule.ranges[f].high);
  }
  entry[ENTRY_ACTION] = action_word(rule.action);
  return entry;
}

std::unique_ptr<TableBuilder> make_tuple_builder(ChooseTables choose, const BuildInputs& inputs,
                                                 TableOrder order) {
  return std::make_unique<TupleTables>(std::move(choose), inputs, order);
}

}  // namespace nplab::mappings::tuple_space
