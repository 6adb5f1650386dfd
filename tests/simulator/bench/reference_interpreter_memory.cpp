// References of the untimed interpreter: they take effect at once.
#include <fmt/format.h>

#include "tests/simulator/bench/reference_interpreter.h"

namespace nplab::test {

using isa::Instruction;
using isa::Operation;

// indirect_ref: 31 and 30..23 byte mask; 20 and 19..16 count - 1; 15 and 14..10 absolute transfer
// register.
ReferenceThread::Parts ReferenceThread::parts_of(const Instruction& in) {
  Parts parts;
  parts.count = in.count;
  const unsigned number = in.dst & 0xff;
  switch (in.dst >> 8) {
    case 2:
      parts.file = number / 8;
      parts.first = 8 * context_ + number % 8;
      break;
    case 3:
      parts.file = number / 32;
      parts.first = number % 32;
      break;
    default: break;
  }
  if ((in.tokens & static_cast<unsigned>(isa::Token::kIndirectRef)) == 0)
    return parts;
  if (alu_output_ >> 31 == 1)
    parts.mask = alu_output_ >> 23 & 0xff;
  if (alu_output_ >> 20 & 1)
    parts.count = (alu_output_ >> 16 & 15) + 1;
  if (alu_output_ >> 15 & 1)
    parts.first = alu_output_ >> 10 & 31;
  return parts;
}

// Bursts wrap within a context's eight registers.
std::uint32_t& ReferenceThread::incoming(const Parts& parts, unsigned i) {
  return registers_.transfer_in[parts.file][parts.first / 8 * 8 + (parts.first + i) % 8];
}
std::uint32_t ReferenceThread::outgoing(const Parts& parts, unsigned i) {
  return registers_.transfer_out[parts.file][parts.first / 8 * 8 + (parts.first + i) % 8];
}

// Functions 8 set, 9 clear, 10 test and set, 11 test and clear.
void ReferenceThread::modify_bits(const Instruction& in, std::uint32_t& longword) {
  const Parts parts = parts_of(in);
  const std::uint32_t old = longword, mask = outgoing(parts, 0);
  longword = in.function % 2 == 0 ? old | mask : old & ~mask;
  if (in.function >= 10)
    incoming(parts, 0) = old;
}

bool ReferenceThread::sram(const Instruction& in) {
  const std::uint32_t address = source(in.a) + source(in.b);
  const Parts parts = parts_of(in);
  const bool has_a = in.a != isa::kNoRegister;
  if (has_a && in.operation >= Operation::kSramRead && in.operation <= Operation::kSramPush)
    a_operand_ = source(in.a);
  switch (in.operation) {
    case Operation::kSramRead:
    case Operation::kSramReadLock:
      for (unsigned i = 0; i < parts.count; ++i)
        incoming(parts, i) = around_.sram[address + 4 * i];
      return true;
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
      for (unsigned i = 0; i < parts.count; ++i)
        around_.sram[address + 4 * i] = outgoing(parts, i);
      return true;
    case Operation::kSramUnlock: return true;
    case Operation::kSramBitWr: modify_bits(in, around_.sram[address]); return true;
    case Operation::kSramPush: {
      std::uint32_t& head = around_.free_lists[in.count - 1];
      around_.sram[address] = head;
      head = address;
      return true;
    }
    case Operation::kSramPop: {
      std::uint32_t& head = around_.free_lists[in.count - 1];
      incoming(parts, 0) = head;
      if (head != 0)
        head = around_.sram[head];
      return true;
    }
    default: return false;
  }
}

bool ReferenceThread::sdram(const Instruction& in) {
  const std::uint32_t address = source(in.a) + source(in.b);
  const Parts parts = parts_of(in);
  switch (in.operation) {
    case Operation::kSdramRead:
      for (unsigned i = 0; i < 2 * parts.count; ++i)
        incoming(parts, i) = around_.sdram[address + 4 * i];
      break;
    case Operation::kSdramWrite:
      for (unsigned byte = 0; byte < 8 * parts.count; ++byte) {
        if ((parts.mask >> (7 - byte % 8) & 1) == 0)
          continue;
        const unsigned low = 24 - byte % 4 * 8;
        std::uint32_t& longword = around_.sdram[address + byte / 4 * 4];
        longword = (longword & ~(0xffu << low)) | (outgoing(parts, byte / 4) & 0xffu << low);
      }
      break;
    // a: the address in SDRAM. Nothing was ever received.
    case Operation::kSdramRFifoRd:
      for (unsigned i = 0; i < 2 * parts.count; ++i)
        around_.sdram[source(in.a) + 4 * i] = 0;
      break;
    case Operation::kSdramTFifoWr: break;
    default: return false;
  }
  a_operand_ = source(in.a);
  return true;
}

bool ReferenceThread::scratch(const Instruction& in) {
  const std::uint32_t address = source(in.a) + source(in.b);
  const Parts parts = parts_of(in);
  switch (in.operation) {
    case Operation::kScratchRead:
      for (unsigned i = 0; i < parts.count; ++i)
        incoming(parts, i) = around_.scratch[address + 4 * i];
      break;
    case Operation::kScratchWrite:
      for (unsigned i = 0; i < parts.count; ++i)
        around_.scratch[address + 4 * i] = outgoing(parts, i);
      break;
    case Operation::kScratchIncr: ++around_.scratch[address]; break;
    case Operation::kScratchBitWr: modify_bits(in, around_.scratch[address]); break;
    default: return false;
  }
  a_operand_ = source(in.a);
  return true;
}

bool ReferenceThread::fbi(const Instruction& in) {
  const Parts parts = parts_of(in);
  switch (in.operation) {
    case Operation::kCsrRead: incoming(parts, 0) = read_register(in.csr); return true;
    case Operation::kCsrWrite: write_register(in.csr, outgoing(parts, 0)); return true;
    // The data is a register or ten bits in the transfer register's place; indirect_ref adds the
    // ALU output.
    case Operation::kFastWr: {
      const bool immediate = in.a == isa::kNoRegister;
      const bool indirect = (in.tokens & static_cast<unsigned>(isa::Token::kIndirectRef)) != 0;
      a_operand_ = source(in.a);
      write_register(in.csr, (immediate ? in.dst : source(in.a)) + (indirect ? alu_output_ : 0));
      return true;
    }
    case Operation::kRFifoRd:
      a_operand_ = source(in.a);
      for (unsigned i = 0; i < parts.count; ++i)
        incoming(parts, i) = 0;
      return true;
    case Operation::kTFifoWr: a_operand_ = source(in.a); return true;
    case Operation::kHash48:
    case Operation::kHash64: hash(in); return true;
    default: return false;
  }
}

void ReferenceThread::write_register(unsigned number, std::uint32_t value) {
  using Register = isa::ControlStatusRegister;
  const auto first_multiplier = static_cast<unsigned>(Register::kHashMultiplier0);
  if (number >= first_multiplier && number < first_multiplier + 6) {
    around_.hash_multipliers[number - first_multiplier] = value;
    return;
  }
  switch (static_cast<Register>(number)) {
    case Register::kThreadDone: around_.thread_done = value; return;
    case Register::kSelfDestruct: around_.self_destruct |= 1u << value % 32; return;
    case Register::kSequenceNumber1: around_.sequence[0] = value; return;
    case Register::kSequenceNumber2: around_.sequence[1] = value; return;
    case Register::kIncrementSequence1: ++around_.sequence[0]; return;
    case Register::kIncrementSequence2: ++around_.sequence[1]; return;
    case Register::kInterThreadSignal: return;
    default: stop(fmt::format("register {} is not written here", number));
  }
}

std::uint32_t ReferenceThread::read_register(unsigned number) {
  using Register = isa::ControlStatusRegister;
  const auto first_multiplier = static_cast<unsigned>(Register::kHashMultiplier0);
  if (number >= first_multiplier && number < first_multiplier + 6)
    return around_.hash_multipliers[number - first_multiplier];
  switch (static_cast<Register>(number)) {
    case Register::kReceiveReadyHigh:
    case Register::kTransmitReadyHigh: return 0;
    case Register::kThreadDone: return around_.thread_done;
    case Register::kSequenceNumber1: return around_.sequence[0];
    case Register::kSequenceNumber2: return around_.sequence[1];
    case Register::kSelfDestruct: {
      const std::uint32_t bits = around_.self_destruct;
      around_.self_destruct = 0;
      return bits;
    }
    default: stop(fmt::format("register {} is not read here", number));
  }
  return 0;
}

// The product of polynomials over GF(2), all 2n bits of it, then reduced from the highest bit down.
void ReferenceThread::hash(const Instruction& in) {
  __extension__ using Wide = unsigned __int128;
  const Parts parts = parts_of(in);
  const bool short_key = in.operation == Operation::kHash48;
  const unsigned width = short_key ? 48 : 64;
  const Wide one = 1;
  const Wide modulus = short_key ? one << 48 | one << 36 | one << 25 | one << 10 | 1
                                 : one << 64 | one << 54 | one << 35 | one << 17 | 1;
  const auto& m = around_.hash_multipliers;
  const std::uint64_t multiplier =
      short_key ? m[0] | std::uint64_t{m[1] & 0xffff} << 32 : m[2] | std::uint64_t{m[3]} << 32;
  for (unsigned i = 0; i < parts.count; i += 2) {
    std::uint64_t key = outgoing(parts, i + 1) | std::uint64_t{outgoing(parts, i)} << 32;
    if (short_key)
      key &= 0xffffffffffff;
    Wide product = 0;
    for (unsigned bit = 0; bit < width; ++bit)
      if (multiplier >> bit & 1)
        product ^= Wide{key} << bit;
    for (unsigned bit = 2 * width - 1; bit >= width; --bit)
      if (product >> bit & 1)
        product ^= modulus << (bit - width);
    incoming(parts, i) = static_cast<std::uint32_t>(product >> 32);
    incoming(parts, i + 1) = static_cast<std::uint32_t>(product);
  }
}

}  // namespace nplab::test
