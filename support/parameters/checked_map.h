// Taking values out of a map that was checked against its description. A key that the file leaves
// out has the description's default; so has one whose value was refused, and reported then.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

class CheckedMap {
 public:
  // Both must outlive it.
  CheckedMap(const yaml::Node& node, const KeyMap& keys) : node_(node), keys_(keys) {}

  [[nodiscard]] const yaml::Node& node() const { return node_; }
  // The node of a key, which is described; null when the file leaves it out.
  [[nodiscard]] const yaml::Node* find(std::string_view key) const;
  [[nodiscard]] const SourceLocation& location(
      std::string_view key) const;  // the map's when absent

  // Whether the value is there, if it must be, and was not refused.
  [[nodiscard]] bool fits(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  // The items of a list; none when it is absent or not a list.
  [[nodiscard]] const std::vector<yaml::Node>& items(std::string_view key) const;
  // Those of the map below `key`; the empty map when it is absent or not a map.
  [[nodiscard]] CheckedMap section(std::string_view key) const;
  // The enumerator whose position is that of the value among the words of the key.
  template <class Enum>
  [[nodiscard]] Enum choice(std::string_view key) const {
    return static_cast<Enum>(choice_index(key));
  }

 private:
  [[nodiscard]] const Key& described(std::string_view key) const;
  [[nodiscard]] std::size_t choice_index(std::string_view key) const;

  const yaml::Node& node_;
  const KeyMap& keys_;
};

// The same for a single value: of the described type, or the fallback.
std::int64_t integer_or(const yaml::Node& node, const Integer& range, std::int64_t fallback);

}  // namespace nplab::parameters
