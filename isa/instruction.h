// A decoded instruction: what the simulator executes. The operations, the decoder and the class
// tables are generated from the description (isa/description/*.td) by isa/decoder_generator.
#pragma once

#include <cstdint>
#include <optional>

// enum class Operation, AbortClass, Unit, Token, Event, InputState, ControlStatusRegister, LocalCSR
#include "isa/operations.gen.h"

namespace nplab::isa {

// The 11-bit operand codes of description/registers.td.
using OperandCode = std::uint16_t;
constexpr OperandCode kNoRegister = 0x500;
constexpr OperandCode kImmediateOperand = 0x400;  // bits 10..8; the value is in bits 7..0

// Fields that an instruction does not have are 0 (register fields: kNoRegister).
struct Instruction {
  Operation operation{};
  AbortClass aborts{};  // of a reference: kSwap with ctx_swap, otherwise kNone
  Unit completes_in{};
  OperandCode dst = kNoRegister;  // destination or (first) transfer register; 10-bit data of
                                  // fast_wr with an immediate
  OperandCode a = kNoRegister;
  OperandCode b = kNoRegister;
  std::uint8_t function = 0;  // 24..20
  std::uint8_t shift_kind =
      0;  // 0 none, 1 <<n, 2 >>n, 3 <<rotn, 4 >>rotn, 5 <<indirect, 6 >>indirect
  std::uint8_t shift_amount = 0;
  std::uint8_t load_cc = 0;
  std::uint8_t byte_mask = 0;
  std::uint8_t position = 0;  // immed: bits 1..0 0, 8 or 16 bits up; bit 2: the other bits are ones
  std::uint16_t immediate = 0;
  std::uint16_t target = 0;  // control-store word
  std::uint8_t defer = 0;
  std::uint8_t guess_branch = 0;
  std::uint8_t selector = 0;  // bit, context, state or signal number
  std::uint8_t byte_value = 0;
  std::uint8_t byte_number = 0;
  std::uint8_t count =
      0;  // 1..16: longwords, or quadwords for sdram; push and pop: 1 + list number
  std::uint16_t tokens = 0;  // bits of Token
  std::uint16_t csr = 0;
  std::uint16_t events = 0;  // bits of Event
};

// Decodes one control-store word; nothing for a word that no instruction has (fixed bits,
// registers, operand numbers). That two general-purpose sources come from different banks is not
// checked here.
std::optional<Instruction> decode(std::uint64_t word);

}  // namespace nplab::isa
