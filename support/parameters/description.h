// What the keys of a file are: name, type, range, unit, default, source and one sentence each. A
// file's reader, its diagnostics, its JSON Schema, the tables of docs/ and `nplab explain` all
// follow from this description.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nplab::yaml {
class Node;
}  // namespace nplab::yaml

namespace nplab::parameters {

struct Key;
struct KeyMap;
struct Value;

// Any scalar, as it is written. The pattern (ECMA-262) is for editors; the file's reader judges the
// text itself, since it can say more than "does not match".
struct Text {
  std::string pattern;
};

// A name that may stand in C: a letter or `_`, then letters, digits and `_`.
struct Identifier {};

// Decimal or 0x; K and M suffixes are 2^10 and 2^20.
struct Integer {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

struct Number {};
struct Boolean {};

// One of a few words. The noun, if any, says what they are: `policy`.
struct Choice {
  std::vector<std::string> words;
  std::string noun;
};

struct List {
  std::shared_ptr<const Value> item;
  std::size_t least_items = 0;
};

// A map whose keys are names that the file chooses.
struct Names {
  std::shared_ptr<const Value> value;
};

// A map of described keys.
struct Section {
  std::shared_ptr<const KeyMap> map;
};

// One of several types; the file's value decides by its kind.
struct OneOf {
  std::vector<Value> types;
};

struct Value {
  std::variant<Text, Identifier, Integer, Number, Boolean, Choice, List, Names, Section, OneOf>
      type;
};

enum class Need {
  kRequired,
  kRequiredByReader,  // the file's reader reports that it is missing: it knows more to say
  kOptional,
};

struct Key {
  std::string name;
  Value value;
  Need need = Need::kRequired;
  std::string default_text;  // as a file would write it; of an optional key
  std::string sentence;
  std::string unit;
  std::string source;  // what a figure rests on
  std::vector<std::string> old_names;
  // The key exists only where a choice of the same map has a certain value; else `choice` is empty.
  struct Condition {
    std::string choice;  // an optional key of the map
    std::string word;
  };
  Condition only_with;

  // The same key with more said about it.
  [[nodiscard]] Key in(std::string new_unit) &&;
  [[nodiscard]] Key from(std::string new_source) &&;
  [[nodiscard]] Key formerly(std::string old_name) &&;
  [[nodiscard]] Key only(Condition condition) &&;
};

struct KeyMap {
  std::vector<Key> keys;
  // A key that names a file from which the others are taken where this one leaves them out; may be
  // empty.
  std::string base_key;

  [[nodiscard]] const Key* find(std::string_view name) const;  // by its present name
};

Value text(std::string pattern = "");
Value identifier();
Value integer(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
Value any_integer();
Value number();
Value boolean();
Value choice(std::vector<std::string> words, std::string noun = "");
Value list(Value item, std::size_t least_items = 0);
Value names(Value value);
Value section(KeyMap map);
Value one_of(std::vector<Value> types);

Key required(std::string name, Value value, std::string sentence);
Key required_by_reader(std::string name, Value value, std::string sentence);
Key optional(std::string name, Value value, std::string default_text, std::string sentence);

// The value of the choice that the condition names, in `map`, which `keys` describes; its default
// where the map leaves it out.
std::string chosen_word(const yaml::Node& map, const KeyMap& keys, const Key::Condition& condition);

// The described keys of a value: its own, those of its items, of its named values, or of that of
// its types that has some. Null when it has none.
const KeyMap* keys_of(const Value& value);

// A key and where it stands: `sram.read_queue`, `stages.threads`.
struct KeyPath {
  std::string path;
  const Key* key;
};

// Every key below `map`, in the order of the description.
std::vector<KeyPath> all_keys(const KeyMap& map);

// The keys below the dotted path; those of `map` itself when it is empty, null when there is no
// such path.
const KeyMap* find_keys(const KeyMap& map, std::string_view path);

}  // namespace nplab::parameters
