#include "support/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab {
namespace {

std::string lines_of(const std::vector<Diagnostic>& diagnostics, const char* severity) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    const SourceLocation& at = diagnostic.location;
    text += fmt::format("{}:{}:{}: {}: {}\n", at.file, at.line, at.column, severity,
                        diagnostic.message);
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
