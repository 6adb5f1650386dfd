// Vectors of rules, each kept once, numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace nplab::mappings::many_field {

// Rule i is bit 31 - i % 32 of longword i / 32.
using RuleVector = std::vector<std::uint32_t>;
// 0 stands for the vector without a rule, which is not kept.
using VectorNumber = std::uint32_t;

void toggle(RuleVector& vector, std::uint32_t rule);

class VectorStore {
 public:
  explicit VectorStore(std::size_t rules);

  VectorNumber number_of(const RuleVector& vector);
  [[nodiscard]] RuleVector empty_vector() const { return RuleVector(longwords_); }
  // The vector of that number, from 1 to count().
  [[nodiscard]] std::span<const std::uint32_t> vector(VectorNumber number) const;
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  const std::size_t longwords_;
  std::size_t count_ = 0;
  static constexpr std::size_t kBlockVectors = 1024;
  std::vector<std::vector<std::uint32_t>> blocks_;                // kBlockVectors vectors each
  std::unordered_multimap<std::uint64_t, VectorNumber> numbers_;  // by hash
};

}  // namespace nplab::mappings::many_field
