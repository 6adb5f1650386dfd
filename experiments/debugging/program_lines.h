// Source lines and the words of engines' programs, for a debugger: where to stop for a line, and
// what a thread that is about to execute a word is shown at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/debug_target.h"
#include "experiments/debugging/stop_points.h"

namespace nplab::experiments {

struct LinePlace {
  const DebugSource* source = nullptr;  // none: the file is not known
  std::string file;                     // as the line table has it
  unsigned line = 0;                    // 0: the word has no source line
};
LinePlace line_of(const DebugTarget& target, unsigned engine, std::uint32_t word);

// The source whose path or name is `name`; null when no program has it.
const DebugSource* find_source(const DebugTarget& target, const std::string& name);

// A line that has code, at or after `line`, and the words at which execution comes to it from other
// lines. Nothing: none of the following lines has any.
struct LineWords {
  unsigned line = 0;
  std::vector<WordStop> words;
};
std::optional<LineWords> words_of_line(const DebugTarget& target, const std::string& file,
                                       unsigned line, int id);
// Lines of the file that have code, ascending.
std::vector<unsigned> lines_with_code(const DebugTarget& target, const std::string& file);

// The words of an engine at which execution comes to any line from another one; or all its words.
std::vector<std::uint32_t> line_entries(const isa::ProgramImage& image);
std::vector<std::uint32_t> all_words(const isa::ProgramImage& image);

// The first words of functions of this name.
std::vector<WordStop> words_of_function(const DebugTarget& target, const std::string& name, int id);

const DebugProgram* program_of(const DebugTarget& target, unsigned engine);

}  // namespace nplab::experiments
