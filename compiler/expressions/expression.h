// An expression of C over the variables, registers and memories of a program, for debuggers: read
// by Clang, free of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isa/variable_table.h"

namespace nplab::compiler {

enum class ExpressionOperator : std::uint8_t {
  kNegate,
  kComplement,
  kNot,
  kMultiply,
  kDivide,
  kRemainder,
  kAdd,
  kSubtract,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kExclusiveOr,
  kOr,
  kLogicalAnd,
  kLogicalOr
};

struct ExpressionNode {
  enum class Kind : std::uint8_t {
    // Objects.
    kObject,       // `value`: its index among the names
    kDereference,  // of a pointer
    kMember,       // `value`: its first bit within the operand; `bits`: how many
    kElement,      // of an array, and the index
    // Values.
    kConstant,           // `value`
    kRegister,           // `value`: its operand code
    kLongword,           // of `space`, at the address in bytes that the operand is
    kRead,               // of an object
    kAddress,            // of an object
    kConvert,            // to the type
    kUnary,              // `operation`
    kBinary,             // `operation`
    kPointerSum,         // a pointer and a number, which counts in `value` bytes
    kPointerDifference,  // of pointers, in `value` bytes
    kConditional
  };
  Kind kind = Kind::kConstant;
  std::uint32_t type = 0;  // of ParsedExpression::types
  std::uint64_t value = 0;
  std::uint32_t bits = 0;
  isa::MemorySpace space{};
  ExpressionOperator operation{};
  unsigned column = 0;  // from 1
  std::vector<ExpressionNode> operands;
};

struct ParsedExpression {
  std::vector<isa::VariableType> types;  // those that were given, and more after them
  ExpressionNode root;
};

struct ExpressionProblem {
  unsigned column = 0;  // from 1
  std::string message;
};

// What an expression may name besides registers (a0, $0, $$0) and memories (sram[ADDRESS], in
// bytes): variables, each hides those of its name that follow, and registers and memories, too.
struct ExpressionNames {
  struct Object {
    std::string name;
    std::uint32_t type = 0;
    std::optional<isa::MemorySpace> space{};  // of what is outside of functions
  };
  std::vector<isa::VariableType> types;
  std::vector<Object> objects;
  isa::MemorySpace default_space{};  // of pointers without a memory of their own
};

std::variant<ParsedExpression, ExpressionProblem> parse_expression(const std::string& text,
                                                                   const ExpressionNames& names);

// All that the names need, as declarations of C. A type is called __t and its number. Registers and
// memories are declared as far as `text` names them.
struct ExpressionDeclarations {
  std::string outer;
  std::string inner;  // of the function that the expression is in
};
ExpressionDeclarations expression_declarations(const std::string& text,
                                               const ExpressionNames& names);

}  // namespace nplab::compiler
