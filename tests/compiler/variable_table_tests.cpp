// What the compiler says of variables, and that saying it changes no word.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "isa/assembly/object_loader.h"
#include "tests/compiler/compiled.h"
#include "tests/compiler/damaged_object.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

compiler::CompileOptions keeping_variables(compiler::Optimization level) {
  compiler::CompileOptions options = options_at(level);
  options.variables = compiler::VariableRecord::kKept;
  return options;
}

isa::ProgramImage compiled(const std::string& source, const std::string& file,
                           const compiler::CompileOptions& options) {
  Diagnostics diagnostics;
  auto image = compiler::compile(source, file, options, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return std::move(*image);
}

bool same_lines(const isa::ProgramImage& a, const isa::ProgramImage& b) {
  return std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                    [](const isa::SourceLine& x, const isa::SourceLine& y) {
                      return x.line == y.line && x.file == y.file;
                    });
}

TEST_CASE("words and lines of a program are the same whether its variables are kept or not") {
  for (const auto& file :
       std::filesystem::directory_iterator(source_path("tests/compiler/programs"))) {
    if (file.path().extension() != ".c")
      continue;
    const std::string source = text_of(file.path());
    for (const compiler::Optimization level : kLevels) {
      INFO(file.path() << " at level " << static_cast<int>(level));
      const auto plain = compiled(source, file.path().string(), options_at(level));
      const auto kept = compiled(source, file.path().string(), keeping_variables(level));
      CHECK(plain.words == kept.words);
      CHECK(same_lines(plain, kept));
      CHECK(plain.variables.types.empty());
      CHECK_FALSE(kept.variables.variables.empty());
    }
  }
}

constexpr const char* kSource =
    "#include <microengine.h>\n"
    "struct pair { u16 first; u16 second; };\n"
    "static __sram struct pair table[2] = {{1, 2}, {3, 4}};\n"
    "int main(void) {\n"
    "  u32 sum = 0;\n"
    "  for (u32 i = 0; i < 2; i++)\n"
    "    sum += table[i].first;\n"
    "  console_hex(sum);\n"
    "  return 0;\n"
    "}\n";

const isa::ProgramVariable& named(const isa::ProgramImage& image, const std::string& name) {
  for (const isa::ProgramVariable& variable : image.variables.variables)
    if (variable.name == name)
      return variable;
  FAIL("no variable " << name);
  return image.variables.variables.front();
}

TEST_CASE("a variable has its type, its block and the words before which it is in a place") {
  const auto image = compiled(kSource, "pairs.c", keeping_variables(compiler::Optimization::kO1));
  const isa::ProgramVariable& sum = named(image, "sum");
  const isa::ProgramVariable& i = named(image, "i");
  CHECK(sum.line == 5);
  CHECK(image.variables.types[sum.type].name == "u32");
  CHECK(image.variables.resolved(sum.type).bytes == 4);
  CHECK(image.scopes[sum.scope].function == "main");
  CHECK(image.scopes[i.scope].is_block());
  CHECK(image.scopes[*image.scopes[i.scope].around].function == "main");
  CHECK_FALSE(sum.parts.empty());
  for (const isa::VariablePart& part : sum.parts) {
    CHECK(part.words.begin < part.words.end);
    CHECK(part.words.end <= image.words.size());
    CHECK(part.bit_size == 32);
  }
  REQUIRE(image.variables.globals.size() == 1);
  const isa::GlobalVariable& table = image.variables.globals.front();
  CHECK(table.space == isa::MemorySpace::kSram);
  CHECK(table.address == image.data.front().address);
  const isa::VariableType& array = image.variables.resolved(table.type);
  CHECK(array.elements == 2);
  CHECK(array.bytes == 8);
  const isa::VariableType& pair = image.variables.resolved(array.element);
  REQUIRE(pair.members.size() == 2);
  CHECK(pair.members[1].name == "second");
  CHECK(pair.members[1].bit_offset == 16);
}

TEST_CASE("an object whose table of variables is damaged is refused or loaded, and says so") {
  Diagnostics diagnostics;
  const auto object = compiler::compile_to_object(
      kSource, "pairs.c", keeping_variables(compiler::Optimization::kO2), diagnostics);
  REQUIRE(object);
  const auto check = [](const isa::ProgramImage& image) {
    for (const isa::ProgramVariable& variable : image.variables.variables) {
      CHECK(variable.type < image.variables.types.size());
      CHECK(variable.scope < image.scopes.size());
    }
  };
  const unsigned refused =
      refused_when_damaged(*object, "the table of variables is damaged", check);
  CHECK(refused > 50);
}

}  // namespace
}  // namespace nplab::test
