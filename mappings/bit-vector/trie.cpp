#include "mappings/bit-vector/trie.h"

#include <algorithm>

#include "mappings/bit-vector/layout.h"

namespace nplab::mappings::bit_vector {

TrieSet::TrieSet(const TrieShape& shape, std::size_t dimensions)
    : shape_(shape), entries_(dimensions << shape.stride) {}

void TrieSet::add(std::size_t dimension, unsigned field_bits, const TrieIntervals& intervals) {
  uniform_.clear();
  const unsigned levels = (field_bits + shape_.stride - 1) / shape_.stride;
  const unsigned trie_bits = levels * shape_.stride;
  fill_node(static_cast<std::uint32_t>(dimension),
            {intervals, 0, trie_bits, trie_bits - field_bits});
}

void TrieSet::write(const TablePlace& place, const std::vector<std::uint32_t>& leaf_addresses,
                    MemoryImage& image) const {
  const auto address_of = [&](std::size_t node) {
    return place.base + static_cast<std::uint32_t>(node) * shape_.node_bytes;
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::size_t node = i >> shape_.stride;
    const std::size_t branch = i - (node << shape_.stride);
    const Entry& entry = entries_[i];
    const std::uint32_t value =
        entry.is_leaf ? ENTRY_LEAF | leaf_addresses[entry.number] : address_of(entry.number);
    image.put_longword(place.space,
                       address_of(node) + ENTRY_BYTES * static_cast<std::uint32_t>(branch), value);
  }
}

std::size_t TrieSet::interval_at(const Block& block, std::uint64_t value) {
  const auto& lows = block.intervals.lows;
  const auto above = std::upper_bound(lows.begin(), lows.end(), value >> block.padding);
  return static_cast<std::size_t>(above - lows.begin()) - 1;
}

std::uint32_t TrieSet::add_node() {
  const auto node = static_cast<std::uint32_t>(nodes());
  entries_.resize(entries_.size() + (std::size_t{1} << shape_.stride));
  return node;
}

void TrieSet::fill_node(std::uint32_t node, const Block& block) {
  const unsigned free_bits = block.free_bits - shape_.stride;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << shape_.stride; ++i) {
    const Block part{block.intervals, block.first | i << free_bits, free_bits, block.padding};
    const Entry entry = entry_of(part);  // may add nodes
    entries_[(std::size_t{node} << shape_.stride) + i] = entry;
  }
}

// A block inside one interval is a leaf, however near to the root, unless all paths have full
// depth.
TrieSet::Entry TrieSet::entry_of(const Block& block) {
  const std::size_t interval = interval_at(block, block.first);
  const std::uint64_t last = block.first | ((std::uint64_t{1} << block.free_bits) - 1);
  const bool is_uniform = interval == interval_at(block, last);
  if (is_uniform && shape_.has_full_depth && block.free_bits > 0)
    return {false, uniform_node(interval, block)};
  if (is_uniform)
    return {true, block.intervals.leaves[interval]};
  const std::uint32_t node = add_node();
  fill_node(node, block);
  return {false, node};
}

// Below a block inside one interval all paths are alike: one node per level serves the interval.
std::uint32_t TrieSet::uniform_node(std::size_t interval, const Block& block) {
  const auto known = uniform_.find({interval, block.free_bits});
  if (known != uniform_.end())
    return known->second;
  const std::uint32_t node = add_node();
  uniform_.emplace(std::pair(interval, block.free_bits), node);
  fill_node(node, block);
  return node;
}

}  // namespace nplab::mappings::bit_vector
