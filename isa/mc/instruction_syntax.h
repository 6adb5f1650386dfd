// The assembly syntax of every instruction, generated from the description.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/operations.gen.h"

namespace nplab::isa {

// What an argument inside the brackets is: named after the operand definitions of
// description/operands.td.
enum class ArgumentKind : std::uint8_t {
  kLiteral,    // exactly this text
  kRegister,   // parameter: LLVM's register class
  kImmediate,  // parameter: width in bits, unsigned
  kHalfWord,
  kControlStoreAddress,
  kControlStoreAddressI32,
  kShift,
  kRightShift,
  kImmedPosition,
  kControlStatusRegister,
  kLocalCsr,
  kInputState,
  kSignalName,
  kEventList,  // all arguments from here on
};

enum class TokensKind : std::uint8_t {
  kNone,
  kBranchTokens,
  kDeferToken,
  kReferenceTokens,
  kLoadCc
};
enum class Presence : std::uint8_t { kRequired, kOptional };
enum class Destination : std::uint8_t { kReplaced, kKept };  // kKept: operand 1 repeats operand 0

struct ArgumentSyntax {
  std::string_view text;  // of a literal; otherwise the operand's name
  ArgumentKind kind;
  std::uint16_t parameter;
  std::uint8_t operand;  // index in LLVM's MCInst
  Presence presence;
};

struct InstructionSyntax {
  std::string_view mnemonic;
  unsigned opcode;  // llvm::Microengine::...
  std::uint8_t argument_count;
  ArgumentSyntax argument_table[6];
  TokensKind tokens;
  std::uint8_t tokens_operand;
  std::uint16_t allowed_tokens;  // bits of the tokens operand
  AbortClass aborts;
  std::uint8_t operand_count;
  Destination destination;

  [[nodiscard]] std::span<const ArgumentSyntax> arguments() const {
    return {argument_table, argument_count};
  }
};

std::span<const InstructionSyntax> instruction_syntaxes();

// The syntax of an opcode; the opcode must be that of a real instruction.
const InstructionSyntax& syntax_of(unsigned opcode);

}  // namespace nplab::isa
