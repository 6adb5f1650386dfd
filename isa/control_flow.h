// Where a program may go on behind each of its words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program_image.h"

namespace nplab::isa {

struct Successors {
  bool next = true;                     // the word behind
  std::optional<std::uint32_t> target;  // of a branch, in words
  bool anywhere = false;                // a jump to an address that is computed
  bool operator==(const Successors&) const = default;
};

// By word; a word from which only the thread's end follows has none. A branch with deferred words
// is decided behind the last of these: that one has its successors.
std::vector<Successors> control_flow(const ProgramImage& image);

}  // namespace nplab::isa
