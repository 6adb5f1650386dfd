// A mapping as an argument of `compare` names it.
#pragma once

#include <string>
#include <vector>

namespace nplab::experiments {

struct ChosenMapping {
  std::string name;              // listed name or file
  std::vector<std::string> set;  // KEY=VALUE, overrides of its own
};

// `bv2`, or with overrides `bv2:KEY=VALUE:KEY=VALUE`. A text that names a file is that file, and a
// part without `=` belongs to the value before it.
ChosenMapping parse_chosen_mapping(const std::string& text);

}  // namespace nplab::experiments
