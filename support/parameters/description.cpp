#include "support/parameters/description.h"

#include <algorithm>
#include <utility>

#include "support/yaml.h"

namespace nplab::parameters {
namespace {

void collect(const KeyMap& map, const std::string& prefix, std::vector<KeyPath>& paths) {
  for (const Key& key : map.keys) {
    paths.push_back({prefix + key.name, &key});
    if (const KeyMap* below = keys_of(key.value))
      collect(*below, prefix + key.name + ".", paths);
  }
}

}  // namespace

Key Key::in(std::string new_unit) && {
  unit = std::move(new_unit);
  return std::move(*this);
}

Key Key::from(std::string new_source) && {
  source = std::move(new_source);
  return std::move(*this);
}

Key Key::formerly(std::string old_name) && {
  old_names.push_back(std::move(old_name));
  return std::move(*this);
}

Key Key::only(Condition condition) && {
  only_with = std::move(condition);
  return std::move(*this);
}

std::string chosen_word(const yaml::Node& map, const KeyMap& keys,
                        const Key::Condition& condition) {
  const yaml::Node* node = map.is_map() ? map.find(condition.choice) : nullptr;
  return node != nullptr ? node->scalar() : keys.find(condition.choice)->default_text;
}

const Key* KeyMap::find(std::string_view name) const {
  const auto at =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  return at == keys.end() ? nullptr : &*at;
}

Value text(std::string pattern) {
  return {Text{std::move(pattern)}};
}
Value identifier() {
  return {Identifier{}};
}
Value integer(std::int64_t least, std::int64_t most) {
  return {Integer{least, most}};
}
Value any_integer() {
  return {Integer{}};
}
Value number() {
  return {Number{}};
}
Value boolean() {
  return {Boolean{}};
}
Value choice(std::vector<std::string> words, std::string noun) {
  return {Choice{std::move(words), std::move(noun)}};
}
Value list(Value item, std::size_t least_items) {
  return {List{std::make_shared<const Value>(std::move(item)), least_items}};
}
Value names(Value value) {
  return {Names{std::make_shared<const Value>(std::move(value))}};
}
Value section(KeyMap map) {
  return {Section{std::make_shared<const KeyMap>(std::move(map))}};
}
Value one_of(std::vector<Value> types) {
  return {OneOf{std::move(types)}};
}

Key required(std::string name, Value value, std::string sentence) {
  Key key;
  key.name = std::move(name);
  key.value = std::move(value);
  key.sentence = std::move(sentence);
  return key;
}

Key required_by_reader(std::string name, Value value, std::string sentence) {
  Key key = required(std::move(name), std::move(value), std::move(sentence));
  key.need = Need::kRequiredByReader;
  return key;
}

Key optional(std::string name, Value value, std::string default_text, std::string sentence) {
  Key key = required(std::move(name), std::move(value), std::move(sentence));
  key.need = Need::kOptional;
  key.default_text = std::move(default_text);
  return key;
}

const KeyMap* keys_of(const Value& value) {
  if (const auto* section = std::get_if<Section>(&value.type))
    return section->map.get();
  if (const auto* list = std::get_if<List>(&value.type))
    return keys_of(*list->item);
  if (const auto* names = std::get_if<Names>(&value.type))
    return keys_of(*names->value);
  if (const auto* one_of = std::get_if<OneOf>(&value.type)) {
    for (const Value& type : one_of->types) {
      if (const KeyMap* found = keys_of(type))
        return found;
    }
  }
  return nullptr;
}

std::vector<KeyPath> all_keys(const KeyMap& map) {
  std::vector<KeyPath> paths;
  collect(map, "", paths);
  return paths;
}

const KeyMap* find_keys(const KeyMap& map, std::string_view path) {
  const KeyMap* at = &map;
  while (at != nullptr && !path.empty()) {
    const auto dot = path.find('.');
    const Key* key = at->find(path.substr(0, dot));
    at = key == nullptr ? nullptr : keys_of(key->value);
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return at;
}

}  // namespace nplab::parameters
