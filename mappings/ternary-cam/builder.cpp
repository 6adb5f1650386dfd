// Loads a ternary CAM (layout.h): each rule as the product of its ranges' prefixes.
#include <fmt/format.h>

#include "layout.h"
#include "mappings/include/verdict.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

struct Ternary {
  std::uint32_t value = 0;
  std::uint32_t mask = 0;  // bits that count
};

// The fewest prefixes that are the range together, in their order.
std::vector<Ternary> prefixes_of(const workloads::Range& range, unsigned bits) {
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  std::vector<Ternary> prefixes;
  for (std::uint64_t low = range.low; low <= range.high;) {
    std::uint64_t size = 1;
    while (low % (2 * size) == 0 && low + 2 * size - 1 <= range.high)
      size *= 2;
    prefixes.push_back(
        {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(all & ~(size - 1))});
    low += size;
  }
  return prefixes;
}

class TernaryCamBuilder final : public TableBuilder {
 public:
  explicit TernaryCamBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        fields_(static_cast<std::uint32_t>(inputs.rules.fields().size())),
        capacity_(static_cast<std::uint64_t>(inputs.parameter("entries"))),
        capacity_written_at_(inputs.written_at.at("entries")) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    for (const workloads::Rule& rule : rules_.rules()) {
      auto& expanded = prefixes_.emplace_back();
      std::uint64_t product = 1;
      for (std::uint32_t field = 0; field < fields_; ++field) {
        expanded.push_back(prefixes_of(rule.ranges[field], rules_.fields()[field].bits));
        product *= expanded.back().size();
      }
      count_ += product;
    }
    if (count_ > capacity_)
      diagnostics.error(capacity_written_at_,
                        fmt::format("the rules take {} entries, each range one for every prefix; "
                                    "the CAM has {}: --set parameters.entries={}",
                                    count_, capacity_, count_));
    return {{"tcam", ENTRIES + capacity_ * ENTRY_BYTES(fields_),
             fmt::format("{} slots x {} bytes + {} entries x {} bytes", SLOTS, SLOT_BYTES,
                         capacity_, ENTRY_BYTES(fields_))},
            {"actions", std::uint64_t{rules_.size()} * ACTION_BYTES,
             fmt::format("{} rules x 4 bytes", rules_.size())}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace cam = places.at("tcam"), actions = places.at("actions");
    TableContents contents;
    MemoryImage& image = contents.image;
    image.put_longword(cam.space, cam.base + ENTRY_COUNT, static_cast<std::uint32_t>(count_));
    image.put_longword(cam.space, cam.base + ENTRY_FIELDS, fields_);
    image.put_longword(cam.space, cam.base + NO_ENTRY, NO_MATCH);
    std::uint32_t at = cam.base + ENTRIES;
    std::vector<Ternary> key(fields_);
    for (std::uint32_t rule = 0; rule < prefixes_.size(); ++rule) {
      put_products(rule, 0, key, cam, at, image);
      image.put_longword(actions.space, actions.base + ACTION_BYTES * rule,
                         action_word(rules_.rule(workloads::RuleIndex(rule)).action));
    }
    contents.facts = {{"tcam_entries", count_}};
    return contents;
  }

 private:
  void put_products(std::uint32_t rule, std::uint32_t field, std::vector<Ternary>& key,
                    const TablePlace& cam, std::uint32_t& at, MemoryImage& image) const {
    if (field < fields_) {
      for (const Ternary& prefix : prefixes_[rule][field]) {
        key[field] = prefix;
        put_products(rule, field + 1, key, cam, at, image);
      }
      return;
    }
    for (std::uint32_t i = 0; i < fields_; ++i) {
      image.put_longword(cam.space, at + ENTRY_VALUE(i), key[i].value);
      image.put_longword(cam.space, at + ENTRY_MASK(i), key[i].mask);
    }
    image.put_longword(cam.space, at + ENTRY_RULE(fields_), rule);
    at += ENTRY_BYTES(fields_);
  }

  const workloads::RuleSet& rules_;
  const std::uint32_t fields_;
  const std::uint64_t capacity_;
  const SourceLocation capacity_written_at_;
  std::vector<std::vector<std::vector<Ternary>>> prefixes_;  // by rule and field
  std::uint64_t count_ = 0;                                  // of entries
};

}  // namespace

std::unique_ptr<TableBuilder> make_ternary_cam_builder(const BuildInputs& inputs) {
  return std::make_unique<TernaryCamBuilder>(inputs);
}

}  // namespace nplab::mappings
