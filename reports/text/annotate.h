// Source lines with what they cost, as profilers print them.
#pragma once

#include <optional>
#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

struct AnnotateOptions {
  enum class Order { kHottest, kSource };
  Order order = Order::kHottest;
  std::optional<Count> engine;  // none: all engines, a line's cycles added up
  std::string file;             // only files whose name ends so; empty: all
  std::size_t most_lines = 40;  // of kHottest; 0: all
  bool causes = false;          // below each line what it stalled on, waited for and referred to
};

// A line each: cycles executing, aborted (by the branches and swaps on it), stalled; their share of
// the engines' cycles in percent; cycles that threads waited after it; `p` where it polls for
// work; file, line, text. Hottest first by executing + aborted + stalled, or every line of every
// file in place. Lines without a source are `<generated>`. Lines of calibration work are one
// row together when the hottest of all files are shown. The last line adds up all lines of the
// engines: with the idle cycles it names, 100 %.
std::string render_annotated(const RunRecord& record, const AnnotateOptions& options);

}  // namespace nplab::reports
