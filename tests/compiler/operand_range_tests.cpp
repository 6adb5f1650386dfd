// Constants at the ends of what instructions can hold: an object and its assembly text are made of
// the same words, or both are refused at the program's line.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;

std::string program(const std::string& statement) {
  return "#include <microengine.h>\nint main(void) {\n  " + statement + ";\n  return 0;\n}\n";
}

// Whether the statement compiles, to an object and to a text that assembles to the same words.
bool compiles(const std::string& statement) {
  Diagnostics of_object, of_text;
  const std::string source = program(statement);
  const auto image = compiler::compile(source, "test.c", {}, of_object);
  const auto text = compiler::compile_to_assembly(source, "test.c", {}, of_text);
  INFO(statement << "\n" << of_object.to_string() << of_text.to_string());
  CHECK(image.has_value() == text.has_value());
  if (!image || !text) {
    CHECK_THAT(of_object.to_string(), Contains("test.c:3:") && Contains("cannot hold"));
    CHECK(of_object.to_string() == of_text.to_string());
    return false;
  }
  Diagnostics of_assembler;
  const auto object = isa::assemble(*text, "test.s", of_assembler);
  CHECK(of_assembler.to_string() == "");
  REQUIRE(object);
  const auto assembled = isa::load_object(*object, "test.s", {}, of_assembler);
  REQUIRE(assembled);
  CHECK(assembled->words == image->words);
  return true;
}

struct Range {
  const char* statement;  // {}: the constant
  std::int64_t last;      // that the instruction can hold
};

}  // namespace

TEST_CASE("an intrinsic's constant compiles up to the last that its instruction can hold") {
  const Range ranges[] = {
      {"fast_wr_constant(inter_thd_sig, {})", 1023},
      {"(void)sram_pop({})", 7},
      {"sram_push({}, 8)", 7},
  };
  for (const auto& [statement, last] : ranges) {
    for (const std::int64_t value : {std::int64_t{0}, last}) {
      CHECK(compiles(fmt::format(fmt::runtime(statement), value)));
    }
    for (const std::int64_t value : {last + 1, 2 * last + 2, std::int64_t{500000}}) {
      CHECK_FALSE(compiles(fmt::format(fmt::runtime(statement), value)));
    }
  }
}

TEST_CASE("a register of a unit that does not exist is refused at its line") {
  for (const int number : {17, 63, 500})
    CHECK_FALSE(compiles(fmt::format("(void)__me_csr_read({})", number)));
  CHECK(compiles("(void)__me_csr_read(16)"));
}

}  // namespace nplab::test
