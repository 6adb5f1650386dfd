// Line-oriented input: lines and blank-separated words that know their place.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::workloads {

struct Line {
  int number = 0;  // counts from 1
  std::string_view text;
};

struct Word {
  int column = 0;  // counts from 1
  std::string_view text;
};

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Lines of `bytes` that hold something; those that begin with `#` are left out.
inline std::vector<Line> significant_lines(std::string_view bytes) {
  std::vector<Line> lines;
  int number = 0;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    const std::string_view text = bytes.substr(start, end - start);
    ++number;
    start = end + 1;
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && text[first] != '#')
      lines.push_back({number, text});
  }
  return lines;
}

inline std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end]))
      ++end;
    words.push_back({static_cast<int>(at) + 1, text.substr(at, end - at)});
    at = end;
  }
  return words;
}

// Errors of one file, as many as a reader wants to see at once.
class FileErrors {
 public:
  static constexpr int kShown = 50;
  static constexpr const char* kNotShown = "further errors of this file are not shown";

  FileErrors(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  void at(int line, int column, std::string message) {
    if (count_ < kShown)
      diagnostics_.error({file_, line, column}, std::move(message));
    if (count_ == kShown)
      diagnostics_.error({file_, line, column}, kNotShown);
    ++count_;
  }
  [[nodiscard]] SourceLocation location(int line, int column) const {
    return {file_, line, column};
  }
  [[nodiscard]] bool any() const { return count_ > 0; }

 private:
  std::string file_;
  Diagnostics& diagnostics_;
  int count_ = 0;
};

}  // namespace nplab::workloads
