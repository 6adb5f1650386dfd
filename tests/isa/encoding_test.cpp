#include "assembled.h"
#include "isa/assembly/disassembler.h"
#include "isa/instruction.h"
#include "isa/mc/microengine_mc.h"
#include "isa/operand_text.h"
#include "random_operands.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

// Every form of every instruction, `repetitions` times, one statement a line.
std::vector<std::string> random_program(int repetitions) {
  std::mt19937 random(20031107);
  std::vector<std::string> statements;
  for (const InstructionSyntax& syntax : instruction_syntaxes())
    for (int i = 0; i != repetitions; ++i)
      statements.push_back(random_statement(syntax, random));
  return statements;
}

std::string joined(const std::vector<std::string>& statements) {
  std::string text;
  for (const std::string& statement : statements)
    text += statement + "\n";
  return text;
}

// The word of one statement.
Instruction decoded(const std::string& statement) {
  const ProgramImage image = assembled(statement + "\n");
  REQUIRE(image.words.size() == 1);
  const auto instruction = decode(image.words[0]);
  INFO(statement);
  REQUIRE(instruction);
  return *instruction;
}

}  // namespace

TEST_CASE(
    "Every instruction with random operands assembles, decodes and disassembles to the same word",
    "[isa]") {
  const std::vector<std::string> statements = random_program(8);
  REQUIRE(statements.size() > 3500);
  const ProgramImage image = assembled(joined(statements));
  REQUIRE(image.words.size() == statements.size());
  DisassemblyOptions options;
  options.words = DisassemblyOptions::Words::kHidden;
  options.source_lines = DisassemblyOptions::SourceLines::kHidden;
  const ProgramImage again = assembled(disassemble(image, options));
  REQUIRE(again.words.size() == image.words.size());
  for (std::size_t i = 0; i != statements.size(); ++i) {
    INFO(statements[i] << " became " << disassemble_word(image.words[i]));
    CHECK(again.words[i] == image.words[i]);
    CHECK(decode(image.words[i]));
  }
}

TEST_CASE("A decoded ALU instruction has its operation, registers, function and shift", "[isa]") {
  const Instruction i = decoded("alu_shf[b3, @a40, AND~, $$5, >>rot7]");
  CHECK(i.operation == Operation::kAluShfAndNot);
  CHECK(operand_text(i.dst) == "b3");
  CHECK(operand_text(i.a) == "@a40");
  CHECK(operand_text(i.b) == "$$5");
  CHECK(i.function == 7);
  CHECK(i.shift_kind == 4);
  CHECK(i.shift_amount == 7);
  CHECK(i.aborts == AbortClass::kNone);
}

TEST_CASE(
    "An ALU instruction without destination or with an immediate says so in its operand codes",
    "[isa]") {
  const Instruction i = decoded("alu[--, 31, -, b0]");
  CHECK(i.operation == Operation::kAluSub);
  CHECK(i.dst == kNoRegister);
  CHECK(i.a == (kImmediateOperand | 31));
  CHECK(i.b == 0x10);
  CHECK(decoded("alu[$3, --, ~B, a1]").a == kNoRegister);
}

TEST_CASE("Immediates decode with their position and kept bytes", "[isa]") {
  const Instruction i = decoded("immed[a5, 0xbeef, <<16 ones]");
  CHECK(i.operation == Operation::kImmed);
  CHECK(i.immediate == 0xbeef);
  CHECK(i.position == 6);
  CHECK(i.a == kNoRegister);
  const Instruction byte = decoded("immed_b2[b7, 255]");
  CHECK(byte.operation == Operation::kImmedB2);
  CHECK(byte.function == 3);
  CHECK(byte.immediate == 255);
  const Instruction field = decoded("ld_field[a2, 0b0110, $1, <<8], load_cc");
  CHECK(field.operation == Operation::kLdField);
  CHECK(field.byte_mask == 6);
  CHECK(field.load_cc == 1);
  CHECK(field.shift_kind == 1);
  CHECK(field.shift_amount == 8);
}

TEST_CASE("Branches decode with target, class, defer count and what they test", "[isa]") {
  const Instruction i = decoded("br=byte[b2, 3, 0x45, 1000], defer[3], guess_branch");
  CHECK(i.operation == Operation::kBrEqualByte);
  CHECK(i.aborts == AbortClass::kTest);
  CHECK(i.byte_number == 3);
  CHECK(i.byte_value == 0x45);
  CHECK(i.target == 1000);
  CHECK(i.defer == 3);
  CHECK(i.guess_branch == 1);
  CHECK(decoded("br_bclr[a1, 17, 5]").selector == 17);
  CHECK(decoded("br_!signal[fbi, 5]").selector == 2);
  CHECK(decoded("br_inp_state[push_protect, 5]").selector == 1);
  CHECK(decoded("br=ctx[3, 5]").selector == 3);
  CHECK(decoded("br[5]").aborts == AbortClass::kUnconditional);
  CHECK(decoded("br<=0[5]").aborts == AbortClass::kCondition);
  CHECK(decoded("br!=ctx[1, 5]").aborts == AbortClass::kState);
}

TEST_CASE("References decode with unit, burst, address, tokens, and class swap when they swap",
          "[isa]") {
  const Instruction i = decoded("sdram[read, $$2, a1, 64, 3], ordered, defer[1], ctx_swap");
  CHECK(i.operation == Operation::kSdramRead);
  CHECK(i.completes_in == Unit::kSdram);
  CHECK(operand_text(i.dst) == "$$2");
  CHECK(i.b == (kImmediateOperand | 64));
  CHECK(i.count == 3);
  CHECK(i.defer == 1);
  CHECK(i.aborts == AbortClass::kSwap);
  CHECK(i.tokens ==
        (static_cast<unsigned>(Token::kCtxSwap) | static_cast<unsigned>(Token::kOrdered)));
  CHECK(decoded("sram[write, $0, a1, b1, 8], sig_done").aborts == AbortClass::kNone);
  CHECK(decoded("sram[pop, $1, --, --, 7]").count == 8);
  CHECK(decoded("scratch[bit_wr, $1, a1, 0, test_and_set_bits]").function == 10);
  CHECK(decoded("fast_wr[1023, thread_done]").dst == 1023);
  CHECK(decoded("hash3_64[$2]").count == 6);
  CHECK(decoded("csr[read, $1, rcv_cntl]").csr == 4);
}

TEST_CASE("ctx_arb decodes to the set of its events", "[isa]") {
  const Instruction i = decoded("ctx_arb[sram, start_receive], defer[1]");
  CHECK(i.events ==
        (static_cast<unsigned>(Event::kSram) | static_cast<unsigned>(Event::kStartReceive)));
  CHECK(i.aborts == AbortClass::kSwap);
  CHECK(i.defer == 1);
}
