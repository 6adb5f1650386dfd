// The intervals into which the rules cut the axis of a search. Of one field they are the P-set of
// the bit vector algorithms. Of a superfield, whose values are its fields' bits one after the
// other, they are the cross product of what occurs: below each interval of the first field those of
// the second, by the rules that match in the first, and so on. A single value of the first field is
// a range of the superfield, whatever lies below it; several values are one only if nothing below
// them differs. Otherwise the search goes on from the interval in a space of its own, without the
// first field.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vector_store.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::many_field {

// A vector of rules, or a space of the fields that follow.
struct CellTarget {
  enum class Kind { kVector, kSpace };
  Kind kind = Kind::kVector;
  std::uint32_t number = 0;
  friend bool operator==(const CellTarget&, const CellTarget&) = default;
};

// In ascending order, the first from 0: where each begins, and what lies there. Neighbours differ.
struct Cells {
  std::vector<std::uint64_t> lows;
  std::vector<CellTarget> targets;

  void add(std::uint64_t low, CellTarget target);
};

struct CellSpace {
  Cells cells;
  std::uint64_t mask = 0;  // the bits of the key that count in it
};

class CellMaker {
 public:
  // `fields` of the rules, up to 64 bits together. The rules and the store outlive it.
  CellMaker(const workloads::RuleSet& rules, std::vector<std::uint32_t> fields, VectorStore& store,
            std::size_t most_cells, std::size_t most_vectors);

  // Makes the cells; false when they, or the store's vectors, become more than allowed.
  bool make();

  [[nodiscard]] const Cells& cells() const { return *root_; }
  // Those that targets name.
  [[nodiscard]] const std::vector<CellSpace>& spaces() const { return spaces_; }
  [[nodiscard]] std::size_t cell_count() const { return made_; }

 private:
  using RuleList = std::vector<std::uint32_t>;
  struct ListHash {
    std::size_t operator()(const RuleList& list) const;
  };
  struct Made {
    Cells cells;
    std::uint32_t space = kNoSpace;
  };
  static constexpr std::uint32_t kNoSpace = 0xffffffff;
  // At a value: the rule begins to match there, or no longer does.
  struct Change {
    std::uint64_t at;
    std::uint32_t rule;
  };

  [[nodiscard]] std::vector<Change> changes_of(std::size_t level, const RuleList& rules) const;
  Made& cells_of(std::size_t level, const RuleList& rules);
  void make_last(const RuleList& rules, Cells& cells);
  void make_inner(std::size_t level, const RuleList& rules, Cells& cells);
  // The interval `low` to `high` of the level's field, where `rules` match.
  void add_interval(std::size_t level, std::uint64_t low, std::uint64_t high, const RuleList& rules,
                    Cells& cells);
  [[nodiscard]] bool is_full() const {
    return made_ > most_cells_ || store_.count() > most_vectors_;
  }

  const workloads::RuleSet& rules_;
  const std::vector<std::uint32_t> fields_;
  VectorStore& store_;
  const std::size_t most_cells_, most_vectors_;
  std::vector<unsigned> bits_below_;  // by level: of the fields after it
  // By level and the rules that match in the fields before.
  std::vector<std::unordered_map<RuleList, std::unique_ptr<Made>, ListHash>> known_;
  std::vector<CellSpace> spaces_;
  const Cells* root_ = nullptr;
  std::size_t made_ = 0;
};

}  // namespace nplab::mappings::many_field
