// The basic blocks of a run's programs with what they cost, for Graphviz.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// Words that are entered at the first and left behind the last, deferred ones of a branch included.
struct BasicBlock {
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<std::size_t> next;  // blocks, by number
  bool goes_anywhere = false;     // a computed jump
  bool ends = false;              // the thread ends
};

// In the order of their words, from the record's `next`.
std::vector<BasicBlock> basic_blocks(const Program& program);

// A node a block: its words, source lines, how often it was entered at its first word, and its
// cycles: executing, aborted, stalled, and their share of the engine's, which also sets its colour.
// Words that never ran are grey.
std::string control_flow_dot(const RunRecord& record, const Program& program);

}  // namespace nplab::reports
