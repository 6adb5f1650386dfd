#include "workloads/rules/address_trie.h"

#include <algorithm>

namespace nplab::workloads {
namespace {

constexpr unsigned kWhole = 1000;  // thousandths

// Prefixes as their address and length, sorted so that those below a node of the trie are
// neighbours.
struct Prefix {
  std::uint64_t low;
  unsigned length;
};

class ShapeCount {
 public:
  explicit ShapeCount(const std::vector<Range>& prefixes) {
    for (const Range& range : prefixes)
      prefixes_.push_back({range.low, prefix_length(range, kAddressBits).value_or(0)});
    std::sort(prefixes_.begin(), prefixes_.end(),
              [](const Prefix& a, const Prefix& b) { return a.low < b.low; });
  }

  AddressTrieShape count() {
    walk(0, prefixes_.size(), 0);
    AddressTrieShape shape;
    for (unsigned level = 0; level < kAddressBits; ++level) {
      if (inner_[level] > 0)
        shape.branching[level] = static_cast<unsigned>(kWhole * branching_[level] / inner_[level]);
      if (branching_[level] > 0)
        shape.skew[level] = static_cast<unsigned>(skew_[level] / branching_[level]);
    }
    return shape;
  }

 private:
  // The prefixes first..last-1 lie below one node of the level.
  void walk(std::size_t first, std::size_t last, unsigned level) {
    if (level == kAddressBits)
      return;
    const unsigned shift = kAddressBits - 1 - level;
    std::array<std::size_t, 2> below{};
    for (std::size_t i = first; i < last; ++i) {
      if (prefixes_[i].length > level)
        ++below[prefixes_[i].low >> shift & 1];
    }
    if (below[0] + below[1] == 0)
      return;
    ++inner_[level];
    if (below[0] > 0 && below[1] > 0) {
      ++branching_[level];
      skew_[level] += kWhole - kWhole * std::min(below[0], below[1]) / std::max(below[0], below[1]);
    }
    const auto begin = prefixes_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = prefixes_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto split = std::partition_point(
        begin, end, [&](const Prefix& prefix) { return (prefix.low >> shift & 1) == 0; });
    const auto middle = static_cast<std::size_t>(split - prefixes_.begin());
    if (below[0] > 0)
      walk(first, middle, level + 1);
    if (below[1] > 0)
      walk(middle, last, level + 1);
  }

  std::vector<Prefix> prefixes_;
  std::array<std::uint64_t, kAddressBits> inner_{}, branching_{}, skew_{};
};

}  // namespace

AddressTrieShape shape_of(const std::vector<Range>& prefixes) {
  return ShapeCount(prefixes).count();
}

Range AddressTrie::draw(unsigned length, Novelty novelty) {
  std::uint64_t path = 0;
  std::uint32_t node = 0;
  for (unsigned level = 0; level < length; ++level) {
    decide(node, level);
    const unsigned bit = choose_bit(node);
    path = path << 1 | bit;
    node = child(node, bit);
  }
  if (novelty == Novelty::kFresh && length > 0) {
    open_branch(path, length);
    // Half of what passes the node takes the new branch from now on.
    return draw(length, Novelty::kUsual);
  }
  const unsigned free_bits = kAddressBits - length;
  const std::uint64_t low = free_bits == kAddressBits ? 0 : path << free_bits;
  return {low, free_bits == 0 ? low : low | max_value(free_bits)};
}

void AddressTrie::decide(std::uint32_t node, unsigned level) {
  Node& here = nodes_[node];
  if (here.decided)
    return;
  here.decided = true;
  here.both = random_.below(kWhole) < shape_.branching[level];
  here.heavy = static_cast<unsigned>(random_.below(2));
  // Of 1 + (1 - skew) parts the heavier child has 1.
  here.heavy_share = here.both ? kWhole * kWhole / (2 * kWhole - shape_.skew[level]) : kWhole;
}

unsigned AddressTrie::choose_bit(std::uint32_t node) {
  const Node& here = nodes_[node];
  if (!here.both)
    return here.heavy;
  return random_.below(kWhole) < here.heavy_share ? here.heavy : 1 - here.heavy;
}

std::uint32_t AddressTrie::child(std::uint32_t node, unsigned bit) {
  if (nodes_[node].children[bit] == 0) {
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[node].children[bit] = made;
  }
  return nodes_[node].children[bit];
}

void AddressTrie::open_branch(std::uint64_t path, unsigned length) {
  std::vector<std::uint32_t> single;
  std::uint32_t node = 0;
  for (unsigned level = 0; level < length; ++level) {
    if (!nodes_[node].both)
      single.push_back(node);
    node = nodes_[node].children[path >> (length - 1 - level) & 1];
  }
  if (single.empty())
    return;
  Node& opened = nodes_[single[random_.below(single.size())]];
  opened.both = true;
  opened.heavy_share = kWhole / 2;
}

}  // namespace nplab::workloads
