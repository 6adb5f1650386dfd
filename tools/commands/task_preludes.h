// What stands before a task in the program that a mapping's tasks are composed to: constants,
// structures and other tasks. A task's file by itself lacks them.
#pragma once

#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::tools {

struct TaskPrelude {
  std::string task;    // the file's path, absolute
  std::string folder;  // of the algorithm
  std::string text;    // C
};

// Of every task that the mappings (files or listed names) use, each once: as the first of them has
// it. `chip`: a name or file; empty: each mapping's. All errors at once.
std::vector<TaskPrelude> task_preludes(const std::vector<std::string>& mappings,
                                       const std::string& chip, Diagnostics& diagnostics);

}  // namespace nplab::tools
