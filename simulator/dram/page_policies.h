// The page policies that a chip file can name, the default first. A policy is one file and its name
// here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/dram/closed_page.h"
#include "simulator/dram/open_page.h"

namespace nplab::simulator::dram {

template <class... Policies>
class AnyPagePolicy {
 public:
  enum class Choice : std::uint8_t {};

  explicit AnyPagePolicy(Choice choice)
      : closes_(std::array{&Policies::closes...}[static_cast<std::size_t>(choice)]) {}

  // Whether the read or write that is issued closes its row.
  [[nodiscard]] bool closes(const RowFacts& facts) const { return closes_(facts); }

  friend std::vector<std::string> choice_words(Choice) { return {std::string(Policies::kName)...}; }

 private:
  bool (*closes_)(const RowFacts&);
};

using PagePolicy = AnyPagePolicy<OpenPage, ClosedPage>;

}  // namespace nplab::simulator::dram
