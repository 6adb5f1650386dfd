// JSON whose every value knows where it stands, for errors at their place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::workloads {

class JsonValue {
 public:
  enum class Kind { kNull, kBoolean, kNumber, kString, kList, kMap };

  [[nodiscard]] Kind kind() const { return kind_; }
  // Of its first character or, for a string, number or word, its last.
  [[nodiscard]] const SourceLocation& location() const { return location_; }
  // A string's characters, or a number as written.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<JsonValue>& items() const {
    return items_;
  }  // of a list, or a map's values
  [[nodiscard]] const std::vector<std::string>& keys() const {
    return keys_;
  }  // of a map, in order
  [[nodiscard]] const JsonValue* find(std::string_view key) const;  // of a map; null when absent
  // The text of a map's string or number; empty when there is none.
  [[nodiscard]] std::string text_of(std::string_view key) const;
  // The one entry of a map `{KEY: value}`; null when it is something else.
  [[nodiscard]] const JsonValue* only(std::string_view key) const;

 private:
  friend class JsonBuilder;
  Kind kind_ = Kind::kNull;
  SourceLocation location_;
  std::string text_;
  std::vector<JsonValue> items_;
  std::vector<std::string> keys_;
};

// Parses one document; a syntax error is reported at its place.
std::optional<JsonValue> parse_json(std::string_view text, const std::string& file,
                                    Diagnostics& diagnostics);

}  // namespace nplab::workloads
