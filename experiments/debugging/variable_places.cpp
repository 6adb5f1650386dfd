#include "experiments/debugging/variable_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/operand_text.h"

namespace nplab::experiments {
namespace {

using isa::PlaceStep;
using isa::VariablePart;

constexpr std::uint32_t kMostGatheredBytes = 4096;  // more is in memory, as one part

std::uint32_t apply(PlaceStep::Kind kind, std::uint32_t a, std::uint32_t b) {
  using Kind = PlaceStep::Kind;
  switch (kind) {
    case Kind::kAdd: return a + b;
    case Kind::kSubtract: return a - b;
    case Kind::kMultiply: return a * b;
    case Kind::kAnd: return a & b;
    case Kind::kOr: return a | b;
    case Kind::kExclusiveOr: return a ^ b;
    case Kind::kShiftLeft: return b < kLongwordBits ? a << b : 0;
    case Kind::kShiftRight: return b < kLongwordBits ? a >> b : 0;
    default:  // kShiftRightSigned
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> std::min(b, 31u));
  }
}

std::uint32_t low_bits(std::uint32_t value, std::uint32_t bits) {
  return bits >= kLongwordBits ? value : value & ((1u << bits) - 1);
}

std::uint32_t extend(std::uint32_t value, std::uint32_t bits) {
  if (bits == 0 || bits >= kLongwordBits)
    return value;
  const std::uint32_t unused = kLongwordBits - bits;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
}

// Nothing: a damaged table.
std::optional<std::uint32_t> result_of(const std::vector<PlaceStep>& steps,
                                       const MachineReader& reader) {
  using Kind = PlaceStep::Kind;
  std::vector<std::uint32_t> stack;
  const auto pop = [&stack] {
    const std::uint32_t top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const PlaceStep& step : steps) {
    const auto code = static_cast<isa::OperandCode>(step.value);
    const bool pushes = step.kind == Kind::kConstant || step.kind == Kind::kRegister ||
                        step.kind == Kind::kWrittenRegister;
    const bool takes_one = step.kind == Kind::kNegate || step.kind == Kind::kNot ||
                           step.kind == Kind::kKeepBits || step.kind == Kind::kExtendSign;
    if (stack.size() < (pushes ? 0u : takes_one ? 1u : 2u))
      return std::nullopt;
    switch (step.kind) {
      case Kind::kConstant: stack.push_back(step.value); break;
      case Kind::kRegister: stack.push_back(reader.register_value(code)); break;
      case Kind::kWrittenRegister: stack.push_back(reader.written_register(code)); break;
      case Kind::kNegate: stack.back() = -stack.back(); break;
      case Kind::kNot: stack.back() = ~stack.back(); break;
      case Kind::kKeepBits: stack.back() = low_bits(stack.back(), step.value); break;
      case Kind::kExtendSign: stack.back() = extend(stack.back(), step.value); break;
      default: {
        const std::uint32_t second = pop();
        stack.back() = apply(step.kind, stack.back(), second);
      }
    }
  }
  return stack.empty() ? std::nullopt : std::optional(stack.back());
}

void set_bit(GatheredBits::Bytes& bytes, std::uint32_t at, bool value) {
  if (at / kByteBits >= bytes.values.size())
    return;
  const auto mask = static_cast<std::uint8_t>(0x80 >> at % kByteBits);
  bytes.known[at / kByteBits] |= mask;
  if (value)
    bytes.values[at / kByteBits] |= mask;
}

// The bits of one part: of a value its lowest ones.
void gather(const VariablePart& part, std::uint32_t result, const MachineReader& reader,
            GatheredBits::Bytes& bytes) {
  for (std::uint32_t bit = 0; bit < part.bit_size; ++bit) {
    std::uint32_t longword = result;
    std::uint32_t shift = part.bit_size - 1 - bit;
    if (part.is_in_memory) {
      const std::uint32_t first = (result & 3) * kByteBits + bit;
      const auto read = reader.longword(part.space, (result & ~3u) + first / kLongwordBits * 4);
      if (!read)
        return;
      longword = *read;
      shift = kLongwordBits - 1 - first % kLongwordBits;
    }
    set_bit(bytes, part.bit_offset + bit, shift < kLongwordBits && (longword >> shift & 1) != 0);
  }
}

// A part that is what a register holds can be changed there.
void note_register(const VariablePart& part, GatheredBits::Bytes& bytes) {
  using Kind = PlaceStep::Kind;
  if (part.is_in_memory || part.steps.size() != 1)
    return;
  const PlaceStep& step = part.steps.front();
  const auto code = static_cast<isa::OperandCode>(step.value);
  if (step.kind == Kind::kRegister)
    bytes.registers.push_back({part.bit_offset, part.bit_size, Change::Kind::kRegister, code});
  if (step.kind == Kind::kWrittenRegister)
    bytes.registers.push_back(
        {part.bit_offset, part.bit_size, Change::Kind::kWrittenRegister, code});
}

// A frame that called another has a place where it does before the call and after it.
bool covers(const VariablePart& part, const CallFrame& frame) {
  const std::uint32_t last = frame.word + (frame.is_calling ? 1 : 0);
  return part.words.begin <= frame.word && last < part.words.end;
}

// Of a part that has one.
std::string place_of(const VariablePart& part, std::uint32_t result) {
  using Kind = PlaceStep::Kind;
  if (part.is_in_memory)
    return fmt::format("in {}:{:#x}", name_of(part.space), result);
  std::string registers;
  for (const PlaceStep& step : part.steps)
    if (step.kind == Kind::kRegister || step.kind == Kind::kWrittenRegister)
      registers += (registers.empty() ? "" : " and ") +
                   isa::operand_text(static_cast<isa::OperandCode>(step.value));
  if (registers.empty())
    return "constant";
  return (part.steps.size() == 1 ? "in " : "computed from ") + registers;
}

}  // namespace

std::vector<const isa::ProgramVariable*> variables_of(const isa::ProgramImage& image,
                                                      const CallFrame& frame) {
  std::vector<const isa::ProgramVariable*> seen;
  for (auto scope = frame.scope; scope;) {
    for (const isa::ProgramVariable& variable : image.variables.variables) {
      const bool is_hidden = std::any_of(seen.begin(), seen.end(), [&](const auto* other) {
        return other->name == variable.name;
      });
      if (variable.scope == *scope && !is_hidden)
        seen.push_back(&variable);
    }
    scope = image.scopes[*scope].is_block() ? image.scopes[*scope].around : std::nullopt;
  }
  std::stable_partition(seen.begin(), seen.end(),
                        [](const auto* variable) { return variable->parameter != 0; });
  return seen;
}

ProgramObject object_of_variable(const isa::VariableTable& table,
                                 const isa::ProgramVariable& variable, const CallFrame& frame,
                                 const MachineReader& reader) {
  const std::uint32_t size = table.resolved(variable.type).bytes;
  auto bytes = std::make_shared<GatheredBits::Bytes>();
  bytes->values.resize(std::min(size, kMostGatheredBytes));
  bytes->known.resize(bytes->values.size());
  for (const VariablePart& part : variable.parts) {
    const auto result = covers(part, frame) ? result_of(part.steps, reader) : std::nullopt;
    if (!result)
      continue;
    if (part.is_in_memory && part.bit_offset == 0 && part.bit_size == size * kByteBits)
      return object_in_memory(table.types, variable.type, {part.space, *result, 0});
    gather(part, *result, reader, *bytes);
    note_register(part, *bytes);
  }
  return {variable.type, size * kByteBits, GatheredBits{std::move(bytes), 0}};
}

std::string place_text(const isa::ProgramVariable& variable, const CallFrame& frame,
                       const MachineReader& reader) {
  std::string text;
  for (const VariablePart& part : variable.parts) {
    const auto result = covers(part, frame) ? result_of(part.steps, reader) : std::nullopt;
    if (result)
      text += (text.empty() ? "" : ", ") + place_of(part, *result);
  }
  return text;
}

}  // namespace nplab::experiments
