// Every control-store word has a line, slot instructions their own.
#include <catch2/catch.hpp>
#include <set>

#include "tests/compiler/compiled.h"

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

}  // namespace
}  // namespace nplab::test
