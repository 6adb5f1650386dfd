#include "simulator/cache/line_array.h"

#include <bit>
#include <cassert>

namespace nplab::simulator {

LineArray::LineArray(const Geometry& geometry)
    : ways_(geometry.ways),
      sets_(geometry.lines / geometry.ways),
      tags_(geometry.lines),
      states_(geometry.lines, LineState::kInvalid),
      victims_(geometry.replacement, sets_, ways_, geometry.seed) {
  assert(std::has_single_bit(sets_) && "a cache has 2^n sets");
}

std::optional<unsigned> LineArray::way_of(std::uint32_t line) const {
  const unsigned set = set_of(line);
  for (unsigned way = 0; way < ways_; ++way)
    if (tags_[place(set, way)] == line && states_[place(set, way)] != LineState::kInvalid)
      return way;
  return std::nullopt;
}

std::optional<std::size_t> LineArray::place_of(std::uint32_t line) const {
  const auto way = way_of(line);
  return way ? std::optional(place(set_of(line), *way)) : std::nullopt;
}

LineState LineArray::state(std::uint32_t line) const {
  const auto way = way_of(line);
  return way ? states_[place(set_of(line), *way)] : LineState::kInvalid;
}

void LineArray::use(std::uint32_t line) {
  victims_.used(set_of(line), way_of(line).value());
}

std::optional<LineArray::Replaced> LineArray::insert(std::uint32_t line, LineState state) {
  assert(!way_of(line) && "a line is held once");
  const unsigned set = set_of(line);
  std::optional<Replaced> replaced;
  unsigned way = 0;
  while (way < ways_ && states_[place(set, way)] != LineState::kInvalid)
    ++way;
  if (way == ways_) {
    way = victims_.victim(set);
    replaced = {tags_[place(set, way)], states_[place(set, way)]};
  } else {
    ++held_;
  }
  tags_[place(set, way)] = line;
  states_[place(set, way)] = state;
  victims_.used(set, way);
  return replaced;
}

void LineArray::set_state(std::uint32_t line, LineState state) {
  states_[place(set_of(line), way_of(line).value())] = state;
  if (state == LineState::kInvalid)
    --held_;
}

void LineArray::hash(StateHash& hash) const {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == LineState::kInvalid)
      continue;
    hash.add(i);
    hash.add(tags_[i]);
    hash.add(static_cast<std::uint64_t>(states_[i]));
  }
  victims_.hash(hash);
}

}  // namespace nplab::simulator
