// Builds the tables of the slow path as tuple space search does, in the order of the mapping's
// choice, and makes room for the mega flows.
#include <fmt/format.h>

#include <algorithm>

#include "mappings/open-vswitch/layout.h"
#include "mappings/tuple-merge/merge.h"
#include "mappings/tuple-space-search/tuple_tables.h"

namespace nplab::mappings {
namespace {

using tuple_space::HashTable;

// An order that has to do neither with the rules nor with the tuples' lengths, the same each time
// (FNV-1a of the lengths).
std::uint64_t arbitrary_place(const HashTable& table) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned length : table.tuple)
    hash = (hash ^ length) * 0x100000001b3;
  return hash;
}

std::vector<HashTable> in_arbitrary_order(std::vector<HashTable> tables) {
  std::stable_sort(tables.begin(), tables.end(), [](const HashTable& a, const HashTable& b) {
    return arbitrary_place(a) < arbitrary_place(b);
  });
  return tables;
}

std::unique_ptr<TableBuilder> make_slow_path(const BuildInputs& inputs) {
  const bool ordered = inputs.parameter("ordered") != 0;
  const bool merged = inputs.parameter("merged") != 0;
  const auto limit = static_cast<std::size_t>(inputs.parameter("collision_limit"));
  const auto choose = [=](const workloads::RuleSet& rules, const BuildProgress& progress) {
    auto tables = merged ? tuple_merge::merge_tables(rules, limit, progress)
                         : tuple_space::tables_by_tuple(rules, progress);
    return ordered ? std::move(tables) : in_arbitrary_order(std::move(tables));
  };
  return tuple_space::make_tuple_builder(
      choose, inputs,
      ordered ? tuple_space::TableOrder::kByBestRule : tuple_space::TableOrder::kAsChosen);
}

class OpenVSwitchTables final : public TableBuilder {
 public:
  explicit OpenVSwitchTables(const BuildInputs& inputs)
      : slow_path_(make_slow_path(inputs)),
        masks_(inputs.parameter("mega_masks")),
        flows_(std::int64_t{1} << inputs.parameter("mega_flows_shift")),
        keeps_mega_flows_(inputs.parameter("mega_flows") != 0) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    auto sizes = slow_path_->size(diagnostics);
    sizes.push_back(records("mega_masks", masks_, "masks"));
    sizes.push_back(records("mega_flows", flows_, "mega flows"));
    sizes.push_back({"mega_lock", MEGA_LOCK_BYTES, "one longword, of eight bytes"});
    sizes.push_back({"flow_version", FLOW_VERSION_BYTES, "one longword, of eight bytes"});
    return sizes;
  }

  TableContents write(const TablePlaces& places) override {
    TableContents contents = slow_path_->write(places);
    const auto empty = [&](const char* table, std::int64_t records, std::uint32_t state) {
      const TablePlace& place = places.at(table);
      for (std::uint32_t i = 0; keeps_mega_flows_ && i < records; ++i)
        contents.image.put_longword(place.space, place.base + i * MEGA_RECORD_BYTES + 4 * state, 0);
    };
    empty("mega_masks", masks_, MASK_STATE);
    empty("mega_flows", flows_, MEGA_STATE);
    for (const char* table : {"mega_lock", "flow_version"})
      contents.image.put_longword(places.at(table).space, places.at(table).base, 0);
    return contents;
  }

 private:
  [[nodiscard]] TableSize records(const char* table, std::int64_t count, const char* what) const {
    const auto held = static_cast<std::uint64_t>(keeps_mega_flows_ ? count : 0);
    return {table, held * MEGA_RECORD_BYTES,
            fmt::format("{} {} x {} bytes", held, what, MEGA_RECORD_BYTES)};
  }

  const std::unique_ptr<TableBuilder> slow_path_;
  const std::int64_t masks_;
  const std::int64_t flows_;
  const bool keeps_mega_flows_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_open_vswitch_builder(const BuildInputs& inputs) {
  return std::make_unique<OpenVSwitchTables>(inputs);
}

}  // namespace nplab::mappings
