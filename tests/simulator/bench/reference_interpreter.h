// The instruction set without time: what a thread leaves in registers and memory, instruction by
// instruction. Written from docs/chip.md and isa/description apart from simulator/engine/semantics,
// to compare the engine against. References take effect at once, swaps do nothing; so it agrees
// with the chip on threads that wait for what they use and share nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "isa/program_image.h"

namespace nplab::test {

// Memories, free lists and the FBI's registers that keep a value: what all threads of a chip see.
struct ReferenceSurroundings {
  std::map<std::uint32_t, std::uint32_t> sram, sdram,
      scratch;  // by byte address; what is missing is 0
  std::array<std::uint32_t, 8> free_lists{};
  std::array<std::uint32_t, 6> hash_multipliers{};
  std::uint32_t thread_done = 0;
  std::uint32_t self_destruct = 0;
  std::array<std::uint32_t, 2> sequence{};
};

// By absolute number; a context's part of each file is an equal share in the order of the contexts.
struct ReferenceRegisters {
  std::array<std::array<std::uint32_t, 64>, 2> general{};                      // bank A, bank B
  std::array<std::array<std::uint32_t, 32>, 2> transfer_in{}, transfer_out{};  // SRAM, SDRAM
};

class ReferenceThread {
 public:
  // Program, registers and surroundings outlive the thread.
  ReferenceThread(const isa::ProgramImage& program, unsigned engine, unsigned context,
                  ReferenceRegisters& registers, ReferenceSurroundings& surroundings);

  // Until ctx_arb[kill]. What went wrong, if anything: a word that is no instruction, something
  // that has no meaning without time, more than `most` instructions.
  std::optional<std::string> run(std::uint64_t most);

 private:
  struct Search {
    bool found = false;
    unsigned bit = 0;
    [[nodiscard]] std::uint32_t longword() const { return found ? 0x100 + bit : 0; }
  };

  bool step();
  void execute(const isa::Instruction& in);
  void stop(std::string why);

  std::uint32_t& general(unsigned bank, unsigned number);
  std::uint32_t* register_of(isa::OperandCode code, bool as_source);
  std::uint32_t source(isa::OperandCode code);
  void store(isa::OperandCode code, std::uint32_t value);
  std::uint32_t shifted_b(const isa::Instruction& in);
  void set_codes(std::uint32_t result, bool carry, bool overflow);
  void arithmetic(const isa::Instruction& in, std::uint64_t x, std::uint64_t y, unsigned carry);
  void logic(const isa::Instruction& in, std::uint32_t result);
  bool alu(const isa::Instruction& in);
  bool shifts(const isa::Instruction& in);
  bool loads(const isa::Instruction& in);
  bool branches(const isa::Instruction& in);
  void leave_by(const isa::Instruction& in, bool taken, std::uint32_t target);
  bool miscellaneous(const isa::Instruction& in);

  // A reference's parts once indirect_ref has overridden some.
  struct Parts {
    unsigned count = 0;
    unsigned first = 0;  // absolute transfer register
    unsigned file = 0;   // 0 SRAM, 1 SDRAM
    std::uint32_t mask = 0xff;
  };
  Parts parts_of(const isa::Instruction& in);
  std::uint32_t& incoming(const Parts& parts, unsigned i);
  std::uint32_t outgoing(const Parts& parts, unsigned i);
  bool sram(const isa::Instruction& in);
  bool sdram(const isa::Instruction& in);
  bool scratch(const isa::Instruction& in);
  bool fbi(const isa::Instruction& in);
  void modify_bits(const isa::Instruction& in, std::uint32_t& longword);
  void write_register(unsigned number, std::uint32_t value);
  std::uint32_t read_register(unsigned number);
  void hash(const isa::Instruction& in);

  const isa::ProgramImage& program_;
  unsigned engine_;
  unsigned context_;
  ReferenceRegisters& registers_;
  ReferenceSurroundings& around_;
  std::uint32_t pc_ = 0;
  unsigned deferred_ = 0;  // instructions until the branch taken leads away
  std::optional<std::uint32_t> target_;
  bool zero_ = true, negative_ = false, overflow_ = false, carry_ = false;
  std::uint32_t alu_output_ = 0;
  std::uint32_t a_operand_ = 0;
  Search last_search_, search_before_;
  bool ended_ = false;
  std::optional<std::string> error_;
};

}  // namespace nplab::test
