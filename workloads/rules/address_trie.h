// Addresses that share prefixes as those of real rule sets do: the binary trie of Taylor and
// Turner, "ClassBench: A Packet Classification Benchmark", 2007, section IV.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/base/field.h"
#include "workloads/base/random.h"

namespace nplab::workloads {

inline constexpr unsigned kAddressBits = 32;

// For each level of the trie (bits after the root), in thousandths.
struct AddressTrieShape {
  std::array<unsigned, kAddressBits> branching{};  // share of inner nodes with two children
  // Of nodes with two children: 1000 - (lighter child's rules / heavier child's rules), on average.
  std::array<unsigned, kAddressBits> skew{};
  friend bool operator==(const AddressTrieShape&, const AddressTrieShape&) = default;
};

// The shape of the trie that these prefixes span, each counting as one rule.
AddressTrieShape shape_of(const std::vector<Range>& prefixes);

// A trie that grows as prefixes are drawn from it: a node decides when it is first met whether it
// has two children, and how they share the rules.
class AddressTrie {
 public:
  AddressTrie(const AddressTrieShape& shape, Random& random)
      : shape_(shape), random_(random), nodes_(1) {}

  // A prefix of `length` bits. `fresh` opens one new branch on the way, if a node there has only
  // one child.
  enum class Novelty { kUsual, kFresh };
  Range draw(unsigned length, Novelty novelty);

 private:
  struct Node {
    bool decided = false;
    bool both = false;                        // may have two children
    unsigned heavy = 0;                       // the only child's, or the heavier one's bit
    unsigned heavy_share = 0;                 // of the heavier child, in thousandths
    std::array<std::uint32_t, 2> children{};  // 0: none yet
  };
  void decide(std::uint32_t node, unsigned level);
  unsigned choose_bit(std::uint32_t node);
  std::uint32_t child(std::uint32_t node, unsigned bit);
  void open_branch(std::uint64_t path, unsigned length);

  AddressTrieShape shape_;
  Random& random_;
  std::vector<Node> nodes_;  // the first is the root
};

}  // namespace nplab::workloads
