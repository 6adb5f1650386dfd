#include "assembled.h"
#include "isa/assembly/disassembler.h"
#include "isa/instruction.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

std::uint64_t word_of(const std::string& statement) {
  const ProgramImage image = assembled(statement + "\n");
  REQUIRE(image.words.size() == 1);
  return image.words[0];
}

}  // namespace

TEST_CASE("Tokens may come in any order", "[isa]") {
  CHECK(word_of("sram[read, $0, a0, 0, 2], ctx_swap, defer[1], priority") ==
        word_of("sram[read, $0, a0, 0, 2], defer[1],priority , ctx_swap"));
}

TEST_CASE(
    "A shift that is left out means no shift, and words of the language may be written in either "
    "case",
    "[isa]") {
  CHECK(word_of("ld_field[a0, 0b1111, b1]") == word_of("ld_field[a0, 15, b1, --]"));
  CHECK(word_of("ALU[a0, a1, and~, b1]") == word_of("alu[a0, a1, AND~, b1]"));
}

TEST_CASE(
    "A transfer register name is the read register as a source and the write register elsewhere",
    "[isa]") {
  CHECK(disassemble_word(word_of("alu[$3, $3, +, a0]")) == "alu[$3, $3, +, a0]");
}

TEST_CASE("Comments, blank lines and labels on their own or a statement's line are accepted",
          "[isa]") {
  const ProgramImage image = assembled(
      "; a comment\n// another\nStart#: nop ; after a statement\n\nloop#:\n  br[loop#] // and so\n "
      " br!=0[Start#], defer[1]\n.Linner#:\n  br[.Linner#]\n");
  REQUIRE(image.words.size() == 4);
  CHECK(decode(image.words[1])->target == 1);
  CHECK(decode(image.words[2])->target == 0);
  CHECK(decode(image.words[3])->target == 3);
}

TEST_CASE("Encodings stay what the description says", "[isa]") {
  CHECK(word_of("nop") == 0);
  // 63..58 = 1, dst a2, a a1, b b3, function 0
  CHECK(word_of("alu[a2, a1, +, b3]") == (1ull << 58 | 2ull << 47 | 1ull << 36 | 0x13ull << 25));
  // 63..58 = 16, $1, a0, immediate 4, command 0, count 2, ctx_swap
  CHECK(word_of("sram[read, $1, a0, 4, 2], ctx_swap") ==
        (16ull << 58 | 0x201ull << 47 | 0x404ull << 25 | 1ull << 12 | 1));
}
