// YAML with positions: every scalar, map and list knows where it stands in its file, so that a
// wrong value is reported at its own line and column, unknown keys are errors and a near miss is
// suggested.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::yaml {

class Node;

// Parses one document. A syntax error is reported at its place and gives no node.
std::optional<Node> parse(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// One value of a document. Only overrides of the command line, chips that extend another one, and
// renamed keys change it.
class Node {
 public:
  enum class Kind { kNull, kScalar, kList, kMap };

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is_map() const { return kind_ == Kind::kMap; }
  [[nodiscard]] bool is_list() const { return kind_ == Kind::kList; }
  [[nodiscard]] bool is_scalar() const { return kind_ == Kind::kScalar; }
  [[nodiscard]] const SourceLocation& location() const { return location_; }
  [[nodiscard]] const std::string& scalar() const { return scalar_; }
  [[nodiscard]] const std::vector<Node>& items() const { return items_; }  // of a list
  [[nodiscard]] const std::vector<std::string>& keys() const {
    return keys_;
  }  // of a map, in file order
  [[nodiscard]] const Node* find(std::string_view key) const;  // of a map; null when absent

  // Conversions. Each reports an error at this node ("expected ... , found ...") and returns
  // nothing on a mismatch.
  std::optional<std::string> as_string(Diagnostics& diagnostics) const;
  std::optional<std::int64_t> as_integer(
      Diagnostics& diagnostics) const;  // decimal or 0x; K and M suffixes are 2^10 and 2^20
  std::optional<double> as_number(Diagnostics& diagnostics) const;
  std::optional<bool> as_boolean(Diagnostics& diagnostics) const;

  // Reports every key of this map that is not among `known`, suggesting the nearest of them.
  void reject_unknown_keys(const std::vector<std::string>& known, Diagnostics& diagnostics) const;
  // Reports a missing key and returns null, or returns its node.
  const Node* require(std::string_view key, Diagnostics& diagnostics) const;

  // Sets `path` (keys joined by dots; list items by their index) to the scalar `value`, read as
  // YAML, so that lists and maps may be given too. The path's parents must exist; the last key may
  // be new (the schema check judges it). `location` names the override in later errors. Returns
  // false when a parent does not exist.
  bool set(std::string_view path, std::string_view value, const SourceLocation& location,
           Diagnostics& diagnostics);

  // Takes over what `over` says: maps key by key, anything else whole. What `over` does not have
  // stays, with its place.
  void overlay(const Node& over);
  // Takes the key out of this map; what it held, if it was there.
  std::optional<Node> take(std::string_view key);
  // Gives a key of this map, which is there, another name; its value and its place stay.
  void rename(std::string_view key, std::string_view new_name);
  // The value of a map's key (null when absent), or the value at an index of a map or list, to
  // change it.
  [[nodiscard]] Node* child(std::string_view key);
  [[nodiscard]] Node* child(std::size_t index) { return &items_[index]; }

 private:
  friend class Builder;
  // Of this value and of all within it.
  void place_at(const SourceLocation& location);

  Kind kind_ = Kind::kNull;
  SourceLocation location_;
  std::string scalar_;
  std::vector<Node> items_;        // of a list, or the values of a map
  std::vector<std::string> keys_;  // of a map; as many as items_
};

}  // namespace nplab::yaml
