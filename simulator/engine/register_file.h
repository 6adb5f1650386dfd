// Where an engine keeps its registers: one array, so that any operand is one index. Each context
// has its own block: general-purpose and transfer registers, the immediates as constants, and a
// place that takes what is written to no register. So all operands but absolute registers stand at
// fixed places of the executing context's block.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/instruction.h"
#include "simulator/base/command.h"
#include "simulator/base/ids.h"

namespace nplab::simulator {

class RegisterFile;

// An operand code made ready for execution.
struct Operand {
  std::uint16_t offset =
      0;  // in the executing context's block; of an absolute register in the whole array
  bool is_absolute = false;

  [[nodiscard]] inline std::uint32_t index(ContextId executing) const;
};

class RegisterFile {
 public:
  // From one context's block to the next one's: no power of two, so that blocks do not meet in the
  // host's cache.
  static constexpr std::uint32_t kBlock = 384;

  RegisterFile();

  // The first index of a context's block.
  static constexpr std::uint32_t base(ContextId context) { return context.index() * kBlock; }
  [[nodiscard]] std::uint32_t* block(ContextId context) { return &registers_[base(context)]; }

  // What an operand code (isa/description/registers.td) means in a source or a destination field.
  // Nothing for a code that means nothing there. `--` is the constant 0 as a source and the place
  // for nothing as a destination.
  static std::optional<Operand> source(isa::OperandCode code);
  static std::optional<Operand> destination(isa::OperandCode code);
  // The transfer register that a reference's register field names, for a thread in `context`; `--`
  // gives register 0.
  static std::optional<TransferRegister> transfer(isa::OperandCode code, ContextId context);

  [[nodiscard]] std::uint32_t& operator[](std::uint32_t index) { return registers_[index]; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t index) const { return registers_[index]; }

  // The `position`-th register after `first`, wrapping within its context.
  [[nodiscard]] std::uint32_t& read_transfer(TransferRegister first, unsigned position) {
    return registers_[transfer_index(
        first, position, first.file == TransferRegister::File::kSram ? kReadSram : kReadSdram)];
  }
  [[nodiscard]] std::uint32_t write_transfer(TransferRegister first, unsigned position) const {
    return registers_[write_transfer_index(first, position)];
  }
  static constexpr std::uint32_t write_transfer_index(TransferRegister first, unsigned position) {
    return transfer_index(first, position,
                          first.file == TransferRegister::File::kSram ? kWriteSram : kWriteSdram);
  }
  // Whether a destination is a write-transfer register.
  static constexpr bool is_write_transfer(Operand destination) {
    const unsigned in_block = destination.offset % kBlock;
    return in_block >= kWriteSram && in_block < kConstants;
  }

  // Whether a source is a read-transfer register of whatever context it names.
  static constexpr bool is_absolute_read_transfer(Operand source) {
    const unsigned in_block = source.offset % kBlock;
    return source.is_absolute && in_block >= kReadSram && in_block < kWriteSram;
  }

  // The registers of a context, without constants.
  [[nodiscard]] std::span<const std::uint32_t> of(ContextId context) const {
    return std::span(registers_).subspan(base(context), kConstants);
  }

 private:
  // Offsets in a context's block.
  static constexpr std::uint32_t kBankA = 0, kBankB = 16, kReadSram = 32, kReadSdram = 40,
                                 kWriteSram = 48, kWriteSdram = 56, kConstants = 64;
  static constexpr std::uint32_t kConstantCount = 256;
  static constexpr std::uint32_t kNothing = kConstants + kConstantCount;
  static constexpr unsigned kBankRegisters = 16;     // of one context
  static constexpr unsigned kTransferRegisters = 8;  // of one context

  static constexpr std::uint32_t transfer_index(TransferRegister first, unsigned position,
                                                std::uint32_t file) {
    const unsigned in_context = (first.index + position) % kTransferRegisters;
    return first.index / kTransferRegisters * kBlock + file + in_context;
  }
  static std::optional<Operand> general_purpose(isa::OperandCode code);
  static Operand transfer_operand(isa::OperandCode code, std::uint32_t sram, std::uint32_t sdram);

  static_assert(kNothing < kBlock);
  std::array<std::uint32_t, kMostContexts * kBlock> registers_{};
};

std::uint32_t Operand::index(ContextId executing) const {
  return is_absolute ? offset : RegisterFile::base(executing) + offset;
}

}  // namespace nplab::simulator
