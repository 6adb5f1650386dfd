#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "compiler/expressions/expression.h"
#include "isa/operand_text.h"

namespace nplab::compiler {
namespace {

using isa::VariableType;
using TypeKind = VariableType::Kind;

// The address spaces of microengine.h.
constexpr const char* kPrelude =
    "#define __sram __attribute__((address_space(1)))\n"
    "#define __sdram __attribute__((address_space(2)))\n"
    "#define __scratch __attribute__((address_space(3)))\n"
    "typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;\n"
    "typedef long unsigned long u64;\n"
    "typedef signed char s8; typedef short s16; typedef int s32; typedef long signed long s64;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t;\n"
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t;\n"
    "typedef long unsigned long uint64_t; typedef long signed long int64_t;\n";

const char* space_word(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "__sram";
    case isa::MemorySpace::kSdram: return "__sdram";
    case isa::MemorySpace::kScratch: return "__scratch";
  }
  return "";
}

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word_part(text[end]))
      ++end;
    if (end != at)
      words.insert(text.substr(at, end - at));
    at = end == at ? at + 1 : end;
  }
  return words;
}

bool is_name(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         words_of(text).count(text) == 1;
}

class Declarations {
 public:
  Declarations(const ExpressionNames& names, std::set<std::string> words)
      : names_(names), types_(names.types), words_(std::move(words)) {
    state_.assign(types_.size(), State::kNew);
    is_defined_.assign(types_.size(), false);
  }

  ExpressionDeclarations text() {
    text_ = kPrelude;
    for (std::uint32_t type = 0; type < types_.size(); ++type)
      complete(type);
    for (const ExpressionNames::Object& object : names_.objects)
      declare_object(object);
    for (const std::string& word : words_) {
      const bool is_free = names_seen_.count(word) == 0 && locals_seen_.count(word) == 0;
      if (is_free && (word == "sram" || word == "sdram" || word == "scratch"))
        text_ += fmt::format("extern __{0} unsigned {0}[];\n", word);
      else if (is_free && isa::parse_register(word))
        text_ += fmt::format("extern unsigned {};\n", word);
    }
    return {std::move(text_), std::move(inner_)};
  }

 private:
  enum class State { kNew, kBegun, kDone };

  void declare_object(const ExpressionNames::Object& object) {
    const VariableType& type = types_[object.type];
    const bool is_whole =
        type.kind == TypeKind::kAlias || type.kind == TypeKind::kFunction || type.bytes != 0;
    if (!is_name(object.name) || !is_whole)
      return;
    if (!object.space && locals_seen_.insert(object.name).second)
      inner_ += fmt::format("__t{} {};\n", object.type, object.name);
    if (object.space && aliases_.count(object.name) == 0 && names_seen_.insert(object.name).second)
      text_ +=
          fmt::format("extern {} __t{} {};\n", space_word(*object.space), object.type, object.name);
  }

  std::string tag_of(std::uint32_t type) const { return fmt::format("__s{}", type); }

  // A name of the program, the first time that it stands for something.
  std::string named(std::uint32_t type, const char* kind) {
    const std::string& name = types_[type].name;
    return is_name(name) && tags_.insert(kind + name).second ? name : tag_of(type);
  }

  static const char* integer(const VariableType& type) {
    const bool is_signed = type.kind == TypeKind::kSigned;
    switch (type.bytes) {
      case 1: return is_signed ? "signed char" : "unsigned char";
      case 2: return is_signed ? "short" : "unsigned short";
      case 8: return is_signed ? "long signed long" : "long unsigned long";
      default: return is_signed ? "int" : "unsigned int";
    }
  }

  void declare(std::uint32_t type) {
    if (state_[type] != State::kNew)
      return;
    state_[type] = State::kBegun;
    const VariableType& one = types_[type];
    switch (one.kind) {
      case TypeKind::kVoid: define(type, "void"); break;
      case TypeKind::kFunction: text_ += fmt::format("typedef void __t{}(void);\n", type); break;
      case TypeKind::kBoolean: define(type, "_Bool"); break;
      case TypeKind::kCharacter: define(type, "unsigned char"); break;
      case TypeKind::kUnsigned:
      case TypeKind::kSigned: define(type, integer(one)); break;
      case TypeKind::kEnumeration: declare_enumeration(type); break;
      case TypeKind::kPointer: declare_pointer(type); break;
      case TypeKind::kAlias: declare_alias(type); break;
      case TypeKind::kArray:
        complete(one.element);
        text_ += fmt::format("typedef __t{} __t{}[{}];\n", one.element, type, one.elements);
        break;
      case TypeKind::kStructure:
      case TypeKind::kUnion: {
        const char* keyword = one.kind == TypeKind::kUnion ? "union" : "struct";
        tag_[type] = named(type, "tag ");
        define(type, fmt::format("{} {}", keyword, tag_[type]));
        break;
      }
    }
    state_[type] = State::kDone;
  }

  void define(std::uint32_t type, const std::string& as) {
    text_ += fmt::format("typedef {} __t{};\n", as, type);
  }

  void declare_enumeration(std::uint32_t type) {
    std::string list;
    for (const VariableType::Enumerator& one : types_[type].enumerators)
      if (is_name(one.name) && names_seen_.insert(one.name).second)
        list += fmt::format("{} = {}, ", one.name, static_cast<std::int32_t>(one.value));
    if (list.empty())
      return define(type, "int");
    define(type, fmt::format("enum {} {{ {} }}", named(type, "tag "), list));
  }

  void declare_pointer(std::uint32_t type) {
    const VariableType& one = types_[type];
    declare(one.element);
    // Pointers that lead to themselves exist in damaged tables only.
    const bool is_known = state_[one.element] == State::kDone || tag_.count(one.element) != 0;
    const bool is_function = types_[one.element].kind == TypeKind::kFunction;
    text_ += fmt::format("typedef {} __t{} *__t{};\n", is_function ? "" : space_word(one.space),
                         is_known ? one.element : 0, type);
  }

  void declare_alias(std::uint32_t type) {
    const VariableType& one = types_[type];
    declare(one.element);
    define(type, fmt::format("__t{}", one.element));
    if (is_name(one.name) && aliases_.insert(one.name).second &&
        std::string_view(kPrelude).find(" " + one.name + ";") == std::string_view::npos)
      text_ += fmt::format("typedef __t{} {};\n", one.element, one.name);
  }

  // With what it is made of.
  void complete(std::uint32_t type) {
    declare(type);
    const VariableType& one = types_[type];
    if (one.kind == TypeKind::kAlias)
      return complete(one.element);
    const bool is_structure = one.kind == TypeKind::kStructure || one.kind == TypeKind::kUnion;
    if (!is_structure || is_defined_[type] || one.bytes == 0)
      return;
    is_defined_[type] = true;
    for (const VariableType::Member& member : one.members)
      complete(member.type);
    text_ += fmt::format("{} {} {{\n{}}} __attribute__((packed));\n",
                         one.kind == TypeKind::kUnion ? "union" : "struct", tag_[type],
                         members_text(type));
  }

  // The table has the place of each member, and gaps become members without a name.
  std::string members_text(std::uint32_t type) {
    const VariableType& one = types_[type];
    std::string text;
    std::uint32_t at = 0;
    const auto skip_to = [&](std::uint32_t bit) {
      for (; at < bit && one.kind == TypeKind::kStructure; at += std::min(bit - at, 32u))
        text += fmt::format("  unsigned : {};\n", std::min(bit - at, 32u));
    };
    for (const VariableType::Member& member : one.members) {
      skip_to(member.bit_offset);
      text += member_text(member);
      at = one.kind == TypeKind::kStructure ? member.bit_offset + member.bit_size : 0;
    }
    skip_to(one.bytes * 8);
    return text;
  }

  std::string member_text(const VariableType::Member& member) {
    const VariableType* type = &types_[member.type];
    while (type->kind == TypeKind::kAlias)
      type = &types_[type->element];
    const bool is_structure = type->kind == TypeKind::kStructure || type->kind == TypeKind::kUnion;
    if (member.name.empty())
      return is_structure
                 ? fmt::format("  {} {{\n{}  }} __attribute__((packed));\n",
                               type->kind == TypeKind::kUnion ? "union" : "struct",
                               members_text(static_cast<std::uint32_t>(type - types_.data())))
                 : std::string();
    const bool is_field = type->bytes * 8 != member.bit_size || member.bit_offset % 8 != 0;
    return fmt::format("  __t{} {}{};\n", member.type, member.name,
                       is_field ? fmt::format(" : {}", member.bit_size) : "");
  }

  const ExpressionNames& names_;
  const std::vector<VariableType>& types_;
  std::set<std::string> words_;
  std::string text_, inner_;
  std::vector<State> state_;
  std::vector<bool> is_defined_;
  std::map<std::uint32_t, std::string> tag_;
  std::set<std::string> tags_, aliases_, names_seen_, locals_seen_;
};

}  // namespace

ExpressionDeclarations expression_declarations(const std::string& text,
                                               const ExpressionNames& names) {
  return Declarations(names, words_of(text)).text();
}

}  // namespace nplab::compiler
