#include "support/diagnostics.h"

#include <fmt/format.h>

namespace nplab {

void Diagnostics::error(SourceLocation location, std::string message) {
  errors_.push_back({std::move(location), std::move(message)});
}

void Diagnostics::append(const Diagnostics& other) {
  errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
}

std::string Diagnostics::to_string() const {
  std::string text;
  for (const Diagnostic& error : errors_) {
    const SourceLocation& at = error.location;
    text += fmt::format("{}:{}:{}: error: {}\n", at.file, at.line, at.column, error.message);
  }
  return text;
}

}  // namespace nplab
