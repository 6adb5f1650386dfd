#include "simulator/engine/register_file.h"

#include <numeric>

namespace nplab::simulator {
namespace {

// The kinds of operand code, bits 10..8.
enum class CodeKind : unsigned {
  kRelative = 0,
  kAbsolute = 1,
  kTransfer = 2,
  kAbsoluteTransfer = 3,
  kImmediate = 4,
  kNone = 5
};

CodeKind kind_of(isa::OperandCode code) {
  return static_cast<CodeKind>(code >> 8);
}

}  // namespace

RegisterFile::RegisterFile() {
  for (unsigned context = 0; context < kMostContexts; ++context)
    std::iota(block(ContextId(context)) + kConstants, block(ContextId(context)) + kNothing, 0);
}

std::optional<Operand> RegisterFile::general_purpose(isa::OperandCode code) {
  const unsigned number = code & 0xff;
  if (kind_of(code) == CodeKind::kRelative) {
    if (number >= 2 * kBankRegisters)
      return std::nullopt;
    return Operand{static_cast<std::uint16_t>(number), false};  // bank B follows bank A
  }
  const unsigned in_bank = number & 63;
  const unsigned bank = number >> 6;
  if (bank > 1)
    return std::nullopt;
  const unsigned offset =
      in_bank / kBankRegisters * kBlock + (bank == 0 ? kBankA : kBankB) + in_bank % kBankRegisters;
  return Operand{static_cast<std::uint16_t>(offset), true};
}

Operand RegisterFile::transfer_operand(isa::OperandCode code, std::uint32_t sram,
                                       std::uint32_t sdram) {
  const unsigned number = code & 0xff;
  if (kind_of(code) == CodeKind::kTransfer) {
    const std::uint32_t file = (number & 8) != 0 ? sdram : sram;
    return Operand{static_cast<std::uint16_t>(file + (number & 7)), false};
  }
  const std::uint32_t file = (number & 32) != 0 ? sdram : sram;
  const unsigned in_file = number & 31;
  const unsigned offset =
      in_file / kTransferRegisters * kBlock + file + in_file % kTransferRegisters;
  return Operand{static_cast<std::uint16_t>(offset), true};
}

std::optional<Operand> RegisterFile::source(isa::OperandCode code) {
  switch (kind_of(code)) {
    case CodeKind::kRelative:
    case CodeKind::kAbsolute: return general_purpose(code);
    case CodeKind::kTransfer:
    case CodeKind::kAbsoluteTransfer: return transfer_operand(code, kReadSram, kReadSdram);
    case CodeKind::kImmediate:
      return Operand{static_cast<std::uint16_t>(kConstants + (code & 0xff)), false};
    case CodeKind::kNone: return Operand{kConstants, false};
  }
  return std::nullopt;
}

std::optional<Operand> RegisterFile::destination(isa::OperandCode code) {
  switch (kind_of(code)) {
    case CodeKind::kRelative:
    case CodeKind::kAbsolute: return general_purpose(code);
    case CodeKind::kTransfer:
    case CodeKind::kAbsoluteTransfer: return transfer_operand(code, kWriteSram, kWriteSdram);
    case CodeKind::kImmediate: return std::nullopt;
    case CodeKind::kNone: return Operand{kNothing, false};
  }
  return std::nullopt;
}

std::optional<TransferRegister> RegisterFile::transfer(isa::OperandCode code, ContextId context) {
  const unsigned number = code & 0xff;
  using File = TransferRegister::File;
  switch (kind_of(code)) {
    case CodeKind::kTransfer:
      return TransferRegister{
          (number & 8) != 0 ? File::kSdram : File::kSram,
          static_cast<std::uint8_t>(context.index() * kTransferRegisters + (number & 7))};
    case CodeKind::kAbsoluteTransfer:
      return TransferRegister{(number & 32) != 0 ? File::kSdram : File::kSram,
                              static_cast<std::uint8_t>(number & 31)};
    case CodeKind::kNone: return TransferRegister{};
    default: return std::nullopt;
  }
}

}  // namespace nplab::simulator
