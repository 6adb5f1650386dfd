// Random words that only compute: operands, ALU, shifts, immediates, fields, searches.
#pragma once

#include <array>
#include <random>
#include <utility>
#include <vector>

#include "isa/instruction.h"
#include "tests/simulator/bench/random_program.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {

// General-purpose registers 0-11 of each bank hold data; the others have an office.
inline constexpr unsigned kDataRegisters = 12;
inline constexpr Code kSramBase = a(12), kSdramBase = a(13), kScratchBase = a(14), kIndex = a(15);
inline constexpr Code kOffset = b(13), kCounter = b(14), kParts = b(15);

constexpr unsigned bit_of(isa::Token token) {
  return static_cast<unsigned>(token);
}

// Which transfer registers a reference under way reads or fills: bits of their numbers, by file.
struct Busy {
  std::array<unsigned, 2> in{}, out{};
};

inline Busy operator|(const Busy& x, const Busy& y) {
  return {{x.in[0] | y.in[0], x.in[1] | y.in[1]}, {x.out[0] | y.out[0], x.out[1] | y.out[1]}};
}

// Writes words one behind the other for one context after another.
class RandomWords {
 protected:
  explicit RandomWords(const RandomProgramOptions& options)
      : options_(options), random_(options.seed) {}

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  [[nodiscard]] unsigned here() const { return static_cast<unsigned>(words_.size()); }
  void emit(Word word) { words_.push_back(word); }
  void emit(const std::vector<Word>& words) {
    words_.insert(words_.end(), words.begin(), words.end());
  }
  [[nodiscard]] unsigned thread() const {
    return options_.shared_memory ? 0 : 4 * options_.engine + context_;
  }
  [[nodiscard]] bool owns_registers() const { return options_.owner_of_registers == context_; }

  Code data_register(unsigned bank) {
    const unsigned n = below(kDataRegisters);
    if (chance(4))
      return bank == 0 ? absolute_a(16 * context_ + n) : absolute_b(16 * context_ + n);
    return bank == 0 ? a(n) : b(n);
  }
  // A transfer register that is not busy; none when all are.
  Code transfer(const std::array<unsigned, 2>& busy) {
    const unsigned file = below(2), n = below(8);
    if ((busy[file] >> n & 1) != 0)
      return none;
    if (chance(4))
      return static_cast<Code>((file == 0 ? 0x300 : 0x320) + 8 * context_ + n);
    return file == 0 ? sram_transfer(n) : sdram_transfer(n);
  }
  // A source: of general-purpose registers only `bank`.
  Code source(unsigned bank) {
    if (chance(4))
      if (const Code code = transfer(busy_.in); code != none)
        return code;
    return data_register(bank);
  }
  Code destination_or_none() { return chance(10) ? none : destination(); }
  Code destination() {
    if (chance(5))
      if (const Code code = transfer(busy_.out); code != none)
        return code;
    return data_register(below(2));
  }
  // Two sources from different banks; one of them may be an immediate.
  std::pair<Code, Code> two_sources() {
    const unsigned bank = below(2);
    switch (below(6)) {
      case 0: return {source(bank), value(below(32))};
      case 1: return {value(below(32)), source(bank)};
      default: return {source(bank), source(1 - bank)};
    }
  }
  Code one_source() { return chance(6) ? value(below(32)) : source(below(2)); }

  // kind in 19..17, amount in 16..12; kinds 5 and 6 only where the instruction before gives the
  // amount.
  Word shift(bool indirect) {
    if (indirect)
      return field(5 + below(2), 17);
    const unsigned kind = below(5);
    return kind == 0 ? 0 : field(kind, 17) | field(1 + below(31), 12);
  }

  // The functions of two operands that the description has.
  template <class Encode>
  static std::vector<Alu> functions_of(Encode encode) {
    std::vector<Alu> functions;
    for (unsigned number = 0; number < 32; ++number) {
      if (isa::decode(encode(Alu(number))))
        functions.push_back(Alu(number));
    }
    return functions;
  }

  Word alu_word() {
    static const std::vector<Alu> kBinary =
        functions_of([](Alu function) { return alu(a(0), a(0), function, b(0)); });
    if (chance(6))
      return alu(destination_or_none(), none, chance(2) ? Alu::kB : Alu::kNotB, one_source());
    const auto [x, y] = two_sources();
    return alu(destination_or_none(), x, kBinary[below(kBinary.size())], y);
  }
  Word alu_shift_word(bool indirect) {
    static const std::vector<Alu> kBinary =
        functions_of([](Alu function) { return alu_shf(a(0), a(0), function, b(0), 0, 0); });
    if (chance(3))
      return alu_shf(destination_or_none(), none, chance(2) ? Alu::kB : Alu::kNotB, one_source(), 0,
                     0) |
             shift(indirect);
    const auto [x, y] = two_sources();
    return alu_shf(destination_or_none(), x, kBinary[below(kBinary.size())], y, 0, 0) |
           shift(indirect);
  }
  Word double_shift_word() {
    const unsigned bank = below(2);
    return dbl_shf(destination_or_none(), source(bank), source(1 - bank), 1 + below(31));
  }
  Word immediate_word() {
    if (chance(2)) {
      static constexpr std::array kPositions{0u, 1u, 2u, 4u, 5u, 6u};
      return immed(destination(), below(0x10000), kPositions[below(kPositions.size())]);
    }
    const unsigned part = 1 + below(6);
    const unsigned n = below(kDataRegisters);
    const Code dst = chance(2) ? a(n) : b(n);
    return field(4, 58) | field(dst, 47) | field(part, 20) | below(part <= 4 ? 0x100 : 0x10000);
  }
  Word load_field_word(bool indirect) {
    const bool clears = chance(2);
    const unsigned n = below(kDataRegisters);
    const Code dst = clears ? destination() : chance(2) ? a(n) : b(n);
    return three_operands(5, dst, none, source(below(2))) | field(clears ? 1 : 0, 20) |
           shift(indirect) | field(below(2), 11) | field(below(16), 7);
  }
  Word search_word(bool indirect) {
    if (chance(2))
      return three_operands(7, none, none, source(below(2))) | shift(indirect);
    const unsigned bank = below(2);
    return three_operands(7, none, source(bank), source(1 - bank)) | field(1, 20) | shift(indirect);
  }
  // Has an A operand, which an indirect shift behind it uses.
  Word word_with_a_operand() {
    switch (below(4)) {
      case 0: return double_shift_word();
      case 1: return alu_shift_word(false);
      default: return alu_word();
    }
  }
  Word computing_word() {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: return alu_word();
      case 5:
      case 6: return alu_shift_word(false);
      case 7: return double_shift_word();
      case 8:
      case 9: return immediate_word();
      case 10:
      case 11: return load_field_word(false);
      case 12: return search_word(false);
      case 13: return three_operands(7, destination(), none, none) | field(2 + below(2), 20);
      case 14: return field(6, 58) | field(destination(), 47) | below(1 + here());
      default:
        return chance(2) ? nop() : field(25, 58) | field(destination(), 47) | field(below(2), 25);
    }
  }
  Word word_shifting_indirectly() {
    switch (below(3)) {
      case 0: return search_word(true);
      case 1: return load_field_word(true);
      default: return alu_shift_word(true);
    }
  }
  void compute(unsigned words) {
    for (unsigned i = 0; i < words; ++i) {
      if (i + 1 < words && chance(6)) {
        emit(word_with_a_operand());
        emit(word_shifting_indirectly());
        ++i;
      } else {
        emit(computing_word());
      }
    }
  }

  RandomProgramOptions options_;
  std::mt19937_64 random_;
  std::vector<Word> words_;
  unsigned context_ = 0;
  Busy busy_;
};

}  // namespace nplab::test
