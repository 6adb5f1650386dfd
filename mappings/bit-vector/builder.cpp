// Builds the P-sets' tries, the bit vectors and the actions (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "layout.h"
#include "mappings/action_word.h"
#include "mappings/table_builder.h"
#include "p_set.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;
using bit_vector::Interval;

class BitVectorBuilder {
 public:
  explicit BitVectorBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        pset_(inputs.place("pset")),
        vectors_(inputs.place("vectors")),
        actions_(inputs.place("actions")),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        node_bytes_(NODE_BYTES(stride_, static_cast<unsigned>(inputs.parameter("node_quadwords")))),
        reads_whole_nodes_(inputs.parameter("node_quadwords") != 0),
        full_depth_(inputs.parameter("full_depth") != 0),
        rule_count_(static_cast<std::uint32_t>(rules_.size())),
        nodes_(rules_.fields().size()) {}

  TableSet build(Diagnostics& diagnostics) {
    if (reads_whole_nodes_ && stride_ != 1) {
      diagnostics.error({"parameters", 0, 0},
                        fmt::format("stride {} needs node_quadwords 0: a node that is read whole has two entries", stride_));
    }
    std::uint64_t intervals = 0;
    for (std::size_t d = 0; d < rules_.fields().size(); ++d) {
      const std::vector<Interval> p_set = bit_vector::make_p_set(rules_, d);
      uniform_.clear();
      intervals += p_set.size();
      const unsigned bits = rules_.fields()[d].bits;
      const unsigned levels = (bits + stride_ - 1) / stride_;
      put_node(d, {p_set, 0, levels * stride_, levels * stride_ - bits});
    }
    for (std::uint32_t i = 0; i < rule_count_; ++i) {
      set_.image.put_longword(actions_.space, actions_.base + ACTION_BYTES * i, action_word(rules_.rules()[i].action));
    }
    put_sizes(intervals);
    return std::move(set_);
  }

 private:
  // A part of an axis that a node or an entry stands for: the values that begin with the bits of `first`. `free_bits`
  // follow them; the lowest `padding` of the trie's bits lie below the field and are 0 in every key.
  struct Block {
    const std::vector<Interval>& p_set;
    std::uint64_t first;
    unsigned free_bits;
    unsigned padding;
  };

  static const Interval* interval_at(const Block& block, std::uint64_t value) {
    const auto above = std::upper_bound(block.p_set.begin(), block.p_set.end(), value >> block.padding,
                                        [](std::uint64_t v, const Interval& i) { return v < i.low; });
    return &*std::prev(above);
  }

  void put_node(std::size_t node, const Block& block) {
    const unsigned free_bits = block.free_bits - stride_;
    const std::uint32_t at = node_address(node);
    for (std::uint64_t i = 0; i < std::uint64_t{1} << stride_; ++i) {
      const Block part{block.p_set, block.first | i << free_bits, free_bits, block.padding};
      const std::uint32_t entry_at = at + ENTRY_BYTES * static_cast<std::uint32_t>(i);
      set_.image.put_longword(pset_.space, entry_at, entry_of(part));
    }
  }

  // A block inside one interval is a leaf, however near to the root, unless all paths have full depth.
  std::uint32_t entry_of(const Block& block) {
    const Interval* interval = interval_at(block, block.first);
    const std::uint64_t last = block.first | ((std::uint64_t{1} << block.free_bits) - 1);
    const bool is_uniform = interval == interval_at(block, last);
    if (is_uniform && full_depth_ && block.free_bits > 0) return uniform_node(*interval, block);
    if (is_uniform) return ENTRY_LEAF | vector_address(interval->rules);
    const std::size_t node = nodes_++;
    put_node(node, block);
    return node_address(node);
  }

  // Below a block inside one interval all paths are alike: one node a level serves the whole interval.
  std::uint32_t uniform_node(const Interval& interval, const Block& block) {
    const auto [known, is_new] = uniform_.try_emplace({&interval, block.free_bits}, nodes_);
    if (is_new) {
      ++nodes_;
      put_node(known->second, block);
    }
    return node_address(known->second);
  }

  // Intervals with equal vectors share one, across dimensions too.
  std::uint32_t vector_address(const BitVector& rules) {
    if (std::all_of(rules.begin(), rules.end(), [](std::uint32_t bits) { return bits == 0; })) return 0;
    const auto next = vectors_.base + static_cast<std::uint32_t>(addresses_.size()) * VECTOR_BYTES(rule_count_);
    const auto [known, is_new] = addresses_.emplace(rules, next);
    if (is_new) {
      for (std::uint32_t i = 0; i < VECTOR_BYTES(rule_count_) / 4; ++i) {
        set_.image.put_longword(vectors_.space, next + 4 * i, i < rules.size() ? rules[i] : 0);
      }
    }
    return known->second;
  }

  [[nodiscard]] std::uint32_t node_address(std::size_t node) const {
    return pset_.base + static_cast<std::uint32_t>(node) * node_bytes_;
  }

  void put_sizes(std::uint64_t intervals) {
    set_.sizes.push_back({"pset", std::uint64_t{nodes_} * node_bytes_,
                          fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", nodes_,
                                      rules_.fields().size(), node_bytes_, stride_)});
    set_.sizes.push_back({"vectors", std::uint64_t{addresses_.size()} * VECTOR_BYTES(rule_count_),
                          fmt::format("{} different vectors of {} intervals x {} bytes ({} rules)", addresses_.size(),
                                      intervals, VECTOR_BYTES(rule_count_), rule_count_)});
    set_.sizes.push_back({"actions", std::uint64_t{rule_count_} * ACTION_BYTES,
                          fmt::format("{} rules x {} bytes", rule_count_, ACTION_BYTES)});
  }

  const workloads::RuleSet& rules_;
  const TablePlace pset_;
  const TablePlace vectors_;
  const TablePlace actions_;
  const unsigned stride_;
  const std::uint32_t node_bytes_;
  const bool reads_whole_nodes_;
  const bool full_depth_;
  const std::uint32_t rule_count_;
  std::size_t nodes_;  // the roots stand first
  std::map<std::pair<const Interval*, unsigned>, std::size_t> uniform_;  // by interval of the dimension and free bits
  std::map<BitVector, std::uint32_t> addresses_;
  TableSet set_;
};

}  // namespace

TableSet build_bit_vector(const BuildInputs& inputs, Diagnostics& diagnostics) {
  return BitVectorBuilder(inputs).build(diagnostics);
}

}  // namespace nplab::mappings
