// Builds the rule records (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

class RuleRecords final : public TableBuilder {
 public:
  explicit RuleRecords(const BuildInputs& inputs)
      : rules_(inputs.rules),
        dimensions_(static_cast<std::uint32_t>(inputs.rules.fields().size())) {}

  std::vector<TableSize> size(Diagnostics&) override {
    const std::uint32_t record_bytes = RECORD_BYTES(dimensions_);
    return {
        {"rules", std::uint64_t{rules_.size()} * record_bytes,
         fmt::format("{} rules x {} bytes", rules_.size(), record_bytes)},
    };
  }

  TableContents write(const TablePlaces& places) override {
    TableContents contents;
    const TablePlace place = places.at("rules");
    std::uint32_t at = place.base;
    const auto put = [&](std::uint32_t offset, std::uint64_t value) {
      contents.image.put_longword(place.space, at + offset, static_cast<std::uint32_t>(value));
    };
    for (const workloads::Rule& rule : rules_.rules()) {
      for (std::uint32_t d = 0; d < dimensions_; ++d) {
        put(RECORD_LOW(d), rule.ranges[d].low);
        put(RECORD_HIGH(d), rule.ranges[d].high);
      }
      put(RECORD_ACTION(dimensions_), action_word(rule.action));
      at += RECORD_BYTES(dimensions_);
    }
    return contents;
  }

 private:
  const workloads::RuleSet& rules_;
  const std::uint32_t dimensions_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_@function@_builder(const BuildInputs& inputs) {
  return std::make_unique<RuleRecords>(inputs);
}

}  // namespace nplab::mappings
