// Builds the tables of cross-producting (layout.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "layout.h"
#include "mappings/hicuts/leaves.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "products.h"

namespace nplab::mappings {
namespace {

using bit_vector::TrieSet;
using cross_producting::DimensionClasses;

class ProductBuilder final : public TableBuilder {
 public:
  explicit ProductBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        cache_shift_(static_cast<unsigned>(inputs.parameter("cache_shift"))),
        most_entries_(static_cast<std::uint64_t>(inputs.parameter("most_entries"))),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        tries_({stride_, NODE_BYTES(stride_, 0)}, rules_.fields().size()) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    for (std::size_t d = 0; d < rules_.fields().size(); ++d) {
      dimensions_.push_back(cross_producting::make_classes(rules_, d));
      counts_.push_back(dimensions_.back().count());
    }
    if (!is_small_enough(diagnostics))
      return {};
    add_tries();
    return {{"pset", tries_.nodes() * NODE_BYTES(stride_, 0),
             fmt::format("{} nodes x {} bytes", tries_.nodes(), NODE_BYTES(stride_, 0))},
            products_size(),
            rules_size(),
            {"actions", std::uint64_t{rules_.size()} * ACTION_BYTES,
             fmt::format("{} rules x {} bytes", rules_.size(), ACTION_BYTES)}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace& products = places.at("products");
    tries_.write(places.at("pset"), leaf_values(), image_);
    if (has_cache()) {
      clear_cache(products);
      hicuts::write_rules(rules_, places.at("rules"), image_);
    } else {
      write_products(products);
    }
    const TablePlace& actions = places.at("actions");
    for (std::uint32_t i = 0; i < rules_.size(); ++i)
      image_.put_longword(actions.space, actions.base + ACTION_BYTES * i,
                          action_word(rules_.rules()[i].action));
    return {std::move(image_), facts()};
  }

 private:
  [[nodiscard]] bool has_cache() const { return cache_shift_ > 0; }

  [[nodiscard]] std::string combinations_text() const {
    return fmt::format("{} combinations", fmt::join(counts_, " x "));
  }

  // Nothing if there are more than most_entries.
  [[nodiscard]] std::optional<std::uint64_t> combinations() const {
    std::uint64_t product = 1;
    for (const std::size_t count : counts_) {
      if (count > 0 && product > most_entries_ / count)
        return std::nullopt;
      product *= count;
    }
    return product;
  }

  bool is_small_enough(Diagnostics& diagnostics) const {
    for (std::size_t d = 0; d < counts_.size() && has_cache(); ++d) {
      if (counts_[d] > MOST_CACHED_CLASSES)
        diagnostics.error({rules_.name(), 0, 0},
                          fmt::format("the rule set is too large: field {} has {} classes of "
                                      "intervals, and a cache's tag holds at most {}",
                                      rules_.fields()[d].name, counts_[d], MOST_CACHED_CLASSES));
    }
    if (!has_cache() && !combinations())
      diagnostics.error({rules_.name(), 0, 0},
                        fmt::format("the rule set is too large: its intervals have {}, more than "
                                    "most_entries {}; with cache_shift 14 those that occur are "
                                    "kept in a cache",
                                    combinations_text(), most_entries_));
    return !diagnostics.has_errors();
  }

  // Leaves are numbered through all dimensions: those of dimension d after those before it.
  void add_tries() {
    bit_vector::LeafNumber first = 0;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      bit_vector::TrieIntervals intervals{dimensions_[d].lows, {}};
      for (const std::uint32_t number : dimensions_[d].class_of)
        intervals.leaves.push_back(number == 0 ? 0 : first + number);
      tries_.add(d, rules_.fields()[d].bits, intervals);
      first += static_cast<bit_vector::LeafNumber>(counts_[d]);
    }
  }

  [[nodiscard]] TableSize products_size() const {
    if (has_cache()) {
      const std::uint64_t entries = std::uint64_t{1} << cache_shift_;
      return {"products", entries * CACHED_BYTES,
              fmt::format("a cache of {} entries x {} bytes, for {}", entries, CACHED_BYTES,
                          combinations_text())};
    }
    return {"products", *combinations() * PRODUCT_BYTES,
            fmt::format("{} x {} bytes", combinations_text(), PRODUCT_BYTES)};
  }

  [[nodiscard]] TableSize rules_size() const {
    return has_cache() ? hicuts::rules_size("rules", rules_)
                       : TableSize{"rules", 0, "not used without a cache"};
  }

  // What the leaves give, by leaf number.
  [[nodiscard]] std::vector<std::uint32_t> leaf_values() const {
    std::vector<std::uint32_t> values{0};
    for (std::size_t d = 0; d < counts_.size(); ++d) {
      for (std::uint32_t number = 1; number <= counts_[d]; ++number)
        values.push_back(has_cache() ? 2 * number : (number - 1) * weight(d) + CLASS_MARK);
    }
    return values;
  }

  // What a class of the dimension adds to the offset of a combination.
  [[nodiscard]] std::uint32_t weight(std::size_t dimension) const {
    std::uint32_t weight = PRODUCT_BYTES;
    for (std::size_t d = dimension + 1; d < counts_.size(); ++d)
      weight *= static_cast<std::uint32_t>(counts_[d]);
    return weight;
  }

  void write_products(const TablePlace& place) {
    std::uint32_t at = place.base;
    for (const std::uint32_t rule : cross_producting::make_products(dimensions_)) {
      image_.put_longword(place.space, at, rule);
      at += PRODUCT_BYTES;
    }
  }

  void clear_cache(const TablePlace& place) {
    for (std::uint32_t i = 0; i < CACHED_BYTES / 4 << cache_shift_; ++i)
      image_.put_longword(place.space, place.base + 4 * i, 0);
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> facts() const {
    std::map<std::string, std::uint64_t> facts{
        {"most_classes", *std::max_element(counts_.begin(), counts_.end())}};
    if (const auto count = combinations())
      facts["combinations"] = *count;
    return facts;
  }

  const workloads::RuleSet& rules_;
  const unsigned cache_shift_;  // 0: no cache
  const std::uint64_t most_entries_;
  const unsigned stride_;
  TrieSet tries_;
  std::vector<DimensionClasses> dimensions_;
  std::vector<std::size_t> counts_;  // classes of each dimension
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_cross_producting_builder(const BuildInputs& inputs) {
  return std::make_unique<ProductBuilder>(inputs);
}

}  // namespace nplab::mappings
