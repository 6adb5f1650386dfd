#include "support/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace nplab {
namespace {

constexpr std::size_t kMostShown = 50;  // of a severity

std::string place_text(const SourceLocation& at) {
  if (at.line == kNoLines)
    return at.file;
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

// What is quoted becomes '...' and a number N, and a hint is left out.
std::string kind_of(const std::string& message) {
  std::string kind;
  for (std::size_t i = 0; i < message.size() && message.compare(i, 2, "; ") != 0; ++i) {
    const char c = message[i];
    const bool opens = c == '\'' && (i == 0 || message[i - 1] == ' ' || message[i - 1] == '(');
    const std::size_t close = opens ? message.find('\'', i + 1) : message.npos;
    if (close != message.npos) {
      kind += "'...'";
      i = close;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      if (!kind.ends_with('N'))
        kind += 'N';
    } else {
      kind += c;
    }
  }
  return kind;
}

std::string lines_of(const std::vector<Diagnostic>& diagnostics, const char* severity) {
  std::string text;
  const std::size_t shown = std::min(diagnostics.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}: {}: {}\n", place_text(diagnostics[i].location), severity,
                        diagnostics[i].message);
  }
  if (diagnostics.size() > shown) {
    const std::size_t more = diagnostics.size() - shown;
    text += fmt::format("and {} more {}{}:\n{}", more, severity, more == 1 ? "" : "s",
                        counts_by_kind(std::span(diagnostics).subspan(shown)));
  }
  return text;
}

}  // namespace

std::string counts_by_kind(std::span<const Diagnostic> diagnostics) {
  constexpr std::size_t kMostKinds = 20;
  std::map<std::string, std::size_t> counts;
  for (const Diagnostic& found : diagnostics)
    ++counts[kind_of(found.message)];
  std::vector<std::pair<std::string, std::size_t>> kinds(counts.begin(), counts.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  std::size_t left = diagnostics.size();
  for (std::size_t i = 0; i < kinds.size() && i < kMostKinds; ++i) {
    text += fmt::format("{:>8} x {}\n", kinds[i].second, kinds[i].first);
    left -= kinds[i].second;
  }
  if (left > 0)
    text += fmt::format("{:>8} of other kinds\n", left);
  return text;
}

void Diagnostics::error(SourceLocation location, std::string message) {
  errors_.push_back({std::move(location), std::move(message)});
}

void Diagnostics::warning(SourceLocation location, std::string message) {
  Diagnostic found{std::move(location), std::move(message)};
  if (std::find(warnings_.begin(), warnings_.end(), found) == warnings_.end())
    warnings_.push_back(std::move(found));
}

void Diagnostics::append(const Diagnostics& other) {
  errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
  for (const Diagnostic& found : other.warnings_)
    warning(found.location, found.message);
}

std::string Diagnostics::to_string() const {
  return lines_of(warnings_, "warning") + lines_of(errors_, "error");
}

}  // namespace nplab
