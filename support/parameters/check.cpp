#include "support/parameters/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "support/near_miss.h"

namespace nplab::parameters {
namespace {

using Kind = yaml::Node::Kind;
using Limits = std::numeric_limits<std::int64_t>;

// The nearest word, if any is near, and all words.
std::string suggestion_and_list(std::string_view unknown, const std::vector<std::string>& known) {
  const std::string list = fmt::format("known: {}", fmt::join(known, ", "));
  const std::string nearest = suggestion(unknown, known);
  return nearest.starts_with("did you mean") ? nearest + " " + list : list;
}

std::string not_one_of(std::string_view unknown, const std::vector<std::string>& words) {
  const std::string text = fmt::format("'{}' is not one of {}", unknown, fmt::join(words, ", "));
  const std::string nearest = suggestion(unknown, words);
  return nearest.starts_with("did you mean") ? text + "; " + nearest : text;
}

// Checks one value. `key` names it in messages.
class Checker {
 public:
  Checker(std::string_view key, const yaml::Node& node, Diagnostics& diagnostics)
      : key_(key), node_(node), diagnostics_(diagnostics) {}

  void operator()(const Text& /*text*/) { node_.as_string(diagnostics_); }
  void operator()(const Number& /*number*/) { node_.as_number(diagnostics_); }
  void operator()(const Boolean& /*boolean*/) { node_.as_boolean(diagnostics_); }

  void operator()(const Identifier& /*identifier*/) {
    const auto word = node_.as_string(diagnostics_);
    if (!word || is_identifier(*word))
      return;
    error(fmt::format(
        "'{}' is not a name; a name has letters, digits and '_', and does not begin with a digit",
        *word));
  }

  void operator()(const Integer& integer) {
    const auto value = node_.as_integer(diagnostics_);
    if (!value || (integer.least <= *value && *value <= integer.most))
      return;
    error(fmt::format("{}: {} is out of range: {}", key_, *value, range_text(integer)));
  }

  void operator()(const Choice& choice) {
    const auto word = node_.as_string(diagnostics_);
    const auto& words = choice.words;
    if (!word || std::find(words.begin(), words.end(), *word) != words.end())
      return;
    if (choice.noun.empty())
      return error(not_one_of(*word, words));
    error(fmt::format("{}: unknown {} '{}'; {}", key_, choice.noun, *word,
                      suggestion_and_list(*word, words)));
  }

  void operator()(const List& list) {
    if (!node_.is_list())
      return error("expected a list");
    if (node_.items().size() < list.least_items) {
      error(fmt::format("{}: expected {} or more items, found {}", key_, list.least_items,
                        node_.items().size()));
    }
    for (const yaml::Node& item : node_.items())
      std::visit(Checker(key_, item, diagnostics_), list.item->type);
  }

  void operator()(const Names& names) {
    if (!node_.is_map())
      return error(fmt::format("'{}' is a map of names and values", key_));
    for (std::size_t i = 0; i < node_.keys().size(); ++i)
      std::visit(Checker(node_.keys()[i], node_.items()[i], diagnostics_), names.value->type);
  }

  void operator()(const Section& section) { check(node_, *section.map, diagnostics_); }

  // The first type that takes the value; when none does, the one whose kind the value has says what
  // is wrong.
  void operator()(const OneOf& one_of) {
    const Value* closest = nullptr;
    for (const Value& type : one_of.types) {
      if (!takes_kind(type))
        continue;
      Diagnostics judged;
      std::visit(Checker(key_, node_, judged), type.type);
      if (!judged.has_errors())
        return;
      if (closest == nullptr)
        closest = &type;
    }
    if (closest != nullptr)
      return std::visit(Checker(key_, node_, diagnostics_), closest->type);
    error(fmt::format("{}: expected {}", key_, type_text({one_of})));
  }

 private:
  [[nodiscard]] bool takes_kind(const Value& value) const {
    if (std::holds_alternative<List>(value.type))
      return node_.is_list();
    if (std::holds_alternative<Names>(value.type) || std::holds_alternative<Section>(value.type))
      return node_.is_map();
    return node_.is_scalar();
  }

  void error(std::string message) { diagnostics_.error(node_.location(), std::move(message)); }

  std::string_view key_;
  const yaml::Node& node_;
  Diagnostics& diagnostics_;
};

std::vector<std::string> key_names(const KeyMap& map) {
  std::vector<std::string> names;
  for (const Key& key : map.keys)
    names.push_back(key.name);
  return names;
}

// An optional list or map without a value is one without entries.
bool is_left_empty(const Key& key, const yaml::Node& node) {
  return key.need == Need::kOptional && node.kind() == Kind::kNull &&
         (std::holds_alternative<Names>(key.value.type) ||
          std::holds_alternative<Section>(key.value.type));
}

void check_key(const yaml::Node& map, const Key& key, Diagnostics& diagnostics) {
  const yaml::Node* node =
      key.need == Need::kRequired ? map.require(key.name, diagnostics) : map.find(key.name);
  if (node != nullptr && !is_left_empty(key, *node))
    std::visit(Checker(key.name, *node, diagnostics), key.value.type);
}

// A key of another choice than the map's must not be there. Of a choice that is not one, nothing is
// known.
bool belongs_here(const yaml::Node& map, const KeyMap& keys, const Key& key,
                  Diagnostics& diagnostics) {
  const Key::Condition& condition = key.only_with;
  if (condition.choice.empty())
    return true;
  const std::string chosen = chosen_word(map, keys, condition);
  if (chosen == condition.word)
    return true;
  const auto& words = std::get<Choice>(keys.find(condition.choice)->value.type).words;
  const yaml::Node* node = map.find(key.name);
  if (node != nullptr && std::find(words.begin(), words.end(), chosen) != words.end())
    diagnostics.error(node->location(),
                      fmt::format("'{}' is a key of '{}: {}', and this is '{}: {}'", key.name,
                                  condition.choice, condition.word, condition.choice, chosen));
  return false;
}

std::string joined_types(const OneOf& one_of) {
  std::vector<std::string> types;
  for (const Value& type : one_of.types)
    types.push_back(type_text(type));
  return fmt::format("{}", fmt::join(types, ", or "));
}

struct TypeName {
  std::string operator()(const Text& /*text*/) const { return "text"; }
  std::string operator()(const Identifier& /*identifier*/) const { return "a name"; }
  std::string operator()(const Number& /*number*/) const { return "a number"; }
  std::string operator()(const Boolean& /*boolean*/) const { return "true or false"; }
  std::string operator()(const Integer& integer) const {
    const std::string range = range_text(integer);
    return range.empty() ? "a whole number" : range;
  }
  std::string operator()(const Choice& choice) const {
    return fmt::format("{}", fmt::join(choice.words, ", "));
  }
  std::string operator()(const List& list) const {
    return fmt::format("a list ({})", type_text(*list.item));
  }
  std::string operator()(const Names& names) const {
    return fmt::format("a map of names ({})", type_text(*names.value));
  }
  std::string operator()(const Section& section) const {
    return fmt::format("a map ({})", fmt::join(key_names(*section.map), ", "));
  }
  std::string operator()(const OneOf& one_of) const { return joined_types(one_of); }
};

}  // namespace

void check(const yaml::Node& root, const KeyMap& map, Diagnostics& diagnostics) {
  root.reject_unknown_keys(key_names(map), diagnostics);
  if (!root.is_map())
    return;
  for (const Key& key : map.keys)
    if (belongs_here(root, map, key, diagnostics))
      check_key(root, key, diagnostics);
}

bool fits(const yaml::Node& map, const Key& key) {
  Diagnostics judged;
  check_key(map, key, judged);
  return !judged.has_errors();
}

std::string type_text(const Value& value) {
  return std::visit(TypeName{}, value.type);
}

std::string range_text(const Integer& integer) {
  if (integer.most != Limits::max())
    return fmt::format("{} to {}", integer.least, integer.most);
  return integer.least == Limits::min() ? "" : fmt::format("at least {}", integer.least);
}

bool is_identifier(std::string_view word) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::all_of(word.begin(), word.end(), is_part);
}

}  // namespace nplab::parameters
