#include "assembled.h"
#include "isa/instruction.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

constexpr const char* kProgram = R"(main#:
  immed[a0, %lo(table)]
  immed_w1[a0, %hi(table)]
  immed[b0, %lo(table + 4)]
  .packet_verdict a1, b2
  br[end#]
end#: ctx_arb[kill]
  .section .sram, "aw"
first: .long 1
table: .long 0x11223344, counter
  .section .scratch, "aw"
  .byte 0xab
  .p2align 2
counter#: .long table + 8
)";

std::string load_errors(const std::string& text) {
  nplab::Diagnostics diagnostics;
  const auto object =
      assemble(text, "test.s", diagnostics, {}, {}, nplab::isa::UndefinedSymbols::kKept);
  INFO(diagnostics.to_string());
  REQUIRE(object);
  CHECK_FALSE(load_object(*object, "test.o", {}, diagnostics));
  return diagnostics.to_string();
}

}  // namespace

TEST_CASE("Addresses of data reach code and other data through relocations", "[isa]") {
  const ProgramImage image = assembled(kProgram, {.sram = 0x20000, .sdram = 0, .scratch = 0x100});
  REQUIRE(image.words.size() == 5);
  CHECK(decode(image.words[0])->immediate == 0x0004);
  CHECK(decode(image.words[1])->immediate == 0x0002);
  CHECK(decode(image.words[2])->immediate == 0x0008);
  REQUIRE(image.data.size() == 2);
  CHECK(image.data[0].space == MemorySpace::kSram);
  CHECK(image.data[0].address == 0x20000);
  CHECK(image.data[0].longwords == std::vector<std::uint32_t>{1, 0x11223344, 0x104});
  CHECK(image.data[1].space == MemorySpace::kScratch);
  CHECK(image.data[1].longwords == std::vector<std::uint32_t>{0xab000000, 0x2000c});
}

TEST_CASE("Branch targets become control-store words and labels symbols", "[isa]") {
  const ProgramImage image = assembled(kProgram);
  CHECK(decode(image.words[3])->target == 4);
  REQUIRE(image.symbols.size() == 2);
  CHECK(image.symbols[0].name == "main");
  CHECK(image.symbols[0].pc == 0);
  CHECK(image.symbols[1].name == "end");
  CHECK(image.symbols[1].pc == 4);
}

TEST_CASE("Annotations keep their place, kind and operands", "[isa]") {
  const ProgramImage image =
      assembled("nop\n.packet_verdict a1, b2\n.poll_end\nnop\n.packet_drop $3, 7\nnop\n");
  REQUIRE(image.annotations.size() == 3);
  CHECK(image.annotations[0].pc == 1);
  CHECK(image.annotations[0].kind == Annotation::Kind::kPacketVerdict);
  CHECK(image.annotations[0].first == 1);
  CHECK(image.annotations[0].second == 0x12);
  CHECK(image.annotations[1].pc == 1);
  CHECK(image.annotations[1].kind == Annotation::Kind::kPollEnd);
  CHECK(image.annotations[1].first == kNoRegister);
  CHECK(image.annotations[2].pc == 2);
  CHECK(image.annotations[2].first == 0x203);
  CHECK(image.annotations[2].second == (kImmediateOperand | 7));
}

TEST_CASE("Every word of assembly text has its own line", "[isa]") {
  const ProgramImage image = assembled("nop\n\n; comment\nnop\nlabel#:\nnop\n");
  REQUIRE(image.files == std::vector<std::string>{"test.s"});
  REQUIRE(image.lines.size() == 3);
  CHECK(image.lines[0].line == 1);
  CHECK(image.lines[1].line == 4);
  CHECK(image.lines[2].line == 6);
}

TEST_CASE("A text's own .file and .loc take the place of its lines", "[isa]") {
  const ProgramImage image = assembled(
      ".file 1 \"tasks\" \"classify.c\"\n.file 2 \"other.c\"\n.loc 1 40 0\nnop\nnop\n"
      ".loc 2 7 3\nnop\n.loc 1 0 0\nnop\n");
  REQUIRE(image.lines.size() == 4);
  CHECK(image.files[image.lines[0].file] == "tasks/classify.c");
  CHECK(image.lines[0].line == 40);
  CHECK(image.lines[1].line == 40);
  CHECK(image.files[image.lines[2].file] == "other.c");
  CHECK(image.lines[2].line == 7);
  CHECK(image.lines[3].line == 0);
}

TEST_CASE("Undefined symbols are all named", "[isa]") {
  const std::string errors = load_errors("br[nowhere#]\nimmed[a0, %lo(nothing)]\nbr[nowhere#]\n");
  CHECK(errors ==
        "test.o:0:0: error: undefined symbol `nowhere`\ntest.o:0:0: error: undefined symbol "
        "`nothing`\n");
}

TEST_CASE("Data in a section without a memory is refused", "[isa]") {
  CHECK(load_errors("nop\n.data\n.long 3\n").find("section .data has no place") !=
        std::string::npos);
}

TEST_CASE("A branch to data is refused", "[isa]") {
  const std::string errors = load_errors("br[x#]\n.section .sram, \"aw\"\nx: .long 0\n");
  CHECK(errors == "test.o:0:0: error: the instruction at word 0 branches to what is not code\n");
}

TEST_CASE("What is not an object for the microengine is refused, whatever its bytes", "[isa]") {
  nplab::Diagnostics diagnostics;
  CHECK_FALSE(load_object("garbage", "g.o", {}, diagnostics));
  CHECK(diagnostics.to_string().find("g.o:0:0: error: not an ELF object") == 0);
  const auto object = assemble(kProgram, "test.s", diagnostics);
  REQUIRE(object);
  for (std::size_t size = 0; size < object->size(); size += 7) {
    nplab::Diagnostics ignored;
    load_object(object->substr(0, size), "cut.o", {}, ignored);
  }
  for (std::size_t i = 0; i < object->size(); ++i) {
    std::string damaged = *object;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    nplab::Diagnostics ignored;
    load_object(damaged, "damaged.o", {}, ignored);
  }
}
