// Builds the list of rule records (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

class RecordListBuilder {
 public:
  explicit RecordListBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        place_(inputs.place("rules")),
        cells_(inputs.parameter("list_cells") != 0),
        dimensions_(static_cast<std::uint32_t>(inputs.rules.fields().size())) {}

  TableSet build() {
    const auto count = static_cast<std::uint32_t>(rules_.size());
    const std::uint32_t cell_bytes = cells_ ? count * CELL_BYTES : 0;
    const std::uint32_t records = place_.base + cell_bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool is_last = i + 1 == count;
      const std::uint32_t record = records + i * RECORD_BYTES(dimensions_);
      put_record(record, i, is_last || cells_ ? LIST_END : record + RECORD_BYTES(dimensions_));
      if (cells_)
        put_cell(place_.base + i * CELL_BYTES, record, is_last);
    }
    const std::string arithmetic =
        fmt::format("{} rules x {} bytes ({} dimensions x 8 + 12{})", count,
                    RECORD_BYTES(dimensions_) + (cells_ ? CELL_BYTES : 0), dimensions_,
                    cells_ ? " + a cell of 8" : "");
    set_.sizes.push_back(
        {"rules", std::uint64_t{cell_bytes} + std::uint64_t{count} * RECORD_BYTES(dimensions_),
         arithmetic});
    return std::move(set_);
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
    set_.image.put_longword(place_.space, address, value);
  }

  const workloads::RuleSet& rules_;
  const TablePlace place_;
  const bool cells_;
  const std::uint32_t dimensions_;
  TableSet set_;
};

}  // namespace

TableSet build_linear_search(const BuildInputs& inputs, Diagnostics&) {
  return RecordListBuilder(inputs).build();
}

}  // namespace nplab::mappings
