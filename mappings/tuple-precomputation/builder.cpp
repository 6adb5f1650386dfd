// Builds the grid of tuples, the hash tables of pairs and the rules (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "isa/hash_function.h"
#include "layout.h"
#include "mappings/include/readers.h"
#include "mappings/include/verdict.h"
#include "mappings/tables/table_builder.h"
#include "mappings/tuple-space-search/rule_chains.h"
#include "mappings/tuple-space-search/tuple_tables.h"
#include "pair_grid.h"

namespace nplab::mappings {
namespace {

using tuple_precomputation::make_pair_grid;
using tuple_precomputation::Pair;
using tuple_precomputation::PairGrid;
using tuple_space::RuleChains;

using Record = std::array<std::uint32_t, 8>;
static_assert(sizeof(Record) == TUPLE_RECORD_BYTES);
static_assert(sizeof(Record) == PAIR_BYTES);

std::uint32_t hash_of(const Pair& pair, bool uses_hash_unit) {
  if (!uses_hash_unit)
    return finish_hash(mix(mix(0, pair.key[0]), pair.key[1]));
  const std::uint64_t multiplier = std::uint64_t{HASH_MULTIPLIER_HIGH} << 32 | HASH_MULTIPLIER_LOW;
  return static_cast<std::uint32_t>(
      isa::hash_64(std::uint64_t{pair.key[0]} << 32 | pair.key[1], multiplier));
}

class PrecomputationBuilder final : public TableBuilder {
 public:
  explicit PrecomputationBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        updates_(inputs.updates),
        uses_hash_unit_(inputs.parameter("hash_unit") != 0),
        readers_bytes_(inputs.parameter("updates") != 0 ? READERS_BYTES : 0) {}

  std::vector<TableSize> size(Diagnostics&) override {
    grid_ = make_pair_grid(rules_);
    find_tuples();
    const std::size_t markers = static_cast<std::size_t>(
        std::count_if(grid_.pairs.begin(), grid_.pairs.end(),
                      [](const Pair& pair) { return pair.rules.empty(); }));
    return {{"tuples", tuples_.size() * TUPLE_RECORD_BYTES,
             fmt::format("{} tuples of {} x {} lengths x {} bytes", tuples_.size(),
                         grid_.rows.size(), grid_.columns.size(), TUPLE_RECORD_BYTES)},
            {"slots", std::uint64_t{slot_count_} * SLOT_BYTES,
             fmt::format("{} slots of {} hash tables x {} bytes", slot_count_, tuples_.size(),
                         SLOT_BYTES)},
            {"pairs", grid_.pairs.size() * PAIR_BYTES,
             fmt::format("({} pairs of prefixes + {} markers) x {} bytes",
                         grid_.pairs.size() - markers, markers, PAIR_BYTES)},
            {"entries", capacity() * ENTRY_BYTES,
             fmt::format("{} rules x {} bytes", capacity(), ENTRY_BYTES)},
            {"readers", readers_bytes_, "an epoch and two counters for each of two, with updates"}};
  }

  TableContents write(const TablePlaces& places) override {
    places_ = &places;
    write_tuples();
    const std::size_t longest_chain = write_pairs();
    RuleChains chains = write_rules();
    for (std::uint32_t at = 0; at < readers_bytes_; at += 4)
      put("readers", places.at("readers").base + at, std::array{0u});
    TableContents contents{std::move(image_),
                           {{"tuples", tuples_.size()},
                            {"pairs", grid_.pairs.size()},
                            {"longest_chain", longest_chain}}};
    if (updates_ != nullptr)
      contents.updater = std::make_shared<RuleChains>(std::move(chains));
    return contents;
  }

 private:
  // A tuple that has pairs: those from `first` on.
  struct Tuple {
    std::size_t row = 0;
    std::size_t column = 0;
    std::size_t first = 0;
    std::size_t pairs = 0;
    std::uint32_t first_slot = 0;

    [[nodiscard]] std::uint32_t slots() const {
      return static_cast<std::uint32_t>(std::bit_ceil(2 * pairs));
    }
  };

  [[nodiscard]] std::size_t cell(std::size_t row, std::size_t column) const {
    return row * grid_.columns.size() + column;
  }

  void find_tuples() {
    for (std::size_t at = 0; at < grid_.pairs.size(); ++at) {
      const Pair& pair = grid_.pairs[at];
      if (tuples_.empty() || tuples_.back().row != pair.row || tuples_.back().column != pair.column)
        tuples_.push_back({pair.row, pair.column, at, 0, 0});
      ++tuples_.back().pairs;
    }
    for (Tuple& tuple : tuples_) {
      tuple.first_slot = slot_count_;
      slot_count_ += tuple.slots();
    }
    find_successors();
  }

  // From the last row and column back: the tuple that is searched when the search comes to a cell
  // of the grid (its own, or that of a shorter prefix of field 0), and the best rule left from
  // there on. Beyond the grid: none.
  void find_successors() {
    const std::size_t columns = grid_.columns.size();
    tuple_at_.assign((grid_.rows.size() + 1) * columns, kNone);
    best_left_.assign((grid_.rows.size() + 1) * (columns + 1), NO_MATCH);
    for (std::size_t at = 0; at < tuples_.size(); ++at)
      tuple_at_[cell(tuples_[at].row, tuples_[at].column)] = at;
    for (std::size_t row = grid_.rows.size(); row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        std::uint32_t best = std::min(best_left(row + 1, column), best_left(row, column + 1));
        std::size_t& here = tuple_at_[cell(row, column)];
        if (here == kNone) {
          here = tuple_at_[cell(row + 1, column)];
        } else {
          for (std::size_t i = 0; i < tuples_[here].pairs; ++i) {
            const Pair& pair = grid_.pairs[tuples_[here].first + i];
            if (!pair.rules.empty())
              best = std::min(best, pair.rules.front());
          }
        }
        best_left(row, column) = best;
      }
    }
  }

  std::uint32_t& best_left(std::size_t row, std::size_t column) {
    return best_left_[row * (grid_.columns.size() + 1) + column];
  }

  [[nodiscard]] std::uint32_t address_of(std::size_t tuple) const {
    return tuple == kNone ? 0
                          : places_->at("tuples").base +
                                static_cast<std::uint32_t>(tuple) * TUPLE_RECORD_BYTES;
  }

  void write_tuples() {
    const std::size_t columns = grid_.columns.size();
    for (std::size_t at = 0; at < tuples_.size(); ++at) {
      const Tuple& tuple = tuples_[at];
      const auto masks = grid_.masks(tuple.row, tuple.column);
      Record record{};
      record[TUPLE_RECORD_MASK(0)] = masks[0];
      record[TUPLE_RECORD_MASK(1)] = masks[1];
      record[TUPLE_RECORD_BEST] = best_left(tuple.row, tuple.column);
      record[TUPLE_RECORD_SLOTS] = places_->at("slots").base + tuple.first_slot * SLOT_BYTES;
      record[TUPLE_RECORD_SLOT_MASK] = (tuple.slots() - 1) * SLOT_BYTES;
      record[TUPLE_RECORD_AFTER_HIT] = address_of(
          tuple.column + 1 == columns ? kNone : tuple_at_[cell(tuple.row, tuple.column + 1)]);
      record[TUPLE_RECORD_AFTER_MISS] = address_of(tuple_at_[cell(tuple.row + 1, tuple.column)]);
      put("tuples", address_of(at), record);
    }
  }

  [[nodiscard]] std::size_t capacity() const {
    return tuple_space::chain_capacity(rules_.size(), updates_);
  }

  [[nodiscard]] std::uint32_t address_of_pair(std::size_t pair) const {
    return places_->at("pairs").base + static_cast<std::uint32_t>(pair) * PAIR_BYTES;
  }

  // A pair's rules side by side, chained from its record on. Pairs and markers stay, whichever of
  // their rules are in force.
  RuleChains write_rules() {
    std::vector<RuleChains::Home> homes(rules_.size());
    for (std::size_t at = 0; at < grid_.pairs.size(); ++at) {
      for (const std::uint32_t rule : grid_.pairs[at].rules)
        homes[rule] = {address_of_pair(at) + 4 * PAIR_RULES, tuple_space::rule_entry(rules_, rule)};
    }
    RuleChains chains(places_->at("pairs"), places_->at("entries"), capacity(), std::move(homes));
    for (const Pair& pair : grid_.pairs) {
      for (const std::uint32_t rule : pair.rules) {
        if (!tuple_space::is_in_at_start(rule, updates_))
          continue;
        const auto change = chains.insert(rule);
        assert(change && "the table of entries holds all rules in force");
        for (const TableWrite& write : change->preparation)
          put(write);
        put(change->link);
      }
    }
    return chains;
  }

  // Returns the most pairs of a slot.
  std::size_t write_pairs() {
    std::vector<std::uint32_t> slots(slot_count_);  // the address of the pair that was put in last
    std::vector<std::size_t> chains(slot_count_);
    for (const Tuple& tuple : tuples_) {
      for (std::size_t at = tuple.first; at < tuple.first + tuple.pairs; ++at) {
        const Pair& pair = grid_.pairs[at];
        const std::uint32_t slot =
            tuple.first_slot + (hash_of(pair, uses_hash_unit_) / SLOT_BYTES & (tuple.slots() - 1));
        Record record{};
        record[PAIR_KEY(0)] = pair.key[0];
        record[PAIR_KEY(1)] = pair.key[1];
        record[PAIR_NEXT] = slots[slot];
        record[PAIR_BEST] = pair.best;
        record[PAIR_COVERING] = pair.covering ? address_of_pair(*pair.covering) : 0;
        put("pairs", address_of_pair(at), record);
        slots[slot] = address_of_pair(at);
        ++chains[slot];
      }
    }
    for (std::uint32_t slot = 0; slot < slot_count_; ++slot)
      put("slots", places_->at("slots").base + slot * SLOT_BYTES, std::array{slots[slot]});
    return *std::max_element(chains.begin(), chains.end());
  }

  template <std::size_t kLongwords>
  void put(const std::string& table, std::uint32_t address,
           const std::array<std::uint32_t, kLongwords>& longwords) {
    const isa::MemorySpace space = places_->at(table).space;
    for (std::uint32_t i = 0; i < kLongwords; ++i)
      image_.put_longword(space, address + 4 * i, longwords[i]);
  }

  void put(const TableWrite& write) {
    for (std::uint32_t i = 0; i < write.longwords.size(); ++i)
      image_.put_longword(write.space, write.address + 4 * i, write.longwords[i]);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const workloads::RuleSet& rules_;
  const ExpectedUpdates* const updates_;
  const bool uses_hash_unit_;
  const std::uint32_t readers_bytes_;
  PairGrid grid_;
  std::vector<Tuple> tuples_;
  std::vector<std::size_t> tuple_at_;     // by cell, with an empty row after the last
  std::vector<std::uint32_t> best_left_;  // by cell, with an empty row and column after the last
  std::uint32_t slot_count_ = 0;
  const TablePlaces* places_ = nullptr;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_tuple_precomputation_builder(const BuildInputs& inputs) {
  return std::make_unique<PrecomputationBuilder>(inputs);
}

}  // namespace nplab::mappings
