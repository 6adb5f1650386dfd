#include "support/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab {
namespace {

constexpr std::size_t kMostShown = 50;  // of a severity

// An option of the command line has no lines.
std::string place_text(const SourceLocation& at) {
  if (at.file.starts_with("--"))
    return at.file;
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
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
    text += fmt::format("and {} more {}{}\n", more, severity, more == 1 ? "" : "s");
  }
  return text;
}

}  // namespace

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
