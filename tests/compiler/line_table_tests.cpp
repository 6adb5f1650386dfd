// Every control-store word has a line, slot instructions their own, and a function.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "isa/assembly/object_loader.h"
#include "tests/compiler/compiled.h"
#include "tests/compiler/damaged_object.h"

namespace nplab::test {
namespace {

TEST_CASE("every word of a program has a source line, inlined functions their own") {
  const std::string source =
      "#include <microengine.h>\n"
      "static u32 twice(u32 x) {\n"
      "  return x + x + 77;\n"
      "}\n"
      "int main(void) {\n"
      "  __sram u32 *p = (__sram u32 *)0x100;\n"
      "  u32 sum = 0;\n"
      "  for (u32 i = 0; i != 10; i++)\n"
      "    sum ^= twice(p[i]);\n"
      "  return sum;\n"
      "}\n";
  for (const compiler::Optimization level : kLevels) {
    Diagnostics diagnostics;
    const auto image = compiler::compile(source, "lines.c", options_at(level), diagnostics);
    REQUIRE(image);
    REQUIRE(image->lines.size() == image->words.size());
    std::set<std::uint32_t> lines;
    for (const isa::SourceLine& line : image->lines) {
      lines.insert(line.line);
      CHECK(line.line <= 10);
    }
    CHECK(lines.count(3) == 1);
    CHECK(lines.count(9) == 1);
    REQUIRE_FALSE(image->files.empty());
  }
}

constexpr const char* kNested =
    "#include <microengine.h>\n"
    "static u32 inner(u32 x) {\n"
    "  return x ^ (x << 3);\n"
    "}\n"
    "static u32 outer(u32 x) {\n"
    "  return inner(x) + 5;\n"
    "}\n"
    "static __attribute__((noinline)) u32 called(u32 x) {\n"
    "  return outer(x) ^ 9;\n"
    "}\n"
    "int main(void) {\n"
    "  __sram u32 *p = (__sram u32 *)0x100;\n"
    "  p[0] = called(p[1]) + called(p[2]);\n"
    "  return outer(p[3]);\n"
    "}\n";

// The innermost function and the calls around it, as "inner 6 outer 9 called".
std::string functions_at(const isa::ProgramImage& image, std::uint32_t word) {
  std::string text;
  for (auto scope = image.scope_of[word]; scope; scope = image.scopes[*scope].around) {
    const isa::SourceScope& one = image.scopes[*scope];
    text += one.function;
    if (one.around)
      text += " " + std::to_string(one.call_line) + " ";
  }
  return text;
}

TEST_CASE("every word of a program knows its function and the calls that it was inlined at") {
  for (const compiler::Optimization level : kLevels) {
    Diagnostics diagnostics;
    const auto image = compiler::compile(kNested, "nested.c", options_at(level), diagnostics);
    REQUIRE(image);
    REQUIRE(image->scope_of.size() == image->words.size());
    std::set<std::string> found;
    for (std::uint32_t word = 0; word < image->words.size(); ++word) {
      found.insert(functions_at(*image, word));
      if (image->lines[word].line != 3)
        continue;
      INFO(functions_at(*image, word));
      CHECK(functions_at(*image, word).starts_with("inner 6 outer "));
      CHECK(image->scopes[*image->scope_of[word]].call_file == "nested.c");
    }
    CHECK(found.count("main") == 1);
    CHECK(found.count("inner 6 outer 14 main") == 1);
    const bool has_calls =
        level == compiler::Optimization::kO2 || level == compiler::Optimization::kOs;
    CHECK(found.count("inner 6 outer 9 called") == (has_calls ? 1 : 0));
    for (const isa::SourceScope& scope : image->scopes)
      CHECK((scope.return_register != isa::SourceScope::kNoReturn) ==
            (has_calls && scope.function == "called"));
  }
}

TEST_CASE("an object whose table of functions is damaged is refused or loaded, and says so") {
  Diagnostics diagnostics;
  const auto object = compiler::compile_to_object(
      kNested, "nested.c", options_at(compiler::Optimization::kO2), diagnostics);
  REQUIRE(object);
  const auto check = [](const isa::ProgramImage& image) {
    for (std::size_t scope = 0; scope < image.scopes.size(); ++scope)
      CHECK(image.scopes[scope].around.value_or(0) <= scope);
    for (const auto& scope : image.scope_of)
      CHECK(scope.value_or(0) < std::max<std::size_t>(image.scopes.size(), 1));
  };
  const unsigned refused = refused_when_damaged(*object, "damaged table of functions", check);
  CHECK(refused > 20);
}

}  // namespace
}  // namespace nplab::test
