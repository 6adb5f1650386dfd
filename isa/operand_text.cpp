#include "isa/operand_text.h"

#include <array>
#include <charconv>

#include "isa/operand_rules.h"

namespace nplab::isa {
namespace {

// A run of registers: prefix and number, operand codes from `first` up (description/registers.td).
struct RegisterFile {
  std::string_view prefix;
  unsigned first;
  unsigned size;
};

constexpr std::array<RegisterFile, 8> kRegisterFiles{{{"a", 0x000, 16},
                                                      {"b", 0x010, 16},
                                                      {"@a", 0x100, 64},
                                                      {"@b", 0x140, 64},
                                                      {"$", 0x200, 8},
                                                      {"$$", 0x208, 8},
                                                      {"@$", 0x300, 32},
                                                      {"@$$", 0x320, 32}}};

struct ShiftName {
  ShiftKind kind;
  std::string_view text;  // an amount follows, or it is the whole
};

// Longer prefixes first.
constexpr std::array<ShiftName, 6> kShiftNames{{{ShiftKind::kLeftIndirect, "<<indirect"},
                                                {ShiftKind::kRightIndirect, ">>indirect"},
                                                {ShiftKind::kRotateLeft, "<<rot"},
                                                {ShiftKind::kRotateRight, ">>rot"},
                                                {ShiftKind::kLeft, "<<"},
                                                {ShiftKind::kRight, ">>"}}};

constexpr std::array<NamedNumber, 6> kImmedPositionNames{
    {{"<<0", 0}, {"<<8", 1}, {"<<16", 2}, {"ones", 4}, {"<<8 ones", 5}, {"<<16 ones", 6}}};

// Digits without sign or superfluous zeros.
std::optional<unsigned> parse_plain(std::string_view digits) {
  unsigned number = 0;
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

}  // namespace

std::string operand_text(OperandCode code) {
  if (code == kNoRegister)
    return "--";
  if ((code & kImmediateOperand) != 0)
    return std::to_string(code & 0xff);
  for (const RegisterFile& file : kRegisterFiles)
    if (code - file.first < file.size)
      return std::string(file.prefix) + std::to_string(code - file.first);
  return "?";
}

std::optional<OperandCode> parse_register(std::string_view name) {
  for (const RegisterFile& file : kRegisterFiles) {
    if (!name.starts_with(file.prefix))
      continue;
    const auto number = parse_plain(name.substr(file.prefix.size()));
    if (number && *number < file.size)
      return static_cast<OperandCode>(file.first + *number);
  }
  return std::nullopt;
}

std::string shift_text(unsigned shift) {
  const auto kind = static_cast<ShiftKind>(shift >> 5);
  for (const ShiftName& name : kShiftNames) {
    if (name.kind != kind)
      continue;
    const unsigned amount = shift & 31;
    return std::string(name.text) + (amount != 0 ? std::to_string(amount) : "");
  }
  return "--";
}

std::optional<unsigned> parse_shift(std::string_view text) {
  if (text == "--")
    return 0;
  for (const ShiftName& name : kShiftNames) {
    if (!text.starts_with(name.text))
      continue;
    const std::string_view rest = text.substr(name.text.size());
    const unsigned kind = static_cast<unsigned>(name.kind) << 5;
    if (rest.empty() && is_shift(kind))
      return kind;
    const auto amount = parse_plain(rest);
    if (amount && *amount < 32 && is_shift(kind | *amount))
      return kind | *amount;
  }
  return std::nullopt;
}

std::string immed_position_text(unsigned position) {
  return std::string(name_of(kImmedPositionNames, static_cast<std::uint16_t>(position)));
}

std::optional<unsigned> parse_immed_position(std::string_view text) {
  return number_of(kImmedPositionNames, text);
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  const bool is_negative = text.starts_with("-");
  if (is_negative)
    text.remove_prefix(1);
  const int base = text.starts_with("0x") || text.starts_with("0X") ? 16
                   : text.starts_with("0b")                         ? 2
                                                                    : 10;
  if (base != 10)
    text.remove_prefix(2);
  std::uint32_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return is_negative ? -std::int64_t{magnitude} : std::int64_t{magnitude};
}

}  // namespace nplab::isa
