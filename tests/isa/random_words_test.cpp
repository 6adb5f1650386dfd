#include <catch2/catch.hpp>

#include <random>

#include "assembled.h"
#include "isa/assembly/disassembler.h"
#include "isa/instruction.h"
#include "random_operands.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

bool is_legal_to_disassembler(std::uint64_t word) {
  return !disassemble_word(word).starts_with(".quad");
}

std::vector<std::uint64_t> legal_words() {
  std::mt19937 random(7);
  std::string text;
  for (const InstructionSyntax& syntax : instruction_syntaxes())
    text += random_statement(syntax, random) + "\n";
  return assembled(text).words;
}

}  // namespace

TEST_CASE("Both decoders agree on which random words are instructions", "[isa]") {
  std::mt19937_64 random(1);
  for (int i = 0; i != 1000; ++i) {
    const std::uint64_t word = random();
    INFO(std::hex << word);
    CHECK(is_legal_to_disassembler(word) == decode(word).has_value());
  }
}

TEST_CASE("Both decoders agree on words that differ from an instruction in one or two bits",
          "[isa]") {
  std::mt19937_64 random(2);
  const std::vector<std::uint64_t> words = legal_words();
  int legal = 0;
  for (int i = 0; i != 2000; ++i) {
    const std::uint64_t flips = std::uint64_t{1} << random() % 64 | std::uint64_t{1}
                                                                        << random() % 64;
    const std::uint64_t word = words[random() % words.size()] ^ flips;
    INFO(std::hex << word << " " << disassemble_word(word));
    CHECK(is_legal_to_disassembler(word) == decode(word).has_value());
    legal += decode(word).has_value() ? 1 : 0;
  }
  CHECK(legal > 200);
  CHECK(legal < 1800);
}
