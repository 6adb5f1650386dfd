// A hand-assembled program: one thread takes frames of one mpacket from port 0, whose verdict is
// always rule 15, and sends them on port 1.
#pragma once

#include "isa/instruction.h"
#include "tests/simulator/bench/words.h"

namespace nplab::test {

inline constexpr unsigned kFbiReference = 19;
inline constexpr unsigned kEmptyBit = 11;

inline Word fbi_reference(unsigned command, Code transfer, Code x, Code y) {
  return three_operands(kFbiReference, transfer, x, y) | field(command, 20) |
         static_cast<unsigned>(Completion::kSwap);
}
inline Word csr_read(Code transfer, isa::ControlStatusRegister csr) {
  return fbi_reference(0, transfer, none, static_cast<Code>(csr));
}
// 64 bytes between SDRAM (address in x) and a FIFO (address in y).
inline Word fifo_transfer(unsigned command, Code x, Code y) {
  return reference({.unit = ReferenceUnit::kSdram, .command = command, .x = x, .y = y, .count = 8});
}

// Registers: a0 rcv_req (port 0, element 0, thread 0); a1 buffer; b0 TFIFO address; b1 its control
// address; b2 element; b3 15.
inline isa::ProgramImage forwarder(unsigned ready_poll) {
  using Register = isa::ControlStatusRegister;
  const std::vector<Word> words = {
      immed(a(0), 0),
      immed(a(1), 0x4000),
      immed(b(2), 0),
      immed(b(3), 15),
      immed(a(4), 1024),
      // 5: wait for the port's ready bit
      csr_read(sram_transfer(0), Register::kReceiveReady),
      br_bclr(sram_transfer(0), 0, ready_poll),
      fast_wr(a(0), Register::kReceiveRequest),
      ctx_arb(isa::Event::kStartReceive),
      csr_read(sram_transfer(0), Register::kReceiveControl),
      br_bset(sram_transfer(0), kEmptyBit, ready_poll),
      fifo_transfer(2, a(1), value(0)),
      // 12: TFIFO element b2
      alu_shf(b(0), none, Alu::kB, b(2), 1, 6),
      alu_shf(b(1), none, Alu::kB, b(2), 1, 2),
      fifo_transfer(3, a(1), b(0)),
      immed(a(5), 0x40, 2),  // 64 bytes
      immed(b(5), 0x301),    // start, end, port 1
      alu(sram_transfer(0), a(5), Alu::kOr, b(5)),
      fbi_reference(3, sram_transfer(0), a(4), b(1)),
      fast_wr(b(2), Register::kTransmitValidate),
      // 20: the next element
      alu(a(6), value(1), Alu::kAdd, b(2)),
      alu(b(2), a(6), Alu::kAnd, b(3)),
      br(If::kAlways, ready_poll),
  };
  isa::ProgramImage image = program(words);
  using Kind = isa::Annotation::Kind;
  image.annotations = {{12, Kind::kPacketVerdict, a(1), b(3)},
                       {14, Kind::kPacketForward, a(1), value(1)}};
  return image;
}

}  // namespace nplab::test
