// Checks of what options are given.
#pragma once

#include <string>

namespace nplab::tools {

// Of a count: unsigned options would take -1 for the greatest of all numbers. Empty when there is nothing to say.
inline std::string refuse_negative(const std::string& text) {
  return text.starts_with('-') ? text + " is below 0" : std::string();
}

}  // namespace nplab::tools
