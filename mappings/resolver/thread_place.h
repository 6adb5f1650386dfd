// A thread by its engine and its context there.
#pragma once

#include <compare>

namespace nplab::mappings {

struct ThreadPlace {
  unsigned engine = 0;
  unsigned context = 0;
  friend auto operator<=>(const ThreadPlace&, const ThreadPlace&) = default;
};

}  // namespace nplab::mappings
