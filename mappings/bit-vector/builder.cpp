// Builds the P-sets' tries, the bit vectors and the actions (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "p_set.h"
#include "trie.h"
#include "vector_numbers.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;

class BitVectorBuilder final : public TableBuilder {
 public:
  explicit BitVectorBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        stride_at_(inputs.written_at.at("stride")),
        node_bytes_(NODE_BYTES(stride_, static_cast<unsigned>(inputs.parameter("node_quadwords")))),
        quadwords_(inputs.parameter("node_quadwords")),
        reads_whole_nodes_(quadwords_ != 0),
        pset_(inputs.memories.at("pset")),
        pset_at_(inputs.written_at.at("pset")),
        rule_count_(static_cast<std::uint32_t>(rules_.size())),
        tries_({stride_, node_bytes_, inputs.parameter("full_depth") != 0},
               rules_.fields().size()) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    if (reads_whole_nodes_ && stride_ != 1) {
      diagnostics.error(
          stride_at_,
          fmt::format(
              "stride {} needs node_quadwords 0: a node that is read completely has two entries",
              stride_));
    }
    if (reads_whole_nodes_ && pset_ != isa::MemorySpace::kSdram) {
      diagnostics.error(pset_at_,
                        fmt::format("node_quadwords {} reads table pset as quadwords of sdram; "
                                    "write tables.pset: sdram, or node_quadwords: 0",
                                    quadwords_));
    }
    const std::size_t intervals = bit_vector::add_tries(rules_, vectors_, tries_);
    return {{"pset", std::uint64_t{tries_.nodes()} * node_bytes_,
             fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", tries_.nodes(),
                         rules_.fields().size(), node_bytes_, stride_)},
            {"vectors", std::uint64_t{vectors_.count()} * VECTOR_BYTES(rule_count_),
             fmt::format("{} different vectors of {} intervals x {} bytes ({} rules)",
                         vectors_.count(), intervals, VECTOR_BYTES(rule_count_), rule_count_)},
            {"actions", std::uint64_t{rule_count_} * ACTION_BYTES,
             fmt::format("{} rules x {} bytes", rule_count_, ACTION_BYTES)}};
  }

  TableContents write(const TablePlaces& places) override {
    TableContents contents;
    const TablePlace vectors = places.at("vectors");
    const auto addresses = vectors_.addresses(vectors.base, VECTOR_BYTES(rule_count_));
    vectors_.each([&](bit_vector::LeafNumber number, const BitVector& vector) {
      write_vector(vectors.space, addresses[number], vector, contents.image);
    });
    tries_.write(places.at("pset"), addresses, contents.image);
    const TablePlace actions = places.at("actions");
    for (std::uint32_t i = 0; i < rule_count_; ++i) {
      contents.image.put_longword(actions.space, actions.base + ACTION_BYTES * i,
                                  action_word(rules_.rules()[i].action));
    }
    return contents;
  }

 private:
  void write_vector(isa::MemorySpace space, std::uint32_t at, const BitVector& vector,
                    MemoryImage& image) const {
    for (std::uint32_t i = 0; i < VECTOR_BYTES(rule_count_) / 4; ++i)
      image.put_longword(space, at + 4 * i, i < vector.size() ? vector[i] : 0);
  }

  const workloads::RuleSet& rules_;
  const unsigned stride_;
  const SourceLocation stride_at_;
  const std::uint32_t node_bytes_;
  const std::int64_t quadwords_;
  const bool reads_whole_nodes_;
  const isa::MemorySpace pset_;
  const SourceLocation pset_at_;
  const std::uint32_t rule_count_;
  bit_vector::VectorNumbers vectors_;
  bit_vector::TrieSet tries_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_bit_vector_builder(const BuildInputs& inputs) {
  return std::make_unique<BitVectorBuilder>(inputs);
}

}  // namespace nplab::mappings
