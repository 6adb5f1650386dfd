// Diagnostics: what is wrong with an input, where, and what would be right. Every reader of user
// input collects all of its errors in one Diagnostics and returns no value when there is any; the
// nplab command prints them and exits 2.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nplab {

// A place in an input file. Lines and columns count from 1; 0 means "the whole file" or "the whole
// line".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

// The line of what is not a file: a word of the command line, a process.
inline constexpr int kNoLines = -1;

// The place of a word of the command line, or of a process: messages name it without line and
// column.
inline SourceLocation without_lines(std::string name) {
  return {std::move(name), kNoLines, 0};
}

struct Diagnostic {
  SourceLocation location;
  std::string message;  // what is wrong, and what would be right
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// How many there are of each kind, the most frequent first, one line each; messages are of one kind
// when they differ only in what they quote and in numbers.
std::string counts_by_kind(std::span<const Diagnostic> diagnostics);

class Diagnostics {
 public:
  void error(SourceLocation location, std::string message);
  void error(Diagnostic found) { errors_.push_back(std::move(found)); }
  // Something that is still accepted but should be changed, such as a key's old name. The same
  // warning at the same place is kept once.
  void warning(SourceLocation location, std::string message);
  void append(const Diagnostics& other);

  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }
  [[nodiscard]] const std::vector<Diagnostic>& errors() const { return errors_; }

  [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }

  // One line each, `FILE:LINE:COLUMN: error: message`, warnings before errors, in the order in
  // which they were found; of what has no lines `NAME: error: message`. The first
  // 50 of each, then how many more there are of each kind.
  [[nodiscard]] std::string to_string() const;

 private:
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace nplab
