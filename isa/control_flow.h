// Where a program may continue after each of its words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program_image.h"

namespace nplab::isa {

struct Successors {
  bool next = true;                     // the following word
  std::optional<std::uint32_t> target;  // of a branch, in words
  bool anywhere = false;                // a jump to an address that is computed
  // Where such a jump goes in programs as the compiler makes them, in words, ascending: one into a
  // table of `br` to those branches, a return to what `load_addr` puts into its register anywhere.
  // Empty if the program shows neither.
  std::vector<std::uint32_t> computed;
  bool operator==(const Successors&) const = default;
};

// By word; a word that ends the thread has none. A branch takes effect after the last of its
// deferred words: that one has the branch's successors.
std::vector<Successors> control_flow(const ProgramImage& image);

}  // namespace nplab::isa
