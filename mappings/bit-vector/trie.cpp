#include "mappings/bit-vector/trie.h"

#include <algorithm>

#include "mappings/bit-vector/layout.h"

namespace nplab::mappings::bit_vector {

TrieWriter::TrieWriter(const TablePlace& place, const TrieShape& shape, std::size_t dimensions,
                       MemoryImage& image)
    : place_(place), shape_(shape), image_(image), nodes_(dimensions) {}

void TrieWriter::write(std::size_t dimension, unsigned field_bits, const TrieIntervals& intervals) {
  uniform_.clear();
  const unsigned levels = (field_bits + shape_.stride - 1) / shape_.stride;
  put_node(dimension, {intervals, 0, levels * shape_.stride, levels * shape_.stride - field_bits});
}

std::size_t TrieWriter::interval_at(const Block& block, std::uint64_t value) {
  const auto& lows = block.intervals.lows;
  const auto above = std::upper_bound(lows.begin(), lows.end(), value >> block.padding);
  return static_cast<std::size_t>(above - lows.begin()) - 1;
}

void TrieWriter::put_node(std::size_t node, const Block& block) {
  const unsigned free_bits = block.free_bits - shape_.stride;
  const std::uint32_t at = node_address(node);
  for (std::uint64_t i = 0; i < std::uint64_t{1} << shape_.stride; ++i) {
    const Block part{block.intervals, block.first | i << free_bits, free_bits, block.padding};
    const std::uint32_t entry_at = at + ENTRY_BYTES * static_cast<std::uint32_t>(i);
    image_.put_longword(place_.space, entry_at, entry_of(part));
  }
}

// A block inside one interval is a leaf, however near to the root, unless all paths have full
// depth.
std::uint32_t TrieWriter::entry_of(const Block& block) {
  const std::size_t interval = interval_at(block, block.first);
  const std::uint64_t last = block.first | ((std::uint64_t{1} << block.free_bits) - 1);
  const bool is_uniform = interval == interval_at(block, last);
  if (is_uniform && shape_.has_full_depth && block.free_bits > 0)
    return uniform_node(interval, block);
  if (is_uniform)
    return ENTRY_LEAF | block.intervals.addresses[interval];
  const std::size_t node = nodes_++;
  put_node(node, block);
  return node_address(node);
}

// Below a block inside one interval all paths are alike: one node a level serves the whole
// interval.
std::uint32_t TrieWriter::uniform_node(std::size_t interval, const Block& block) {
  const auto [known, is_new] = uniform_.try_emplace({interval, block.free_bits}, nodes_);
  if (is_new) {
    ++nodes_;
    put_node(known->second, block);
  }
  return node_address(known->second);
}

std::uint32_t TrieWriter::node_address(std::size_t node) const {
  return place_.base + static_cast<std::uint32_t>(node) * shape_.node_bytes;
}

}  // namespace nplab::mappings::bit_vector
