// The lines that a cache holds: tags, states and replacement, without any timing. A line is known
// by its number, its address divided by the bytes of a line; its contents stay in the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/cache/victim_choice.h"

namespace nplab::simulator {

// Of the MSI protocol. A cache without others before its memory has the same states: what it has
// written is modified, the rest shared.
enum class LineState : std::uint8_t { kInvalid, kShared, kModified };

class LineArray {
 public:
  struct Geometry {
    unsigned lines = 0;  // a multiple of `ways`; lines / ways is a power of two
    unsigned ways = 0;
    CacheReplacement replacement{};
    std::uint64_t seed = 0;
  };
  explicit LineArray(const Geometry& geometry);

  [[nodiscard]] LineState state(std::uint32_t line) const;
  // Where in the cache the line is, less than `lines`: for owners who keep contents beside. A line
  // that comes has the place of the one that made room for it.
  [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t line) const;
  // A reference finds the line, which is there.
  void use(std::uint32_t line);

  struct Replaced {
    std::uint32_t line = 0;
    LineState state{};
  };
  // Brings in a line that is not there, and gives the one that made room for it, if one had to.
  std::optional<Replaced> insert(std::uint32_t line, LineState state);
  // Of a line that is there; kInvalid: it leaves.
  void set_state(std::uint32_t line, LineState state);

  // Calls visit(line) for every line that is here.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i] != LineState::kInvalid)
        visit(tags_[i]);
  }
  [[nodiscard]] std::uint64_t lines_held() const { return held_; }
  void hash(StateHash& hash) const;

 private:
  [[nodiscard]] unsigned set_of(std::uint32_t line) const { return line & (sets_ - 1); }
  [[nodiscard]] std::optional<unsigned> way_of(std::uint32_t line) const;
  [[nodiscard]] std::size_t place(unsigned set, unsigned way) const {
    return std::size_t{set} * ways_ + way;
  }

  unsigned ways_;
  unsigned sets_;
  std::vector<std::uint32_t> tags_;  // line numbers, by set and way
  std::vector<LineState> states_;
  VictimChoice victims_;
  std::uint64_t held_ = 0;
};

}  // namespace nplab::simulator
