#include "isa/assembly/disassembler.h"

#include "assembled.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

TEST_CASE("A disassembly shows words, labels, annotations and source lines", "[isa]") {
  const ProgramImage image =
      assembled("main#: nop\n.console_hex a0\n  br=0[main#], defer[1]\n  br[4]\n");
  CHECK(disassemble(image) ==
        "; test.s:1\n"
        "main#:\n"
        "    0 0000000000000000    nop\n"
        "; test.s:3\n"
        "    .console_hex a0\n"
        "    1 2000000000110000    br=0[main#], defer[1]\n"
        "; test.s:4\n"
        "    2 2000000000000004    br[4]\n");
}

TEST_CASE("Targets without a symbol get a label", "[isa]") {
  ProgramImage image = assembled("nop\nbr[0]\n");
  image.symbols.clear();
  DisassemblyOptions options;
  options.words = DisassemblyOptions::Words::kHidden;
  options.source_lines = DisassemblyOptions::SourceLines::kHidden;
  CHECK(disassemble(image, options) == "L0#:\n    nop\n    br[L0#]\n");
}

TEST_CASE("A word that is not an instruction is shown as data", "[isa]") {
  CHECK(disassemble_word(0xffffffffffffffff) == ".quad 0xffffffffffffffff");
}

TEST_CASE("Words are given one by one with their labels", "[isa]") {
  const auto words = disassemble_words(assembled("main#: nop\nbr=0[main#]\n"));
  REQUIRE(words.size() == 2);
  CHECK(words[0].label == "main");
  CHECK(words[0].instruction == "nop");
  CHECK(words[1].label == "");
  CHECK(words[1].instruction == "br=0[main#]");
}
