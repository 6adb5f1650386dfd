// One program through the compiler at every level, in a process of its own with limits of time and
// memory, and what of the answer is not as documented.
#pragma once

#include <string>
#include <vector>

namespace nplab::test {

struct CompileOutcome {
  std::vector<std::string> complaints;  // none: all levels gave code, or diagnostics as documented
  bool compiled = false;                // at some level
  bool refused = false;                 // at some level
  std::string text;                     // diagnostics of the last level that refused it
};

// C, at -O0 to -Os and `published`: object and assembly text, which must assemble to the object.
CompileOutcome compile_guarded(const std::string& source);

// Assembly.
CompileOutcome assemble_guarded(const std::string& source);

// Why the text of diagnostics is not what a reader of C may expect: words of LLVM's own, an error
// without a line and column, or too many lines. Empty if it is.
std::string complaint_about(const std::string& diagnostics);

}  // namespace nplab::test
