// Builds the list of rule records (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

class RecordListBuilder final : public TableBuilder {
 public:
  explicit RecordListBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        has_cells_(inputs.parameter("list_cells") != 0),
        dimensions_(static_cast<std::uint32_t>(inputs.rules.fields().size())),
        count_(static_cast<std::uint32_t>(inputs.rules.size())),
        cell_bytes_(has_cells_ ? count_ * CELL_BYTES : 0) {}

  std::vector<TableSize> size(Diagnostics&) override {
    const std::string arithmetic =
        fmt::format("{} rules x {} bytes ({} dimensions x 8 + 12{})", count_,
                    RECORD_BYTES(dimensions_) + (has_cells_ ? CELL_BYTES : 0), dimensions_,
                    has_cells_ ? " + a cell of 8" : "");
    return {{"rules",
             std::uint64_t{cell_bytes_} + std::uint64_t{count_} * RECORD_BYTES(dimensions_),
             arithmetic}};
  }

  TableContents write(const TablePlaces& places) override {
    place_ = places.at("rules");
    const std::uint32_t records = place_.base + cell_bytes_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const bool is_last = i + 1 == count_;
      const std::uint32_t record = records + i * RECORD_BYTES(dimensions_);
      const std::uint32_t next = record + RECORD_BYTES(dimensions_);
      put_record(record, i, is_last || has_cells_ ? LIST_END : next);
      if (has_cells_)
        put_cell(place_.base + i * CELL_BYTES, record, is_last);
    }
    return {std::move(image_)};
  }

 private:
  void put_record(std::uint32_t at, std::uint32_t index, std::uint32_t next) {
    const workloads::Rule& rule = rules_.rule(workloads::RuleIndex(index));
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      put(at + RECORD_LOW(d), static_cast<std::uint32_t>(rule.ranges[d].low));
      put(at + RECORD_HIGH(d), static_cast<std::uint32_t>(rule.ranges[d].high));
    }
    put(at + RECORD_ACTION(dimensions_), action_word(rule.action));
    put(at + RECORD_RULE(dimensions_), index);
    put(at + RECORD_NEXT(dimensions_), next);
  }

  void put_cell(std::uint32_t at, std::uint32_t record, bool is_last) {
    put(at + CELL_RECORD, record);
    put(at + CELL_NEXT, is_last ? LIST_END : at + CELL_BYTES);
  }

  void put(std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place_.space, address, value);
  }

  const workloads::RuleSet& rules_;
  const bool has_cells_;
  const std::uint32_t dimensions_;
  const std::uint32_t count_;
  const std::uint32_t cell_bytes_;
  TablePlace place_;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_linear_search_builder(const BuildInputs& inputs) {
  return std::make_unique<RecordListBuilder>(inputs);
}

}  // namespace nplab::mappings
