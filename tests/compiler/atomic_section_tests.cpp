// Sections in which threads of an engine rely on not being preempted, and kills that a branch may
// skip.
#include <catch2/catch.hpp>

#include "tests/compiler/compiled.h"

namespace nplab::test {
namespace {

using Catch::Contains;

constexpr const char* kWord = "#define WORD ((__sram void*)0x40)\n";

std::string with_shared(const std::string& body) {
  return std::string("#include \"microengine.h\"\n") + kWord +
         "static __shared u32 turn;\nint main(void) {\n" + body + "\nreturn 0;\n}\n";
}

TEST_CASE("what lets another thread run in an atomic section is an error at its line") {
  CHECK_THAT(refusal_of(with_shared("atomic_begin();\nturn = sram_read(WORD);\natomic_end();")),
             Contains("test.c:6:8: error: ") && Contains("lets another thread run"));
  CHECK_THAT(refusal_of(with_shared("atomic_begin();\nif (turn)\nctx_swap_voluntary();\nturn = 1;\n"
                                    "atomic_end();")),
             Contains("test.c:7:1: error: ") && Contains("lets another thread run"));
  // On one of two ways to the wait the section has not ended.
  CHECK_THAT(refusal_of(with_shared("atomic_begin();\nif (turn) atomic_end();\n"
                                    "ctx_swap_voluntary();")),
             Contains("lets another thread run"));
}

TEST_CASE("an atomic section ends where it says, or with the next reference after atomic_last") {
  for (const char* body :
       {"atomic_begin();\nturn = turn + 1;\natomic_end();\nturn = sram_read(WORD);",
        "atomic_begin();\nturn = turn + 1;\natomic_last();\nsram_write(WORD, turn);\n"
        "turn = sram_read(WORD);",
        "while (turn) {\natomic_begin();\nturn = 1;\natomic_end();\nctx_swap_voluntary();\n}"}) {
    Diagnostics diagnostics;
    CHECK(compiler::compile_to_object(with_shared(body), "test.c", {}, diagnostics));
    CHECK(diagnostics.to_string() == "");
  }
}

TEST_CASE("marks of atomic sections leave no trace in the program") {
  const std::string plain = with_shared("turn = turn + 1;");
  const std::string marked = with_shared("atomic_begin();\nturn = turn + 1;\natomic_end();");
  for (const auto level : kLevels)
    CHECK(instructions_of(marked, level) == instructions_of(plain, level));
}

// Two words between a branch that is decided in P3 and a kill: then the branch is decided first.
TEST_CASE("no kill stands where a taken branch would still fetch it") {
  const char* source =
      "#include \"microengine.h\"\nint main(void) {\nif (ctx() == 1) {\nsram_write((__sram "
      "void*)0x40, 1);\n}\n"
      "return 0;\n}\n";
  for (const auto level : kLevels) {
    const std::vector<std::string> instructions = instructions_of(source, level);
    unsigned since_branch = 2;
    for (const std::string& instruction : instructions) {
      INFO(instruction);
      if (instruction.find("ctx_arb[kill]") != std::string::npos)
        CHECK(since_branch >= 2);
      const bool is_late = instruction.find("br") == 0 && instruction.find("br[") != 0;
      const bool is_label = instruction.ends_with("#:");
      since_branch = is_late ? 0 : since_branch + (is_label ? 0 : 1);
    }
  }
}

TEST_CASE("a thread that branches over the end of another goes on, on a chip that prefetches") {
  simulator::ExecInputs inputs;
  inputs.chip = test_chip();
  inputs.chip.engine.pipeline.prefetched_kill = true;
  Diagnostics diagnostics;
  compiler::CompileOptions options = options_at(compiler::Optimization::kPublished);
  const auto image = compiler::compile(
      "#include \"microengine.h\"\nint main(void) {\nif (ctx() == 0) {\nfor (u32 i = 0; i < 3; "
      "++i)\nsram_write((__sram void*)(0x40 + 4 * i), i + 7);\n}\nreturn 0;\n}\n",
      "test.c", options, diagnostics);
  REQUIRE(image);
  inputs.image = *image;
  inputs.memory_wanted = {{isa::MemorySpace::kSram, 0x40, 3}};
  CHECK(simulator::exec(inputs).memory[0] == std::vector<std::uint32_t>{7, 8, 9});
}

}  // namespace
}  // namespace nplab::test
