// Values as bytes and back, between processes of this program: numbers, texts, diagnostics.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace nplab {

class ByteWriter {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  void location(const SourceLocation& value);
  void diagnostic(const Diagnostic& value);
  void diagnostics(const Diagnostics& value);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote, in the same order. Throws std::runtime_error at its end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  std::string text();
  SourceLocation location();
  Diagnostic diagnostic();
  void diagnostics(Diagnostics& to);

 private:
  std::string_view take(std::size_t size);

  std::string_view rest_;
};

}  // namespace nplab
