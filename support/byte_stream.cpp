#include "support/byte_stream.h"

#include <cstring>
#include <stdexcept>

namespace nplab {

void ByteWriter::number(std::uint64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  bytes_.append(bytes, sizeof value);
}

void ByteWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

void ByteWriter::location(const SourceLocation& value) {
  text(value.file);
  number(static_cast<std::uint64_t>(value.line));
  number(static_cast<std::uint64_t>(value.column));
}

void ByteWriter::diagnostic(const Diagnostic& value) {
  location(value.location);
  text(value.message);
}

void ByteWriter::diagnostics(const Diagnostics& value) {
  number(value.errors().size());
  for (const Diagnostic& found : value.errors())
    diagnostic(found);
  number(value.warnings().size());
  for (const Diagnostic& found : value.warnings())
    diagnostic(found);
}

std::string_view ByteReader::take(std::size_t size) {
  if (size > rest_.size())
    throw std::runtime_error("another process sent less than it announced");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t ByteReader::number() {
  std::uint64_t value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string ByteReader::text() {
  const std::uint64_t size = number();
  return std::string(take(size));
}

SourceLocation ByteReader::location() {
  SourceLocation value;
  value.file = text();
  value.line = static_cast<int>(number());
  value.column = static_cast<int>(number());
  return value;
}

Diagnostic ByteReader::diagnostic() {
  SourceLocation at = location();
  return {std::move(at), text()};
}

void ByteReader::diagnostics(Diagnostics& to) {
  for (std::uint64_t count = number(); count != 0; --count) {
    Diagnostic found = diagnostic();
    to.error(std::move(found.location), std::move(found.message));
  }
  for (std::uint64_t count = number(); count != 0; --count) {
    Diagnostic found = diagnostic();
    to.warning(std::move(found.location), std::move(found.message));
  }
}

}  // namespace nplab
