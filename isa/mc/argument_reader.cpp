#include "isa/mc/argument_reader.h"

#include <array>

#include "isa/mc/half_expression.h"
#include "isa/mc/microengine_mc.h"
#include "isa/operand_rules.h"
#include "isa/operand_text.h"
#include "llvm/ADT/StringExtras.h"

namespace nplab::isa {
namespace {

using llvm::MCExpr;
using llvm::MCOperand;
using llvm::StringRef;
using Half = llvm::MicroengineHalfExpr::Half;

bool is_symbol(StringRef text) {
  const auto is_inner = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_' || text[0] == '.') &&
         llvm::all_of(text, is_inner);
}

std::optional<MCOperand> immediate(std::optional<std::int64_t> number) {
  if (!number)
    return std::nullopt;
  return MCOperand::createImm(*number);
}

std::optional<MCOperand> number_between(std::string_view text, std::int64_t first,
                                        std::int64_t last) {
  const auto number = parse_number(text);
  return number && *number >= first && *number <= last ? immediate(number) : std::nullopt;
}

const MCExpr* reference_to(StringRef symbol, llvm::MCContext& context) {
  return llvm::MCSymbolRefExpr::create(context.getOrCreateSymbol(symbol),
                                       llvm::MCSymbolRefExpr::VK_None, context,
                                       llvm::SMLoc::getFromPointer(symbol.data()));
}

// `symbol`, `symbol+n` or `symbol-n`.
const MCExpr* read_address(StringRef text, llvm::MCContext& context) {
  const std::size_t sign = text.find_first_of("+-");
  const StringRef symbol = text.substr(0, sign).trim();
  if (!is_symbol(symbol))
    return nullptr;
  const MCExpr* address = reference_to(symbol, context);
  if (sign == StringRef::npos)
    return address;
  const auto offset = parse_number(text.substr(sign + 1).trim());
  if (!offset)
    return nullptr;
  const MCExpr* constant =
      llvm::MCConstantExpr::create(text[sign] == '-' ? -*offset : *offset, context);
  return llvm::MCBinaryExpr::createAdd(address, constant, context);
}

std::optional<MCOperand> read_half_word(StringRef text, llvm::MCContext& context) {
  const bool is_low = text.consume_front("%lo(");
  if (!is_low && !text.consume_front("%hi("))
    return number_between(text, 0, 0xffff);
  if (!text.consume_back(")"))
    return std::nullopt;
  if (const auto number = parse_number(text.trim()))
    return MCOperand::createImm((is_low ? *number : *number >> 16) & 0xffff);
  const MCExpr* address = read_address(text.trim(), context);
  if (!address)
    return std::nullopt;
  return MCOperand::createExpr(
      llvm::MicroengineHalfExpr::create(is_low ? Half::kLow : Half::kHigh, address, context));
}

// A label, which ends in #, or an address in words.
std::optional<MCOperand> read_target(StringRef text, llvm::MCContext& context) {
  if (!text.consume_back("#"))
    return number_between(text, 0, 0xffff);
  if (!is_symbol(text))
    return std::nullopt;
  return MCOperand::createExpr(reference_to(text, context));
}

std::optional<MCOperand> read_register(unsigned register_class, std::string_view text,
                                       llvm::MCContext& context) {
  const auto code = parse_register(text);
  if (!code)
    return std::nullopt;
  const auto reg =
      llvm::Microengine::find_register(*context.getRegisterInfo(), register_class, *code);
  if (!reg.isValid())
    return std::nullopt;
  return MCOperand::createReg(reg);
}

template <std::size_t size>
std::optional<MCOperand> named(const std::array<NamedNumber, size>& names, std::string_view text) {
  return immediate(number_of(names, text));
}

std::optional<MCOperand> read_signal(std::string_view text) {
  const auto event = number_of(kEventNames, text);
  if (!event)
    return std::nullopt;
  return MCOperand::createImm(llvm::countr_zero(*event));
}

std::optional<MCOperand> read_right_shift(std::string_view text) {
  const auto shift = parse_shift(text);
  return shift && is_right_shift(*shift) ? immediate(shift) : std::nullopt;
}

template <std::size_t size>
std::string listed(const std::array<NamedNumber, size>& names) {
  std::string text = "one of";
  for (const NamedNumber& name : names)
    text += (text == "one of" ? " " : ", ") + std::string(name.name);
  return text;
}

std::string register_class_description(unsigned register_class) {
  namespace Target = llvm::Microengine;
  switch (register_class) {
    case Target::SRCRegClassID:
      return "a register to read (a0-a15, b0-b15, $0-$7, $$0-$$7, or absolute with @)";
    case Target::DSTRegClassID:
      return "a register to write (a0-a15, b0-b15, $0-$7, $$0-$$7, or absolute with @)";
    case Target::GPRRegClassID: return "a general-purpose register of the context (a0-a15, b0-b15)";
    case Target::SRAMReadRegClassID:
    case Target::SRAMWriteRegClassID: return "an SRAM transfer register ($0-$7)";
    default: return "the first transfer register of the burst";
  }
}

}  // namespace

std::optional<MCOperand> read_argument(const ArgumentSyntax& syntax, std::string_view text,
                                       llvm::MCContext& context) {
  switch (syntax.kind) {
    case ArgumentKind::kLiteral:
      return StringRef(text).equals_insensitive(syntax.text) ? immediate(0) : std::nullopt;
    case ArgumentKind::kRegister: return read_register(syntax.parameter, text, context);
    case ArgumentKind::kImmediate:
      return number_between(text, 0, (std::int64_t{1} << syntax.parameter) - 1);
    case ArgumentKind::kHalfWord: return read_half_word(text, context);
    case ArgumentKind::kControlStoreAddress:
    case ArgumentKind::kControlStoreAddressI32: return read_target(text, context);
    case ArgumentKind::kShift: return immediate(parse_shift(text));
    case ArgumentKind::kRightShift: return read_right_shift(text);
    case ArgumentKind::kImmedPosition: return immediate(parse_immed_position(text));
    case ArgumentKind::kControlStatusRegister: return named(kControlStatusRegisterNames, text);
    case ArgumentKind::kLocalCsr: return named(kLocalCSRNames, text);
    case ArgumentKind::kInputState: return named(kInputStateNames, text);
    case ArgumentKind::kSignalName: return read_signal(text);
    case ArgumentKind::kEventList: return named(kEventNames, text);
  }
  return std::nullopt;
}

std::string description_of(const ArgumentSyntax& syntax) {
  switch (syntax.kind) {
    case ArgumentKind::kLiteral: return "`" + std::string(syntax.text) + "`";
    case ArgumentKind::kRegister: return register_class_description(syntax.parameter);
    case ArgumentKind::kImmediate: return "0 to " + std::to_string((1 << syntax.parameter) - 1);
    case ArgumentKind::kHalfWord: return "0 to 65535, %lo(symbol) or %hi(symbol)";
    case ArgumentKind::kControlStoreAddress:
    case ArgumentKind::kControlStoreAddressI32:
      return "a label, which ends in #, or an address in words (0 to 65535)";
    case ArgumentKind::kShift:
      return "<<n, >>n, <<rotn, >>rotn (n is 1 to 31), <<indirect, >>indirect or --";
    case ArgumentKind::kRightShift: return ">>n (n is 1 to 31)";
    case ArgumentKind::kImmedPosition: return "<<8, <<16, ones, <<8 ones or <<16 ones";
    case ArgumentKind::kControlStatusRegister: return listed(kControlStatusRegisterNames);
    case ArgumentKind::kLocalCsr: return listed(kLocalCSRNames);
    case ArgumentKind::kInputState: return listed(kInputStateNames);
    case ArgumentKind::kSignalName:
    case ArgumentKind::kEventList: return listed(kEventNames);
  }
  return {};
}

}  // namespace nplab::isa
