// Where an engine keeps its registers: one array, so that any operand is one index. Each context has its own block of
// general-purpose and transfer registers; behind the blocks stand the immediates as constants, and a place that takes
// what is written to no register.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/instruction.h"
#include "simulator/command.h"
#include "simulator/ids.h"

namespace nplab::simulator {

// An operand code made ready for execution: the index is `offset`, plus the block of the executing context if relative.
struct Operand {
  std::uint16_t offset = 0;
  std::uint16_t relative_mask = 0;  // all ones or zero

  [[nodiscard]] std::uint32_t index(std::uint32_t context_base) const {
    return offset + (context_base & relative_mask);
  }
};

class RegisterFile {
 public:
  static constexpr std::uint32_t kBlock = 64;  // registers of one context

  RegisterFile();

  // The first index of a context's block.
  static constexpr std::uint32_t base(ContextId context) { return context.index() * kBlock; }

  // What an operand code (isa/description/registers.td) means in a source or a destination field. Nothing for a code
  // that means nothing there. `--` is the constant 0 as a source and the place for nothing as a destination.
  static std::optional<Operand> source(isa::OperandCode code);
  static std::optional<Operand> destination(isa::OperandCode code);
  // The transfer register that a reference's register field names, for a thread in `context`; `--` gives register 0.
  static std::optional<TransferRegister> transfer(isa::OperandCode code, ContextId context);

  [[nodiscard]] std::uint32_t& operator[](std::uint32_t index) { return registers_[index]; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t index) const { return registers_[index]; }

  // The `position`-th register behind `first`, wrapping within its context.
  [[nodiscard]] std::uint32_t& read_transfer(TransferRegister first, unsigned position) {
    return registers_[transfer_index(first, position,
                                     first.file == TransferRegister::File::kSram ? kReadSram : kReadSdram)];
  }
  [[nodiscard]] std::uint32_t write_transfer(TransferRegister first, unsigned position) const {
    return registers_[write_transfer_index(first, position)];
  }
  static constexpr std::uint32_t write_transfer_index(TransferRegister first, unsigned position) {
    return transfer_index(first, position, first.file == TransferRegister::File::kSram ? kWriteSram : kWriteSdram);
  }
  // Whether a destination is a write-transfer register.
  static constexpr bool is_write_transfer(Operand destination) {
    return destination.offset < kConstants && destination.offset % kBlock >= kWriteSram;
  }

  // Everything but constants.
  [[nodiscard]] auto begin() const { return registers_.begin(); }
  [[nodiscard]] auto end() const { return registers_.begin() + kMostContexts * kBlock; }

 private:
  // Offsets in a context's block.
  static constexpr std::uint32_t kBankA = 0, kBankB = 16, kReadSram = 32, kReadSdram = 40, kWriteSram = 48,
                                 kWriteSdram = 56;
  static constexpr std::uint32_t kConstants = kMostContexts * kBlock;
  static constexpr std::uint32_t kConstantCount = 256;
  static constexpr std::uint32_t kNothing = kConstants + kConstantCount;
  static constexpr unsigned kBankRegisters = 16;     // of one context
  static constexpr unsigned kTransferRegisters = 8;  // of one context

  static constexpr std::uint32_t transfer_index(TransferRegister first, unsigned position, std::uint32_t file) {
    const unsigned in_context = (first.index + position) % kTransferRegisters;
    return first.index / kTransferRegisters * kBlock + file + in_context;
  }
  static std::optional<Operand> general_purpose(isa::OperandCode code);
  static Operand transfer_operand(isa::OperandCode code, std::uint32_t sram, std::uint32_t sdram);

  std::array<std::uint32_t, kNothing + 1> registers_{};
};

}  // namespace nplab::simulator
