// Control-store words for tests, built from the fields of isa/description/formats.td.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "isa/program_image.h"

namespace nplab::test {

using Word = std::uint64_t;
using Code = isa::OperandCode;

// Operand codes (isa/description/registers.td).
constexpr Code a(unsigned n) {
  return static_cast<Code>(n);
}
constexpr Code b(unsigned n) {
  return static_cast<Code>(16 + n);
}
constexpr Code absolute_a(unsigned n) {
  return static_cast<Code>(0x100 + n);
}
constexpr Code absolute_b(unsigned n) {
  return static_cast<Code>(0x140 + n);
}
constexpr Code sram_transfer(unsigned n) {
  return static_cast<Code>(0x200 + n);
}
constexpr Code sdram_transfer(unsigned n) {
  return static_cast<Code>(0x208 + n);
}
constexpr Code value(unsigned n) {
  return static_cast<Code>(0x400 + n);
}
constexpr Code none = isa::kNoRegister;

constexpr Word field(std::uint64_t bits, unsigned low) {
  return bits << low;
}
constexpr Word three_operands(unsigned operation, Code dst, Code x, Code y) {
  return field(operation, 58) | field(dst, 47) | field(x, 36) | field(y, 25);
}

// alu operations and their function numbers (alu.td).
enum class Alu : unsigned {
  kAdd = 0,
  kSub = 1,
  kReverseSub = 2,
  kB = 3,
  kNotB = 4,
  kAnd = 5,
  kNotAnd = 6,
  kAndNot = 7,
  kOr = 8,
  kXor = 9,
  kAddCarry = 10,
  kAddIfSign = 11,
  kAdd4 = 12,
  kAdd8 = 13,
  kAdd16 = 14
};
constexpr Word alu(Code dst, Code x, Alu function, Code y) {
  return three_operands(1, dst, x, y) | field(static_cast<unsigned>(function), 20);
}
constexpr Word alu_shf(Code dst, Code x, Alu function, Code y, unsigned kind, unsigned amount) {
  return three_operands(2, dst, x, y) | field(static_cast<unsigned>(function), 20) |
         field(kind, 17) | field(amount, 12);
}
constexpr Word dbl_shf(Code dst, Code x, Code y, unsigned amount) {
  return three_operands(3, dst, x, y) | field(2, 17) | field(amount, 12);
}
constexpr Word move(Code dst, Code from) {
  return alu(dst, none, Alu::kB, from);
}
constexpr Word immed(Code dst, unsigned data, unsigned position = 0) {
  return field(4, 58) | field(dst, 47) | field(position, 17) | data;
}
constexpr Word nop() {
  return 0;
}

constexpr Word branch_word(unsigned operation, unsigned function, unsigned target, unsigned defer,
                           bool guess) {
  return field(operation, 58) | field(function, 20) | field(guess ? 1 : 0, 18) | field(defer, 16) |
         target;
}
// Conditions of br (branches.td).
enum class If : unsigned {
  kAlways = 0,
  kEqual = 1,
  kNotEqual = 2,
  kGreater = 3,
  kGreaterEqual = 4,
  kLess = 5,
  kLessEqual = 6,
  kCarry = 7,
  kNoCarry = 8
};
enum class Fetch { kFallThrough, kTarget };
constexpr Word br(If condition, unsigned target, unsigned defer = 0,
                  Fetch fetch = Fetch::kFallThrough) {
  return branch_word(8, static_cast<unsigned>(condition), target, defer, fetch == Fetch::kTarget);
}
constexpr Word br_bset(Code x, unsigned bit, unsigned target, unsigned defer = 0,
                       Fetch fetch = Fetch::kFallThrough) {
  return branch_word(9, 0, target, defer, fetch == Fetch::kTarget) | field(bit, 53) | field(x, 36);
}
constexpr Word br_bclr(Code x, unsigned bit, unsigned target, unsigned defer = 0,
                       Fetch fetch = Fetch::kFallThrough) {
  return branch_word(9, 1, target, defer, fetch == Fetch::kTarget) | field(bit, 53) | field(x, 36);
}
constexpr Word br_equal_byte(Code x, unsigned byte, unsigned data, unsigned target,
                             unsigned defer = 0) {
  return branch_word(10, 0, target, defer, false) | field(x, 36) | field(data, 28) |
         field(byte, 26);
}
constexpr Word br_context(unsigned context, unsigned target, unsigned defer = 0) {
  return branch_word(11, 0, target, defer, false) | field(context, 53);
}
constexpr Word br_inp_state(unsigned state, unsigned target) {
  return branch_word(12, 0, target, 0, false) | field(state, 53);
}
constexpr Word br_not_signal(unsigned signal, unsigned target) {
  return branch_word(13, 0, target, 0, false) | field(signal, 53);
}
constexpr Word jump(Code x, unsigned target, unsigned defer = 0) {
  return branch_word(14, 0, target, defer, false) | field(x, 36);
}

constexpr Word ctx_arb(isa::Event events, unsigned defer = 0) {
  return field(24, 58) | field(defer, 16) | static_cast<unsigned>(events);
}
constexpr Word kill() {
  return ctx_arb(isa::Event::kKill);
}
constexpr Word yield(unsigned defer = 0) {
  return ctx_arb(isa::Event::kVoluntary, defer);
}

// How a reference completes: unnoticed, with a signal, or with a swap.
enum class Completion : unsigned { kSilent = 0, kSwap = 1, kSignal = 2 };
enum class ReferenceUnit : unsigned { kSram = 16, kSdram = 17, kScratch = 18 };
struct Reference {
  ReferenceUnit unit{};
  unsigned command = 0;  // 0 read, 1 write, ... (references.td)
  Code transfer = none;
  Code x = value(0);
  Code y = value(0);
  unsigned count = 1;
  Completion completion = Completion::kSwap;
  unsigned defer = 0;
  unsigned tokens = 0;
};
constexpr Word reference(const Reference& r) {
  return three_operands(static_cast<unsigned>(r.unit), r.transfer, r.x, r.y) |
         field(r.command, 20) | field(r.defer, 16) | field(r.count - 1, 12) |
         static_cast<unsigned>(r.completion) | r.tokens;
}
constexpr Word fast_wr(Code x, isa::ControlStatusRegister csr) {
  return field(19, 58) | field(none, 47) | field(x, 36) | field(static_cast<unsigned>(csr), 25) |
         field(4, 20);
}

inline isa::ProgramImage program(std::vector<Word> words) {
  isa::ProgramImage image;
  image.name = "test";
  image.lines.resize(words.size());
  image.words = std::move(words);
  return image;
}

}  // namespace nplab::test
