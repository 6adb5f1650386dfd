// What the generated code looks like: banks, bursts, slots, branches, SDRAM halves.
#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <regex>
#include <sstream>

#include "isa/assembly/assembler.h"
#include "isa/assembly/object_loader.h"
#include "support/input_file.h"
#include "tests/compiler/compiled.h"
#include "tests/paths.h"

namespace nplab::test {
namespace {

using compiler::Optimization;

std::vector<std::string> operands_of(const std::string& instruction) {
  std::vector<std::string> operands;
  const auto open = instruction.find('['), close = instruction.find(']');
  if (open == std::string::npos)
    return operands;
  static const std::regex kOperand("[^, ]+");
  const std::string inside = instruction.substr(open + 1, close - open - 1);
  for (std::sregex_iterator at(inside.begin(), inside.end(), kOperand), end; at != end; ++at)
    operands.push_back(at->str());
  return operands;
}
char bank_of(const std::string& operand) {
  static const std::regex kRegister("@?[ab][0-9]+");
  if (!std::regex_match(operand, kRegister))
    return 0;
  return operand[0] == '@' ? operand[1] : operand[0];
}

TEST_CASE("no instruction takes two general-purpose sources from one bank") {
  unsigned pairs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_path("tests/compiler/programs"))) {
    if (entry.path().extension() != ".c")
      continue;
    Diagnostics diagnostics;
    const auto file = read_input_file(entry.path().string(), diagnostics);
    for (const Optimization level : {Optimization::kO2, Optimization::kPublished}) {
      auto options = options_at(level);
      const auto text =
          compiler::compile_to_assembly(file->bytes, entry.path().string(), options, diagnostics);
      REQUIRE(text);
      std::istringstream lines(*text);
      for (std::string line; std::getline(lines, line);) {
        if (line.find("alu") == std::string::npos && line.find("dbl_shf[") == std::string::npos)
          continue;
        const auto operands = operands_of(line);
        std::string banks;
        for (std::size_t i = 1; i < operands.size(); ++i)
          if (const char bank = bank_of(operands[i]))
            banks += bank;
        if (banks.size() < 2)
          continue;
        ++pairs;
        INFO(line);
        CHECK(banks[0] != banks[1]);
      }
    }
  }
  CHECK(pairs > 200);
}

const char* kSumOfFour = R"(
__sram u32 *volatile where;
int main(void) { __sram u32 *p = (__sram u32 *)csr_read(thread_done); return p[0] + p[1] + p[2] + p[3]; }
)";

TEST_CASE(
    "neighbouring SRAM reads become one burst at O2 and stay four references in the published "
    "pipeline") {
  const auto optimized = instructions_of(kSumOfFour, Optimization::kO2);
  CHECK(count(optimized, "sram[read") == 1);
  CHECK(count(optimized, ", 4], ctx_swap") == 1);
  const auto published = instructions_of(kSumOfFour, Optimization::kPublished);
  CHECK(count(published, "sram[read") == 4);
  CHECK(count(published, ", 1], ctx_swap") == 4);
}

TEST_CASE("values are read where they arrive, without a move out of the transfer register") {
  const auto code = instructions_of(kSumOfFour, Optimization::kPublished);
  CHECK(count(code, "--, B, $") == 0);
}

const char* kLoop = R"(
int main(void) {
  __sram u32 *p = (__sram u32 *)csr_read(thread_done);
  u32 sum = 0, product = 1;
  for (u32 i = 0; i != 100; i++) { sum += p[i]; product ^= sum << 3; }
  return sum ^ product;
}
)";

TEST_CASE("slots are filled at O2 and never in the published pipeline or without optimisation") {
  CHECK(count(instructions_of(kLoop, Optimization::kO2), "defer[") >= 1);
  CHECK(count(instructions_of(kLoop, Optimization::kPublished), "defer[") == 0);
  CHECK(count(instructions_of(kLoop, Optimization::kO0), "defer[") == 0);
}

TEST_CASE("the branch that closes a loop is guessed at O2 and never in the published pipeline") {
  CHECK(count(instructions_of(kLoop, Optimization::kO2), "guess_branch") == 1);
  CHECK(count(instructions_of(kLoop, Optimization::kPublished), "guess_branch") == 0);
}

TEST_CASE("the slot after a reference takes the nearest instruction that does not wait for it") {
  // The halves of the result's constant, the last to be computed, go behind both reads.
  const char* source =
      "int main(void) { __sram u32 *p = (__sram u32 *)csr_read(rcv_cntl); p[1] = *p + 1; return "
      "0x12345678; }";
  CHECK(count(instructions_of(source, Optimization::kO2), "ctx_swap, defer[1]") == 2);
  CHECK(count(instructions_of(source, Optimization::kPublished), "defer[") == 0);
}

TEST_CASE("the sign of a value chooses between two others by a test of its bit") {
  const auto code = instructions_of(
      "int main(void) { u32 a = csr_read(rcv_cntl), b = csr_read(rcv_req), c = "
      "csr_read(thread_done);"
      "  return (int)c < 0 ? a : b; }",
      Optimization::kO2);
  CHECK(count(code, "br_bset[") + count(code, "br_bclr[") == 1);
  CHECK(count(code, "alu[--") == 0);
}

TEST_CASE("a comparison stands right in front of its branch") {
  const auto code = instructions_of(kLoop, Optimization::kPublished);
  unsigned branches = 0;
  for (std::size_t i = 1; i < code.size(); ++i)
    if (code[i].rfind("br!=0[", 0) == 0 || code[i].rfind("br=0[", 0) == 0) {
      ++branches;
      CHECK(code[i - 1].rfind("alu[", 0) == 0);
    }
  CHECK(branches >= 1);
}

TEST_CASE("a test of one bit is one branch") {
  const auto code =
      instructions_of("int main(void) { if (csr_read(rcv_cntl) & 1 << 8) ctx_swap(); return 7; }",
                      Optimization::kPublished);
  CHECK(count(code, "br_bset[$") + count(code, "br_bclr[$") == 1);
  CHECK(count(code, "alu[--") == 0);
}

TEST_CASE("a comparison of one byte with a constant is one branch") {
  const auto code = instructions_of(
      "int main(void) { if ((csr_read(rcv_cntl) >> 16 & 0xff) == 200) ctx_swap(); return 7; }",
      Optimization::kPublished);
  CHECK(count(code, "br=byte[$") + count(code, "br!=byte[$") == 1);
  CHECK(count(code, ", 2, 200, ") == 1);
}

TEST_CASE("an aligned 64-bit SDRAM load is one quadword read") {
  const auto code = instructions_of(
      "int main(void) { u64 v = *(__sdram u64 *)csr_read(thread_done); return v ^ v >> 32; }",
      Optimization::kPublished);
  CHECK(count(code, "sdram[read") == 1);
  CHECK(count(code, "sdram[read, $$0, $0, 0, 1], ctx_swap") == 1);
}

TEST_CASE("a longword at a known place of a quadword is picked without a branch") {
  const auto code = instructions_of(
      "int main(void) { __sdram u32 *p = (__sdram u32 *)(csr_read(thread_done) & ~7); return p[1]; "
      "}",
      Optimization::kPublished);
  CHECK(count(code, "sdram[read, $$0") == 1);
  CHECK(count(code, "br") == 0);
  CHECK(count(code, "$$1]") == 1);
}

TEST_CASE("a byte of a register is extracted by one instruction") {
  const auto code = instructions_of("int main(void) { return csr_read(rcv_cntl) >> 16 & 0xff; }",
                                    Optimization::kPublished);
  CHECK(count(code, "ld_field_w_clr[a0, 0b0001, $0, >>16]") == 1);
}

TEST_CASE("a constant takes one instruction when 16 bits of it say everything") {
  const auto constant = [](const std::string& value) {
    return count(
        instructions_of("int main(void) { return " + value + "; }", Optimization::kPublished),
        "immed");
  };
  for (const char* one : {"0", "0xffff", "0x12340000", "0x123400", "-1", "0xffff1234"})
    CHECK(constant(one) == 1);
  for (const char* two : {"0x12345678", "0x10001"})
    CHECK(constant(two) == 2);
}

TEST_CASE("a 64-bit sum is an addition and an addition with its carry, one after the other") {
  const auto code = instructions_of(
      "int main(void) { u64 a = *(__sdram u64 *)64, b = *(__sdram u64 *)128; return (a + b) >> 32; "
      "}",
      Optimization::kPublished);
  for (std::size_t i = 1; i < code.size(); ++i)
    if (code[i].find("+carry") != std::string::npos)
      CHECK(code[i - 1].find(", +, ") != std::string::npos);
  CHECK(count(code, "+carry") == 1);
}

TEST_CASE("the published pipeline keeps a choice between two values a branch") {
  const auto code = instructions_of(
      "int main(void) { u32 v = csr_read(thread_done), r = 7; if (v > 100) r = 5; return r; }",
      Optimization::kPublished);
  CHECK(count(code, "br") >= 1);
}

TEST_CASE("a small program compiles in half a second") {
  Diagnostics diagnostics;
  const std::string source = std::string("#include <microengine.h>\n") + kLoop;
  REQUIRE(compiler::compile(source, "test.c", {},
                            diagnostics));  // once for what is loaded and registered at first use
  const std::clock_t start = std::clock();
  REQUIRE(compiler::compile(source, "test.c", {}, diagnostics));
  CHECK(double(std::clock() - start) / CLOCKS_PER_SEC < 0.5);
}

TEST_CASE("assembly text and object hold the same program") {
  // The second ends a function, which is inlined, with an annotation.
  const std::string program =
      GENERATE(std::string(kLoop),
               std::string("static void put(void) { queue_entry_put(1, 0x7fffffff); }\n"
                           "volatile int v;\nint main(void) { v = 1; put(); v = 2; return 0; }\n"));
  for (const Optimization level : kLevels) {
    const std::string source = "#include <microengine.h>\n" + program;
    Diagnostics diagnostics;
    const auto text =
        compiler::compile_to_assembly(source, "test.c", options_at(level), diagnostics);
    const auto image = compiler::compile(source, "test.c", options_at(level), diagnostics);
    REQUIRE(text);
    REQUIRE(image);
    const auto object = isa::assemble(*text, "test.s", diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(object);
    const auto assembled = isa::load_object(*object, "test", options_at(level).data, diagnostics);
    REQUIRE(assembled);
    CHECK(assembled->words == image->words);
    CHECK(assembled->annotations.size() == image->annotations.size());
  }
}

}  // namespace
}  // namespace nplab::test
