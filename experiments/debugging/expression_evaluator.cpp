#include "experiments/debugging/expression_evaluator.h"

#include <fmt/format.h>

namespace nplab::experiments {
namespace {

using compiler::ExpressionNode;
using NodeKind = ExpressionNode::Kind;
using Operator = compiler::ExpressionOperator;
using TypeKind = isa::VariableType::Kind;

// NOLINTBEGIN(misc-no-recursion)
class Evaluator {
 public:
  Evaluator(const compiler::ParsedExpression& expression,
            const std::function<ProgramObject(std::size_t)>& named, const MachineReader& reader)
      : types_(expression.types), named_(named), reader_(reader) {}

  ProgramObject result(const ExpressionNode& root) {
    if (is_object(root)) {
      if (root.kind != NodeKind::kObject && !is_composite(root))
        scalar(root);  // it is there
      return object(root);
    }
    const std::uint64_t found = value(root);
    switch (root.kind) {  // those that can be changed
      case NodeKind::kRead: return object(root.operands[0]);
      case NodeKind::kRegister:
        return object_in_register(types_, root.type, found,
                                  static_cast<isa::OperandCode>(root.value));
      case NodeKind::kLongword:
        return object_in_memory(
            types_, root.type,
            {root.space, static_cast<std::uint32_t>(value(root.operands[0])), 0});
      default: return object_of_value(types_, root.type, found);
    }
  }

 private:
  [[noreturn]] static void fail(const ExpressionNode& at, std::string message) {
    throw ExpressionError{at.column, std::move(message)};
  }

  bool is_composite(const ExpressionNode& node) const {
    const TypeKind kind = resolved(types_, node.type).kind;
    return kind == TypeKind::kStructure || kind == TypeKind::kUnion || kind == TypeKind::kArray;
  }
  bool is_object(const ExpressionNode& node) const {
    const bool passes_on = node.kind == NodeKind::kRead || node.kind == NodeKind::kConditional;
    return node.kind <= NodeKind::kElement || (passes_on && is_composite(node));
  }

  ProgramObject object(const ExpressionNode& node) {
    switch (node.kind) {
      case NodeKind::kObject: {
        ProgramObject named = named_(node.value);
        named.type = node.type;
        return named;
      }
      case NodeKind::kRead: return object(node.operands[0]);
      case NodeKind::kConditional:
        return object(node.operands[value(node.operands[0]) != 0 ? 1 : 2]);
      case NodeKind::kMember:
        return member_of(object(node.operands[0]),
                         {{}, node.type, static_cast<std::uint32_t>(node.value), node.bits});
      case NodeKind::kElement: return element(node);
      case NodeKind::kDereference: return dereferenced(node);
      default: return object_of_value(types_, node.type, value(node));
    }
  }

  ProgramObject element(const ExpressionNode& node) {
    const ProgramObject array = object(node.operands[0]);
    const auto index = static_cast<std::int64_t>(value(node.operands[1]));
    const std::uint32_t elements = resolved(types_, array.type).elements;
    if (std::holds_alternative<GatheredBits>(array.bits) &&
        (index < 0 || index >= static_cast<std::int64_t>(elements)))
      fail(node, fmt::format("the array is in registers and has elements 0 to {}", elements - 1));
    return element_of(types_, array, index);
  }

  ProgramObject dereferenced(const ExpressionNode& node) {
    const ExpressionNode& pointer = node.operands[0];
    const isa::VariableType& type = resolved(types_, pointer.type);
    const std::uint32_t bytes = resolved(types_, node.type).bytes;
    if (bytes == 0)
      fail(node, fmt::format("what the pointer leads to has the type {}, which has no size",
                             type_text(types_, node.type)));
    return object_in_memory(types_, node.type,
                            {type.space, static_cast<std::uint32_t>(value(pointer)), 0});
  }

  std::uint64_t value(const ExpressionNode& node) {
    switch (node.kind) {
      case NodeKind::kConstant: return fitted(node, node.value);
      case NodeKind::kRegister:
        return reader_.register_value(static_cast<isa::OperandCode>(node.value));
      case NodeKind::kLongword: return longword(node);
      case NodeKind::kAddress: return address(node);
      case NodeKind::kConvert: return converted(node);
      case NodeKind::kUnary: return unary(node);
      case NodeKind::kBinary: return binary(node);
      case NodeKind::kPointerSum:
        return fitted(node, value(node.operands[0]) + value(node.operands[1]) * node.value);
      case NodeKind::kPointerDifference:
        return fitted(
            node, static_cast<std::uint64_t>(
                      static_cast<std::int32_t>(value(node.operands[0]) - value(node.operands[1])) /
                      static_cast<std::int64_t>(node.value)));
      case NodeKind::kConditional:
        return value(node.operands[value(node.operands[0]) != 0 ? 1 : 2]);
      default: return scalar(node);
    }
  }

  std::uint64_t scalar(const ExpressionNode& node) {
    const ProgramObject read = object(node);
    const auto found = scalar_of(types_, read, reader_);
    if (const auto* none = std::get_if<NoValue>(&found))
      fail(node, none->why == "optimized out" ? "the value is optimized out" : none->why);
    return std::get<std::uint64_t>(found);
  }

  std::uint64_t longword(const ExpressionNode& node) {
    const std::uint64_t address = value(node.operands[0]);
    const auto at = static_cast<std::uint32_t>(address);
    const auto read = at % 4 == 0 ? reader_.longword(node.space, at) : std::nullopt;
    if (!read)
      fail(node, fmt::format("{} has no longword at {:#x}", name_of(node.space), at));
    return *read;
  }

  std::uint64_t address(const ExpressionNode& node) {
    const ProgramObject named = object(node.operands[0]);
    const auto* memory = std::get_if<MemoryBits>(&named.bits);
    if (memory == nullptr)
      fail(node, "this is not in memory and has no address");
    if (memory->bit_offset != 0)
      fail(node, "a bit-field has no address");
    return memory->address;
  }

  std::uint64_t converted(const ExpressionNode& node) {
    const std::uint64_t from = value(node.operands[0]);
    return resolved(types_, node.type).kind == TypeKind::kBoolean ? (from != 0 ? 1 : 0)
                                                                  : fitted(node, from);
  }

  bool is_signed(const ExpressionNode& node) const {
    const isa::VariableType* type = &resolved(types_, node.type);
    if (type->kind == TypeKind::kEnumeration)
      type = &resolved(types_, type->element);
    return type->kind == TypeKind::kSigned;
  }

  // As many bits as the type has, extended by its sign.
  std::uint64_t fitted(const ExpressionNode& node, std::uint64_t wide) const {
    const std::uint32_t bits = resolved(types_, node.type).bytes * kByteBits;
    if (bits == 0 || bits >= 64)
      return wide;
    const std::uint32_t unused = 64 - bits;
    return is_signed(node)
               ? static_cast<std::uint64_t>(static_cast<std::int64_t>(wide << unused) >> unused)
               : wide << unused >> unused;
  }

  std::uint64_t unary(const ExpressionNode& node) {
    const std::uint64_t operand = value(node.operands[0]);
    switch (node.operation) {
      case Operator::kNegate: return fitted(node, 0 - operand);
      case Operator::kComplement: return fitted(node, ~operand);
      default: return operand == 0 ? 1 : 0;
    }
  }

  std::uint64_t binary(const ExpressionNode& node) {
    const ExpressionNode& first = node.operands[0];
    const std::uint64_t a = value(first);
    if (node.operation == Operator::kLogicalAnd && a == 0)
      return 0;
    if (node.operation == Operator::kLogicalOr && a != 0)
      return 1;
    const std::uint64_t b = value(node.operands[1]);
    switch (node.operation) {
      case Operator::kLogicalAnd:
      case Operator::kLogicalOr: return b != 0 ? 1 : 0;
      case Operator::kEqual: return a == b ? 1 : 0;
      case Operator::kNotEqual: return a != b ? 1 : 0;
      case Operator::kLess: return less(first, a, b) ? 1 : 0;
      case Operator::kGreater: return less(first, b, a) ? 1 : 0;
      case Operator::kLessEqual: return less(first, b, a) ? 0 : 1;
      case Operator::kGreaterEqual: return less(first, a, b) ? 0 : 1;
      default: return fitted(node, arithmetic(node, a, b));
    }
  }

  // Both sides have the type of the first.
  bool less(const ExpressionNode& first, std::uint64_t a, std::uint64_t b) const {
    return is_signed(first) ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  }

  std::uint64_t arithmetic(const ExpressionNode& node, std::uint64_t a, std::uint64_t b) const {
    switch (node.operation) {
      case Operator::kMultiply: return a * b;
      case Operator::kAdd: return a + b;
      case Operator::kSubtract: return a - b;
      case Operator::kAnd: return a & b;
      case Operator::kExclusiveOr: return a ^ b;
      case Operator::kOr: return a | b;
      case Operator::kShiftLeft:
      case Operator::kShiftRight: return shifted(node, a, b);
      default: return quotient(node, a, b);
    }
  }

  std::uint64_t shifted(const ExpressionNode& node, std::uint64_t a, std::uint64_t by) const {
    const std::uint32_t bits = resolved(types_, node.type).bytes * kByteBits;
    if (by >= bits)
      fail(node, fmt::format("a shift by {} of {} bits", static_cast<std::int64_t>(by), bits));
    if (node.operation == Operator::kShiftLeft)
      return a << by;
    return is_signed(node) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> by)
                           : a >> by;
  }

  std::uint64_t quotient(const ExpressionNode& node, std::uint64_t a, std::uint64_t b) const {
    if (b == 0)
      fail(node, "division by zero");
    const bool divides = node.operation == Operator::kDivide;
    if (!is_signed(node))
      return divides ? a / b : a % b;
    if (b == ~std::uint64_t{0})  // of the least number, the quotient does not fit
      return divides ? 0 - a : 0;
    const auto first = static_cast<std::int64_t>(a), second = static_cast<std::int64_t>(b);
    return static_cast<std::uint64_t>(divides ? first / second : first % second);
  }

  const Types& types_;
  const std::function<ProgramObject(std::size_t)>& named_;
  const MachineReader& reader_;
};
// NOLINTEND(misc-no-recursion)

}  // namespace

std::variant<ExpressionValue, ExpressionError> value_of(
    const compiler::ParsedExpression& expression,
    const std::function<ProgramObject(std::size_t)>& named, const MachineReader& reader) {
  try {
    return ExpressionValue{expression.types,
                           Evaluator(expression, named, reader).result(expression.root)};
  } catch (const ExpressionError& error) {
    return error;
  }
}

}  // namespace nplab::experiments
