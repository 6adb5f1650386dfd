// A reference on its way from a microengine to a unit: what the engine puts into its command FIFO,
// the command bus carries and the unit's queue holds.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "simulator/base/ids.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

// A transfer register by its place in the engine: SRAM or SDRAM file (a read and a write register
// share the number), 8 registers per context.
struct TransferRegister {
  enum class File : std::uint8_t { kSram, kSdram };
  File file = File::kSram;
  std::uint8_t index = 0;  // context * 8 + n
};

// Who sent a command to a unit.
enum class Issuer : std::uint8_t {
  kEngine,
  kCore,       // the core processor, whose number follows those of the engines
  kForwarded,  // an engine, through a cache that left the reference to its memory
  kCache,      // a cache: a line is fetched or written back for the thread's reference
};

struct Command {
  isa::Operation operation{};
  isa::Unit unit{};  // of Operation; kNone for fast_wr, which goes to the FBI
  std::uint8_t function =
      0;            // the command field (24..20 of the word): distinguishes the bit operations
  ThreadId thread;  // who issued it and receives the completion event
  TransferRegister transfer;  // the first of the burst
  std::uint8_t count = 0;     // longwords; quadwords for SDRAM; 1 + list number for push and pop
  std::uint16_t tokens = 0;   // bits of isa::Token
  std::uint16_t csr = 0;      // isa::ControlStatusRegister, for csr and fast_wr
  std::uint16_t pc = 0;       // of the issuing instruction, for reports
  std::uint32_t address =
      0;  // bytes: a + b; the SDRAM address of r_fifo_rd and t_fifo_wr through SDRAM
  std::uint32_t second_address = 0;  // bytes: FIFO address of r_fifo_rd and t_fifo_wr through SDRAM
  std::uint32_t data = 0;            // of fast_wr
  std::uint8_t byte_mask = 0xff;     // sdram[write]: bytes of each quadword; bit 7 the first
  bool signals = false;              // ctx_swap or sig_done: completion sets the unit's event
  bool holds_bus = true;             // false in runs that ask what would be if it did not
  Issuer issuer = Issuer::kEngine;
  Cycle issued;  // the cycle in which it was in P3 and entered the engine's command FIFO
};

constexpr bool has_token(const Command& command, isa::Token token) {
  return (command.tokens & static_cast<std::uint16_t>(token)) != 0;
}

}  // namespace nplab::simulator
