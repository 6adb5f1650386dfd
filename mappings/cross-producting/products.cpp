#include "products.h"

#include <algorithm>
#include <bit>
#include <map>

#include "mappings/include/verdict.h"

namespace nplab::mappings::cross_producting {
namespace {

using bit_vector::BitVector;

std::uint32_t first_rule(const BitVector& rules) {
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (rules[i] != 0)
      return 32 * i + static_cast<std::uint32_t>(std::countl_zero(rules[i]));
  }
  return NO_MATCH;
}

// Appends the products of the dimensions from `dimension` on, of what `chosen` leaves.
void add_products(const std::vector<DimensionClasses>& dimensions, std::size_t dimension,
                  const BitVector& chosen, std::vector<std::uint32_t>& products) {
  if (dimension == dimensions.size()) {
    products.push_back(first_rule(chosen));
    return;
  }
  BitVector left(chosen.size());
  for (std::size_t i = 1; i <= dimensions[dimension].count(); ++i) {
    const BitVector& own = dimensions[dimension].members[i];
    std::transform(chosen.begin(), chosen.end(), own.begin(), left.begin(), std::bit_and<>());
    add_products(dimensions, dimension + 1, left, products);
  }
}

}  // namespace

DimensionClasses make_classes(const workloads::RuleSet& rules, std::size_t dimension) {
  DimensionClasses classes;
  std::map<BitVector, std::uint32_t> numbers;
  for (const bit_vector::Interval& interval : bit_vector::make_p_set(rules, dimension)) {
    if (classes.members.empty())
      numbers.emplace(classes.members.emplace_back(interval.rules.size()), 0);
    const auto [known, is_new] =
        numbers.emplace(interval.rules, static_cast<std::uint32_t>(classes.members.size()));
    if (is_new)
      classes.members.push_back(interval.rules);
    classes.lows.push_back(interval.low);
    classes.class_of.push_back(known->second);
  }
  return classes;
}

std::vector<std::uint32_t> make_products(const std::vector<DimensionClasses>& dimensions) {
  std::vector<std::uint32_t> products;
  const BitVector all(dimensions.front().members.front().size(), ~std::uint32_t{0});
  add_products(dimensions, 0, all, products);
  return products;
}

}  // namespace nplab::mappings::cross_producting
