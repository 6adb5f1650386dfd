// Builds the vectors of all searches, their range trees and hash tables, and the actions
// (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "cells.h"
#include "cuckoo_tables.h"
#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "range_trees.h"
#include "searches.h"
#include "vector_store.h"

namespace nplab::mappings {
namespace {

using many_field::CellMaker;
using many_field::CuckooEntry;
using many_field::CuckooTable;
using many_field::Search;
using many_field::VectorNumber;

// Beyond these a cross product is given up; no chip's SDRAM holds more.
constexpr std::uint64_t kMostVectorBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMostCells = std::size_t{1} << 23;

class ManyFieldBuilder final : public TableBuilder {
 public:
  explicit ManyFieldBuilder(const BuildInputs& inputs)
      : inputs_(inputs),
        rules_(inputs.rules),
        rule_count_(static_cast<std::uint32_t>(rules_.size())),
        vector_bytes_(RULE_VECTOR_BYTES(rule_count_)),
        store_(rules_.size()),
        trees_(rules_.fields().size()),
        tables_(rules_.fields().size()) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    check_parameters(diagnostics);
    searches_ = many_field::searches_of(inputs_, diagnostics);
    if (diagnostics.has_errors())
      return {};
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      const Search& search = searches_[i];
      const bool fits =
          search.is_hashed ? make_table(search, diagnostics) : make_tree(search, diagnostics);
      if (!fits)
        return {};
      if (inputs_.progress)
        inputs_.progress(0.8 * static_cast<double>(i + 1) / static_cast<double>(searches_.size()));
    }
    const std::uint64_t slots = slot_count();
    const std::size_t fields = rules_.fields().size();
    return {{"trees", std::uint64_t{trees_.nodes()} * TREE_NODE_BYTES,
             fmt::format("{} nodes x {} bytes", trees_.nodes(), TREE_NODE_BYTES)},
            {"hashes", (slots + fields) * SLOT_BYTES,
             fmt::format("({} slots + {} fields) x {} bytes", slots, fields, SLOT_BYTES)},
            {"vectors", std::uint64_t{store_.count()} * vector_bytes_,
             fmt::format("{} different vectors x {} bytes ({} rules)", store_.count(),
                         vector_bytes_, rule_count_)},
            {"actions", std::uint64_t{rule_count_} * ACTION_BYTES,
             fmt::format("{} rules x {} bytes", rule_count_, ACTION_BYTES)}};
  }

  TableContents write(const TablePlaces& places) override {
    TableContents contents;
    const TablePlace vectors = places.at("vectors");
    for (std::size_t number = 1; number <= store_.count(); ++number) {
      std::uint32_t at = vector_address(vectors, static_cast<VectorNumber>(number));
      for (const std::uint32_t longword : store_.vector(static_cast<VectorNumber>(number))) {
        contents.image.put_longword(vectors.space, at, longword);
        at += 4;
      }
    }
    trees_.write(places.at("trees"), vectors.base, vector_bytes_, contents.image);
    write_hashes(places.at("hashes"), vectors, contents.image);
    const TablePlace actions = places.at("actions");
    for (std::uint32_t i = 0; i < rule_count_; ++i) {
      contents.image.put_longword(actions.space, actions.base + ACTION_BYTES * i,
                                  action_word(rules_.rules()[i].action));
    }
    const auto is_hashed = [](const Search& search) { return search.is_hashed; };
    const auto hashed =
        static_cast<std::uint64_t>(std::count_if(searches_.begin(), searches_.end(), is_hashed));
    contents.facts = {{"searches", searches_.size()},
                      {"hash_searches", hashed},
                      {"hash_slots", slot_count()},
                      {"tree_levels", most_levels_},
                      {"tree_levels_together", levels_together_},
                      {"vectors", store_.count()}};
    return contents;
  }

 private:
  void check_parameters(Diagnostics& diagnostics) const {
    const auto quadwords = inputs_.parameter("burst_quadwords");
    const auto sub_vector = inputs_.parameter("sub_vector");
    if (quadwords == 3) {
      diagnostics.error(inputs_.written_at.at("burst_quadwords"),
                        "burst_quadwords is 3; a reference reads 1, 2 or 4 quadwords");
    }
    const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(sub_vector));
    if (sub_vector == 0 || (is_power && sub_vector >= 2 * quadwords))
      return;
    diagnostics.error(
        inputs_.written_at.at("sub_vector"),
        fmt::format(
            "sub_vector is {} longwords; it is 0 (complete vectors) or a power of two of at "
            "least {}, what a reference reads (burst_quadwords {})",
            sub_vector, 2 * quadwords, quadwords));
  }

  bool make_tree(const Search& search, Diagnostics& diagnostics) {
    CellMaker maker(rules_, search.fields, store_, kMostCells, kMostVectorBytes / vector_bytes_);
    if (!maker.make()) {
      diagnostics.error(
          search.fields.size() > 1 ? search.location : SourceLocation{rules_.name(), 0, 0},
          fmt::format("the search of {} takes too much memory: after {} cells of the cross product "
                      "of what occurs there are {} vectors x {} bytes ({} rules), over {} cells or "
                      "{} bytes; search fewer fields together, or fields without wildcards",
                      many_field::field_names(search, rules_), maker.cell_count(), store_.count(),
                      vector_bytes_, rule_count_, kMostCells, kMostVectorBytes));
      return false;
    }
    const unsigned levels = trees_.add(search.fields.front(), maker.cells(), maker.spaces());
    most_levels_ = std::max<std::uint64_t>(most_levels_, levels);
    levels_together_ += levels;
    return true;
  }

  // Rules of one value each, then those of any value, whose vector all others have.
  bool make_table(const Search& search, Diagnostics& diagnostics) {
    const std::uint32_t field = search.fields.front();
    const unsigned bits = rules_.fields()[field].bits;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> values;
    many_field::RuleVector any = store_.empty_vector();
    for (std::uint32_t i = 0; i < rule_count_; ++i) {
      const workloads::Range& range = rules_.rules()[i].ranges[field];
      if (range.low == range.high)
        values.emplace_back(range.low, i);
      else
        many_field::toggle(any, i);
    }
    std::sort(values.begin(), values.end());
    const VectorNumber others = store_.number_of(any);
    std::vector<CuckooEntry> entries;
    many_field::RuleVector vector = any;
    for (std::size_t i = 0; i < values.size();) {
      const std::size_t first = i;
      for (; i < values.size() && values[i].first == values[first].first; ++i)
        many_field::toggle(vector, values[i].second);
      entries.push_back({values[first].first, store_.number_of(vector)});
      for (std::size_t k = first; k < i; ++k)
        many_field::toggle(vector, values[k].second);
    }
    tables_[field] = many_field::make_cuckoo_table(bits, entries, others);
    if (tables_[field])
      return true;
    diagnostics.error(
        {rules_.name(), 0, 0},
        fmt::format("the {} different values of field '{}' find no place in a cuckoo "
                    "hash table of two halves of {} slots",
                    entries.size(), rules_.fields()[field].name, many_field::kMostSlots));
    return false;
  }

  [[nodiscard]] std::uint64_t slot_count() const {
    std::uint64_t slots = 0;
    for (const auto& table : tables_)
      slots += table ? table->slots.size() : 0;
    return slots;
  }

  [[nodiscard]] std::uint32_t vector_address(const TablePlace& vectors, VectorNumber number) const {
    return number == 0 ? 0 : vectors.base + vector_bytes_ * (number - 1);
  }

  void write_hashes(const TablePlace& place, const TablePlace& vectors, MemoryImage& image) const {
    const auto fields = static_cast<std::uint32_t>(tables_.size());
    const auto put = [&](std::uint32_t at, std::array<std::uint32_t, 4> longwords) {
      for (std::uint32_t i = 0; i < 4; ++i)
        image.put_longword(place.space, at + 4 * i, longwords[i]);
    };
    std::uint32_t slots = place.base + fields * SLOT_BYTES;
    for (std::uint32_t field = 0; field < fields; ++field) {
      const std::uint32_t named_at = place.base + field * SLOT_BYTES;
      if (!tables_[field]) {
        put(named_at, {});
        continue;
      }
      const CuckooTable& table = *tables_[field];
      const auto half_bytes = static_cast<std::uint32_t>(table.half) * SLOT_BYTES;
      put(named_at, {slots, slots + half_bytes, half_bytes - SLOT_BYTES,
                     vector_address(vectors, table.others)});
      for (const CuckooEntry& entry : table.slots) {
        const bool is_empty = entry.vector == 0;
        const std::uint64_t value = is_empty ? table.absent : entry.value;
        const VectorNumber vector = is_empty ? table.others : entry.vector;
        put(slots, {static_cast<std::uint32_t>(value >> 32), static_cast<std::uint32_t>(value),
                    vector_address(vectors, vector), 0});
        slots += SLOT_BYTES;
      }
    }
  }

  const BuildInputs inputs_;
  const workloads::RuleSet& rules_;
  const std::uint32_t rule_count_;
  const std::uint32_t vector_bytes_;
  std::vector<Search> searches_;
  many_field::VectorStore store_;
  many_field::RangeTrees trees_;
  std::vector<std::optional<CuckooTable>> tables_;  // by field; none: it is not hashed
  std::uint64_t most_levels_ = 0;
  std::uint64_t levels_together_ = 0;
};

}  // namespace

std::unique_ptr<TableBuilder> make_many_field_builder(const BuildInputs& inputs) {
  return std::make_unique<ManyFieldBuilder>(inputs);
}

}  // namespace nplab::mappings
