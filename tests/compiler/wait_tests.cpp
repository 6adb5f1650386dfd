// Functions that wait, as their attribute says.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

std::string program(const std::string& attribute) {
  return "#include <microengine.h>\n"
         "static inline " +
         attribute +
         " void wait(u32 bit) {\n"
         "  while (!(csr_read(rcv_rdy_lo) >> bit & 1))\n    ctx_swap_voluntary();\n}\n"
         "int main(void) {\n  u32 sum = 0;\n  for (u32 i = 0; i < 3; ++i) {\n    wait(i);\n"
         "    sum += sram_read((__sram void*)(64 + 4 * i));\n  }\n  return (int)sum;\n}\n";
}

isa::ProgramImage image_of(const std::string& source, compiler::Optimization level) {
  Diagnostics diagnostics;
  const auto image = compiler::compile(source, "w.c", options_at(level), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(image);
  return *image;
}

}  // namespace

TEST_CASE("an attribute that a function waits changes no word of the program") {
  for (const auto level : kLevels) {
    CAPTURE(static_cast<int>(level));
    const auto plain = image_of(program(""), level);
    for (const char* attribute : {"__waits_for_work", "__waits_for_room", "__waits_for_lock"}) {
      const auto marked = image_of(program(attribute), level);
      CHECK(marked.words == plain.words);
      CHECK(marked.data.size() == plain.data.size());
    }
  }
}

TEST_CASE("the words of a function that waits are marked wherever it is inlined") {
  const auto image = image_of(program("__waits_for_room"), compiler::Optimization::kO2);
  unsigned marks = 0, of_loop = 0, of_main = 0;
  std::uint16_t code = 0;
  std::size_t next = 0;
  std::vector<isa::Annotation> changes;
  for (const auto& annotation : image.annotations)
    if (annotation.kind == isa::Annotation::Kind::kWaitCode)
      changes.push_back(annotation);
  for (std::uint32_t pc = 0; pc < image.words.size(); ++pc) {
    for (; next < changes.size() && changes[next].pc == pc; ++next, ++marks)
      code = changes[next].first & 0xFF;
    const auto line = image.lines[pc].line;
    if (line == 3 || line == 4) {
      ++of_loop;
      CHECK(code == static_cast<std::uint16_t>(isa::WaitCode::kRoom));
    } else if (line > 5) {
      ++of_main;
      CHECK(code == 0);
    }
  }
  CHECK(marks >= 2);
  CHECK(of_loop >= 3);
  CHECK(of_main >= 3);
}

}  // namespace nplab::test
