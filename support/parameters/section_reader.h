// Binds described keys to the members of a struct: one declaration gives the member's description
// and its reader.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/parameters/description.h"
#include "support/yaml.h"

namespace nplab::parameters {

// What a member may be set to: nothing to say for text, choices and yes/no; bounds for integers.
struct Anything {};
inline constexpr Anything kAnything;
struct Range {
  std::int64_t least;
  std::int64_t most;
};

// An enumeration as a parameter: `choice_words(Enum)` beside its type gives the words of its
// enumerators, in their order.
template <class T>
concept NamedChoice = std::is_enum_v<T> && requires(T value) {
  { choice_words(value) } -> std::convertible_to<std::vector<std::string>>;
};

// How a member's type is described and read. Values were checked before they are read.
template <std::unsigned_integral T>
Value value_of(const T& /*member*/, Range range) {
  return integer(range.least, range.most);
}
inline Value value_of(const bool& /*member*/, Anything /*any*/) {
  return boolean();
}
inline Value value_of(const std::string& /*member*/, Anything /*any*/) {
  return text();
}
template <NamedChoice T>
Value value_of(const T& member, Anything /*any*/) {
  return choice(choice_words(member));
}

template <std::unsigned_integral T>
void read_value(const yaml::Node& node, T& member) {
  Diagnostics checked;
  member = static_cast<T>(node.as_integer(checked).value_or(0));
}
inline void read_value(const yaml::Node& node, bool& member) {
  Diagnostics checked;
  member = node.as_boolean(checked).value_or(false);
}
inline void read_value(const yaml::Node& node, std::string& member) {
  member = node.scalar();
}
template <NamedChoice T>
void read_value(const yaml::Node& node, T& member) {
  const std::vector<std::string> words = choice_words(member);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (node.scalar() == words[i])
      member = static_cast<T>(i);
  }
}

// The described keys of a struct T, in the order in which they were added.
template <class T>
class SectionReader {
 public:
  template <class Member, class Limits>
  void add(std::string name, Member T::* member, Limits limits, std::string unit,
           std::string source, std::string sentence) {
    Key key = required(std::move(name), value_of(T{}.*member, limits), std::move(sentence))
                  .in(std::move(unit))
                  .from(std::move(source));
    add_key(std::move(key),
            [member](const yaml::Node& node, T& into) { read_value(node, into.*member); });
  }

  // A figure that a file may leave out.
  template <class Member, class Limits>
  void add_defaulted(std::string name, Member T::* member, Limits limits, std::string unit,
                     std::string source, std::string sentence) {
    Key key = optional(std::move(name), value_of(T{}.*member, limits), std::to_string(T{}.*member),
                       std::move(sentence))
                  .in(std::move(unit))
                  .from(std::move(source));
    add_key(std::move(key),
            [member](const yaml::Node& node, T& into) { read_value(node, into.*member); });
  }

  // An enumeration that a file may leave out; its first enumerator is the default.
  template <NamedChoice Choice>
  void add_choice(std::string name, Choice T::* member, std::string noun, std::string source,
                  std::string sentence) {
    const std::vector<std::string> words = choice_words(Choice{});
    add_key(optional(std::move(name), choice(words, std::move(noun)), words.front(),
                     std::move(sentence))
                .from(std::move(source)),
            [member](const yaml::Node& node, T& into) { read_value(node, into.*member); });
  }

  // A key that is read in a way of its own.
  void add_key(Key key, std::function<void(const yaml::Node&, T&)> read) {
    map_.keys.push_back(std::move(key).only(only_with_));
    readers_.push_back(std::move(read));
  }

  // The keys that are added from now on exist only with this value of the choice, which was added
  // before; with an empty condition always.
  void only_with(Key::Condition condition) { only_with_ = std::move(condition); }

  // The key added last had another name.
  void formerly(std::string old_name) { map_.keys.back().old_names.push_back(std::move(old_name)); }

  template <class Member>
  void add_section(std::string name, Member T::* member, const SectionReader<Member>& section,
                   std::string sentence) {
    Key key = required(std::move(name), parameters::section(section.keys()), std::move(sentence));
    add_key(std::move(key), [member, section](const yaml::Node& node, T& into) {
      section.read(node, into.*member);
    });
  }

  // A section that a file may leave out.
  template <class Member>
  void add_section(std::string name, std::optional<Member> T::* member,
                   const SectionReader<Member>& section, std::string sentence) {
    Key key =
        optional(std::move(name), parameters::section(section.keys()), "", std::move(sentence));
    add_key(std::move(key), [member, section](const yaml::Node& node, T& into) {
      section.read(node, (into.*member).emplace());
    });
  }

  // A key that names a file from which the keys are taken that this one leaves out.
  void add_base(std::string name, std::string sentence) {
    map_.base_key = name;
    add_key(optional(std::move(name), text(), "", std::move(sentence)),
            [](const yaml::Node&, T&) {});
  }

  [[nodiscard]] const KeyMap& keys() const { return map_; }

  // Reads a section that was checked against keys(), and had no errors.
  void read(const yaml::Node& node, T& into) const {
    for (std::size_t i = 0; i < map_.keys.size(); ++i) {
      if (const yaml::Node* child = node.find(map_.keys[i].name))
        readers_[i](*child, into);
    }
  }

 private:
  using Read = std::function<void(const yaml::Node&, T&)>;

  KeyMap map_;
  std::vector<Read> readers_;  // one for each key
  Key::Condition only_with_;   // of the keys that are added next
};

}  // namespace nplab::parameters
