#include "cells.h"

#include <algorithm>
#include <numeric>

namespace nplab::mappings::many_field {
namespace {

constexpr unsigned kKeyBits = 64;

std::uint64_t shifted(std::uint64_t value, unsigned bits) {
  return bits >= kKeyBits ? 0 : value << bits;
}

}  // namespace

void Cells::add(std::uint64_t low, CellTarget target) {
  if (!targets.empty() && targets.back() == target)
    return;
  lows.push_back(low);
  targets.push_back(target);
}

std::size_t CellMaker::ListHash::operator()(const RuleList& list) const {
  std::size_t hash = list.size();
  for (const std::uint32_t rule : list)
    hash = (hash ^ rule) * 0x9e3779b97f4a7c15;
  return hash;
}

CellMaker::CellMaker(const workloads::RuleSet& rules, std::vector<std::uint32_t> fields,
                     VectorStore& store, std::size_t most_cells, std::size_t most_vectors)
    : rules_(rules),
      fields_(std::move(fields)),
      store_(store),
      most_cells_(most_cells),
      most_vectors_(most_vectors),
      bits_below_(fields_.size()),
      known_(fields_.size()) {
  for (std::size_t level = fields_.size() - 1; level-- > 0;)
    bits_below_[level] = bits_below_[level + 1] + rules.fields()[fields_[level + 1]].bits;
}

bool CellMaker::make() {
  RuleList all(rules_.size());
  std::iota(all.begin(), all.end(), 0);
  root_ = &cells_of(0, all).cells;
  return !is_full();
}

std::vector<CellMaker::Change> CellMaker::changes_of(std::size_t level,
                                                     const RuleList& rules) const {
  const std::size_t field = fields_[level];
  const std::uint64_t last = workloads::max_value(rules_.fields()[field].bits);
  std::vector<Change> changes;
  changes.reserve(2 * rules.size());
  for (const std::uint32_t rule : rules) {
    const workloads::Range& range = rules_.rules()[rule].ranges[field];
    changes.push_back({range.low, rule});
    if (range.high < last)
      changes.push_back({range.high + 1, rule});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at < b.at; });
  return changes;
}

CellMaker::Made& CellMaker::cells_of(std::size_t level, const RuleList& rules) {
  std::unique_ptr<Made>& made = known_[level][rules];
  if (made)
    return *made;
  made = std::make_unique<Made>();
  Made& result = *made;  // the map may move the pointer, not what it points to
  if (level + 1 == fields_.size())
    make_last(rules, result.cells);
  else
    make_inner(level, rules, result.cells);
  made_ += result.cells.lows.size();
  return result;
}

void CellMaker::make_last(const RuleList& rules, Cells& cells) {
  const std::vector<Change> changes = changes_of(fields_.size() - 1, rules);
  RuleVector current = store_.empty_vector();
  std::uint64_t low = 0;
  for (std::size_t i = 0; i < changes.size() && !is_full();) {
    if (changes[i].at != low)
      cells.add(low, {CellTarget::Kind::kVector, store_.number_of(current)});
    low = changes[i].at;
    for (; i < changes.size() && changes[i].at == low; ++i)
      toggle(current, changes[i].rule);
  }
  cells.add(low, {CellTarget::Kind::kVector, store_.number_of(current)});
}

void CellMaker::make_inner(std::size_t level, const RuleList& rules, Cells& cells) {
  const std::vector<Change> changes = changes_of(level, rules);
  const std::uint64_t last = workloads::max_value(rules_.fields()[fields_[level]].bits);
  RuleList current;  // ascending
  std::uint64_t low = 0;
  for (std::size_t i = 0; i < changes.size() && !is_full();) {
    if (changes[i].at != low)
      add_interval(level, low, changes[i].at - 1, current, cells);
    low = changes[i].at;
    for (; i < changes.size() && changes[i].at == low; ++i) {
      const auto at = std::lower_bound(current.begin(), current.end(), changes[i].rule);
      if (at != current.end() && *at == changes[i].rule)
        current.erase(at);
      else
        current.insert(at, changes[i].rule);
    }
  }
  if (!is_full())
    add_interval(level, low, last, current, cells);
}

void CellMaker::add_interval(std::size_t level, std::uint64_t low, std::uint64_t high,
                             const RuleList& rules, Cells& cells) {
  const unsigned bits = bits_below_[level];
  if (rules.empty())
    return cells.add(shifted(low, bits), {});
  Made& below = cells_of(level + 1, rules);
  if (below.cells.lows.size() == 1)
    return cells.add(shifted(low, bits), below.cells.targets.front());
  if (low == high) {
    for (std::size_t i = 0; i < below.cells.lows.size(); ++i)
      cells.add(shifted(low, bits) | below.cells.lows[i], below.cells.targets[i]);
    return;
  }
  if (below.space == kNoSpace) {
    below.space = static_cast<std::uint32_t>(spaces_.size());
    spaces_.push_back({below.cells, workloads::max_value(bits)});
  }
  cells.add(shifted(low, bits), {CellTarget::Kind::kSpace, below.space});
}

}  // namespace nplab::mappings::many_field
