// Builds the P-sets' tries, the bit vectors and the actions (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "p_set.h"
#include "trie.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;
using bit_vector::Interval;

class BitVectorBuilder {
 public:
  explicit BitVectorBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        vectors_(inputs.place("vectors")),
        actions_(inputs.place("actions")),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        stride_at_(inputs.written_at.at("stride")),
        node_bytes_(NODE_BYTES(stride_, static_cast<unsigned>(inputs.parameter("node_quadwords")))),
        reads_whole_nodes_(inputs.parameter("node_quadwords") != 0),
        rule_count_(static_cast<std::uint32_t>(rules_.size())),
        tries_(inputs.place("pset"), {stride_, node_bytes_, inputs.parameter("full_depth") != 0},
               rules_.fields().size(), set_.image) {}

  TableSet build(Diagnostics& diagnostics) {
    if (reads_whole_nodes_ && stride_ != 1) {
      diagnostics.error(
          stride_at_,
          fmt::format("stride {} needs node_quadwords 0: a node that is read whole has two entries",
                      stride_));
    }
    std::uint64_t intervals = 0;
    for (std::size_t d = 0; d < rules_.fields().size(); ++d) {
      bit_vector::TrieIntervals trie;
      for (const Interval& interval : bit_vector::make_p_set(rules_, d)) {
        trie.lows.push_back(interval.low);
        trie.addresses.push_back(vector_address(interval.rules));
      }
      intervals += trie.lows.size();
      tries_.write(d, rules_.fields()[d].bits, trie);
    }
    for (std::uint32_t i = 0; i < rule_count_; ++i) {
      set_.image.put_longword(actions_.space, actions_.base + ACTION_BYTES * i,
                              action_word(rules_.rules()[i].action));
    }
    put_sizes(intervals);
    return std::move(set_);
  }

 private:
  // Intervals with equal vectors share one, across dimensions too.
  std::uint32_t vector_address(const BitVector& rules) {
    if (std::all_of(rules.begin(), rules.end(), [](std::uint32_t bits) { return bits == 0; }))
      return 0;
    const auto next =
        vectors_.base + static_cast<std::uint32_t>(addresses_.size()) * VECTOR_BYTES(rule_count_);
    const auto [known, is_new] = addresses_.emplace(rules, next);
    if (is_new) {
      for (std::uint32_t i = 0; i < VECTOR_BYTES(rule_count_) / 4; ++i) {
        set_.image.put_longword(vectors_.space, next + 4 * i, i < rules.size() ? rules[i] : 0);
      }
    }
    return known->second;
  }

  void put_sizes(std::uint64_t intervals) {
    set_.sizes.push_back(
        {"pset", std::uint64_t{tries_.nodes()} * node_bytes_,
         fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", tries_.nodes(),
                     rules_.fields().size(), node_bytes_, stride_)});
    set_.sizes.push_back(
        {"vectors", std::uint64_t{addresses_.size()} * VECTOR_BYTES(rule_count_),
         fmt::format("{} different vectors of {} intervals x {} bytes ({} rules)",
                     addresses_.size(), intervals, VECTOR_BYTES(rule_count_), rule_count_)});
    set_.sizes.push_back({"actions", std::uint64_t{rule_count_} * ACTION_BYTES,
                          fmt::format("{} rules x {} bytes", rule_count_, ACTION_BYTES)});
  }

  const workloads::RuleSet& rules_;
  const TablePlace vectors_;
  const TablePlace actions_;
  const unsigned stride_;
  const SourceLocation stride_at_;
  const std::uint32_t node_bytes_;
  const bool reads_whole_nodes_;
  const std::uint32_t rule_count_;
  std::map<BitVector, std::uint32_t> addresses_;
  TableSet set_;
  bit_vector::TrieWriter tries_;
};

}  // namespace

TableSet build_bit_vector(const BuildInputs& inputs, Diagnostics& diagnostics) {
  return BitVectorBuilder(inputs).build(diagnostics);
}

}  // namespace nplab::mappings
