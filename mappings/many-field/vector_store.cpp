#include "vector_store.h"

#include <algorithm>

#include "layout.h"

namespace nplab::mappings::many_field {
namespace {

// FNV-1a, a longword at a time: equal vectors are found by it and then compared.
std::uint64_t hash_of(const RuleVector& vector) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t longword : vector)
    hash = (hash ^ longword) * 0x100000001b3;
  return hash;
}

}  // namespace

void toggle(RuleVector& vector, std::uint32_t rule) {
  vector[rule / 32] ^= VECTOR_FIRST_BIT >> rule % 32;
}

VectorStore::VectorStore(std::size_t rules)
    : longwords_(RULE_VECTOR_BYTES(static_cast<std::uint32_t>(rules)) / 4) {}

std::span<const std::uint32_t> VectorStore::vector(VectorNumber number) const {
  const std::size_t index = number - 1;
  return std::span(blocks_[index / kBlockVectors])
      .subspan(index % kBlockVectors * longwords_, longwords_);
}

VectorNumber VectorStore::number_of(const RuleVector& wanted) {
  if (std::all_of(wanted.begin(), wanted.end(), [](std::uint32_t bits) { return bits == 0; }))
    return 0;
  const std::uint64_t hash = hash_of(wanted);
  const auto [first, last] = numbers_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const auto found = vector(known->second);
    if (std::equal(found.begin(), found.end(), wanted.begin()))
      return known->second;
  }
  if (count_ % kBlockVectors == 0) {
    blocks_.emplace_back();
    blocks_.back().reserve(kBlockVectors * longwords_);
  }
  blocks_.back().insert(blocks_.back().end(), wanted.begin(), wanted.end());
  const auto number = static_cast<VectorNumber>(++count_);
  numbers_.emplace(hash, number);
  return number;
}

}  // namespace nplab::mappings::many_field
