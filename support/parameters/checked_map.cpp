#include "support/parameters/checked_map.h"

#include <algorithm>
#include <cassert>

#include "support/parameters/check.h"

namespace nplab::parameters {
namespace {

const yaml::Node& empty_node() {
  static const yaml::Node kEmpty;
  return kEmpty;
}

// The integer type of a value, or of the first of its types that is one.
Integer integer_type(const Value& value) {
  if (const auto* integer = std::get_if<Integer>(&value.type))
    return *integer;
  if (const auto* one_of = std::get_if<OneOf>(&value.type)) {
    for (const Value& type : one_of->types) {
      if (const auto* integer = std::get_if<Integer>(&type.type))
        return *integer;
    }
  }
  return {};
}

}  // namespace

const Key& CheckedMap::described(std::string_view key) const {
  const Key* found = keys_.find(key);
  assert(found != nullptr && "the key is described");
  return *found;
}

const yaml::Node* CheckedMap::find(std::string_view key) const {
  return node_.find(described(key).name);
}

bool CheckedMap::fits(std::string_view key) const {
  return parameters::fits(node_, described(key));
}

const SourceLocation& CheckedMap::location(std::string_view key) const {
  const yaml::Node* node = find(key);
  return node == nullptr ? node_.location() : node->location();
}

std::string CheckedMap::text(std::string_view key) const {
  const yaml::Node* node = find(key);
  return node != nullptr && node->is_scalar() ? node->scalar() : described(key).default_text;
}

std::int64_t CheckedMap::integer(std::string_view key) const {
  const Key& about = described(key);
  const Integer range = integer_type(about.value);
  const std::int64_t fallback =
      about.default_text.empty() ? range.least : std::stoll(about.default_text);
  const yaml::Node* node = find(key);
  return node == nullptr ? fallback : integer_or(*node, range, fallback);
}

bool CheckedMap::boolean(std::string_view key) const {
  return text(key) == "true";
}

const std::vector<yaml::Node>& CheckedMap::items(std::string_view key) const {
  const yaml::Node* node = find(key);
  return node != nullptr && node->is_list() ? node->items() : empty_node().items();
}

CheckedMap CheckedMap::section(std::string_view key) const {
  const yaml::Node* node = find(key);
  return {node != nullptr && node->is_map() ? *node : empty_node(), *keys_of(described(key).value)};
}

std::size_t CheckedMap::choice_index(std::string_view key) const {
  const auto& words = std::get<Choice>(described(key).value.type).words;
  const auto at = [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word);
  };
  auto chosen = at(text(key));
  if (chosen == words.end())
    chosen = at(described(key).default_text);
  return chosen == words.end() ? 0 : static_cast<std::size_t>(chosen - words.begin());
}

std::int64_t integer_or(const yaml::Node& node, const Integer& range, std::int64_t fallback) {
  Diagnostics checked;
  const auto value = node.as_integer(checked);
  return value && range.least <= *value && *value <= range.most ? *value : fallback;
}

}  // namespace nplab::parameters
