// Which source lines are work of the calibration: they stand for code that was not printed.
#pragma once

#include <string_view>

namespace nplab::reports {

inline bool is_calibration_work(std::string_view file) {
  return file.ends_with("library/unprinted_work.h");
}

}  // namespace nplab::reports
