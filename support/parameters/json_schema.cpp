#include "support/parameters/json_schema.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace nplab::parameters {
namespace {

using Json = nlohmann::ordered_json;
using Limits = std::numeric_limits<std::int64_t>;

constexpr const char* kDialect = "https://json-schema.org/draft/2020-12/schema";

// YAML reads an unquoted `8` or `true` as a number or a truth value; the reader takes its text.
const Json kScalarTypes = {"string", "number", "boolean"};

// Whether a map's schema says which keys must be there.
enum class Required { kStated, kLeftOut };

Json schema_of(const Value& value, Required required);

std::string description_of(const Key& key) {
  std::string text = key.sentence;
  if (!key.unit.empty())
    text += fmt::format(" Unit: {}.", key.unit);
  if (!key.default_text.empty())
    text += fmt::format(" Default: {}.", key.default_text);
  if (const auto& [choice, word] = key.only_with; !choice.empty())
    text += fmt::format(" Only with {}: {}.", choice, word);
  return text;
}

// One of the names of the key must be there.
Json presence_of(const Key& key) {
  Json names = Json::array({{{"required", {key.name}}}});
  for (const std::string& old_name : key.old_names)
    names.push_back({{"required", {old_name}}});
  return names.size() == 1 ? names.front() : Json{{"anyOf", names}};
}

// Holds where the choice has the condition's value, which its default is where it is left out.
Json holds(const KeyMap& map, const Key::Condition& condition) {
  Json schema{{"properties", {{condition.choice, {{"const", condition.word}}}}}};
  if (map.find(condition.choice)->default_text != condition.word)
    schema["required"] = {condition.choice};
  return schema;
}

// That the required keys are there, and nothing else.
void state_required(const KeyMap& map, Json& schema) {
  Json names = Json::array();
  Json others = Json::array();
  std::map<std::pair<std::string, std::string>, Json> conditional;
  for (const Key& key : map.keys) {
    if (key.need == Need::kOptional)
      continue;
    if (const auto& [choice, word] = key.only_with; !choice.empty())
      conditional[{choice, word}].push_back(presence_of(key));
    else if (key.old_names.empty())
      names.push_back(key.name);
    else
      others.push_back(presence_of(key));
  }
  for (const auto& [condition, keys] : conditional)
    others.push_back(
        {{"if", holds(map, {condition.first, condition.second})}, {"then", {{"allOf", keys}}}});
  if (!names.empty())
    schema["required"] = names;
  if (!others.empty())
    schema["allOf"] = others;
}

// The required keys of the map and of the sections below it.
Json required_below(const KeyMap& map) {
  Json schema = Json::object();
  state_required(map, schema);
  for (const Key& key : map.keys) {
    if (const auto* section = std::get_if<Section>(&key.value.type))
      schema["properties"][key.name] = required_below(*section->map);
  }
  return schema;
}

Json properties_of(const KeyMap& map, Required required) {
  Json properties = Json::object();
  for (const Key& key : map.keys) {
    Json schema = schema_of(key.value, required);
    schema["description"] = description_of(key);
    properties[key.name] = schema;
    for (const std::string& old_name : key.old_names) {
      schema["description"] = fmt::format("Deprecated: its name is now `{}`.", key.name);
      schema["deprecated"] = true;
      properties[old_name] = schema;
    }
  }
  return properties;
}

Json map_schema(const KeyMap& map, Required required) {
  const bool is_partial = !map.base_key.empty();
  if (is_partial)
    required = Required::kLeftOut;
  Json schema{{"type", "object"},
              {"additionalProperties", false},
              {"properties", properties_of(map, required)}};
  if (is_partial) {
    schema["if"] = {{"not", {{"required", {map.base_key}}}}};
    schema["then"] = required_below(map);
  } else if (required == Required::kStated) {
    state_required(map, schema);
  }
  return schema;
}

Json integer_schema(const Integer& integer) {
  Json number{{"type", "integer"}};
  if (integer.least != Limits::min())
    number["minimum"] = integer.least;
  if (integer.most != Limits::max())
    number["maximum"] = integer.most;
  // `8M`; also `0x10` and digits where YAML takes them for text.
  return {
      {"anyOf", {number, {{"type", "string"}, {"pattern", "^-?(0x[0-9a-fA-F]+|[0-9]+)[KMG]?$"}}}}};
}

// A word that reads as a number or truth value may be written without quotes.
Json choice_schema(const Choice& choice) {
  Json words = Json::array();
  for (const std::string& word : choice.words) {
    words.push_back(word);
    const Json unquoted = Json::parse(word, nullptr, false);
    if (unquoted.is_number() || unquoted.is_boolean())
      words.push_back(unquoted);
  }
  return {{"enum", words}};
}

struct SchemaWriter {
  Required required;

  Json operator()(const Text& text) const {
    Json schema{{"type", kScalarTypes}};
    if (!text.pattern.empty())
      schema["pattern"] = text.pattern;
    return schema;
  }
  Json operator()(const Identifier& /*identifier*/) const {
    return {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}};
  }
  Json operator()(const Integer& integer) const { return integer_schema(integer); }
  Json operator()(const Number& /*number*/) const { return {{"type", "number"}}; }
  Json operator()(const Boolean& /*boolean*/) const { return {{"type", "boolean"}}; }
  Json operator()(const Choice& choice) const { return choice_schema(choice); }
  Json operator()(const List& list) const {
    Json schema{{"type", "array"}, {"items", schema_of(*list.item, required)}};
    if (list.least_items != 0)
      schema["minItems"] = list.least_items;
    return schema;
  }
  Json operator()(const Names& names) const {
    return {{"type", "object"}, {"additionalProperties", schema_of(*names.value, required)}};
  }
  Json operator()(const Section& section) const { return map_schema(*section.map, required); }
  Json operator()(const OneOf& one_of) const {
    Json types = Json::array();
    for (const Value& type : one_of.types)
      types.push_back(schema_of(type, required));
    return {{"anyOf", types}};
  }
};

Json schema_of(const Value& value, Required required) {
  return std::visit(SchemaWriter{required}, value.type);
}

}  // namespace

std::string json_schema(const KeyMap& map, const std::string& title) {
  Json schema{{"$schema", kDialect}, {"title", title}};
  schema.update(map_schema(map, Required::kStated));
  return schema.dump(2) + '\n';
}

}  // namespace nplab::parameters
