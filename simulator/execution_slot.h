// A control-store word made ready for execution, and what the routine behind it works on.
#pragma once

#include <array>
#include <cstdint>

#include "isa/instruction.h"
#include "simulator/ids.h"
#include "simulator/ports.h"
#include "simulator/register_file.h"
#include "simulator/time.h"

namespace nplab::simulator {

// What the pipeline does behind an instruction.
enum class Flow : std::uint8_t {
  kNext,        // goes on with the next word
  kTaken,       // a branch to ExecutionCore::target
  kNotTaken,    // a branch that falls through
  kReference,   // sends ExecutionCore::command
  kArbitrate,   // gives up the engine
  kFault,       // cannot be executed
};

struct ExecutionCore;
struct ExecutionSlot;
using Routine = Flow (*)(ExecutionCore&, const ExecutionSlot&);

// One cache line of the host.
struct alignas(64) ExecutionSlot {
  Routine routine = nullptr;
  Operand dst, a, b;
  std::uint32_t immediate = 0;       // data, or a mask
  std::uint32_t mask = 0;            // of the bytes that ld_field and immed_b/w replace
  std::uint16_t target = 0;
  std::uint16_t events = 0;          // that ctx_arb or ctx_swap waits for
  std::uint16_t tokens = 0;
  std::uint16_t csr = 0;
  TransferRegister transfer;         // of context 0, if relative
  std::uint8_t transfer_step = 0;    // from one context's to the next one's; 0 if absolute
  isa::Operation operation{};
  isa::Unit unit{};
  isa::AbortClass abort_class{};
  std::uint8_t function = 0;
  std::uint8_t count = 0;
  std::uint8_t shift_kind = 0;
  std::uint8_t shift_amount = 0;
  std::uint8_t selector = 0;
  std::uint8_t byte_value = 0;
  std::uint8_t load_cc = 0;
  std::uint8_t defer = 0;
  std::uint8_t kill_distance = 0;    // a ctx_arb[kill] stands so many words behind this branch; 0: none near
  bool guess_branch = false;
  bool is_reference = false;
  bool is_annotated = false;
  bool tests_input_state = false;
  bool writes_transfer = false;
  bool is_special = false;           // anything to do besides running the routine: one of the four above
};
static_assert(sizeof(ExecutionSlot) == 64);

// Condition codes, kept as what they are derived from.
struct ConditionCodes {
  std::uint32_t result = 0;
  bool carry = false;
  bool overflow = false;

  [[nodiscard]] bool zero() const { return result == 0; }
  [[nodiscard]] bool negative() const { return result >> 31 != 0; }
  [[nodiscard]] bool less() const { return negative() != overflow; }
};

// Results of find_bset: bit 8 found; 7..0 number.
struct BitSearch {
  std::uint32_t first = 0;   // of the last one
  std::uint32_t second = 0;  // of the one before
};

// The state that instructions compute on. Timing, contexts and accounting are Microengine's.
struct ExecutionCore {
  RegisterFile registers;
  std::uint32_t context_base = 0;
  ConditionCodes codes;
  Cycle codes_set = Cycle::never();   // when an instruction last set them
  std::uint32_t last_a = 0;           // A operand of the instruction before, for indirect shifts
  Cycle now;                          // the cycle that the engine works on
  std::uint32_t target = 0;
  Command command;
  EngineId engine;
  ContextId context;
  std::array<std::uint16_t, kMostContexts> events{};      // set and not yet consumed, bits of isa::Event
  std::array<BitSearch, kMostContexts> searches{};
  const InputStates* input_states = nullptr;
  const char* fault = nullptr;        // why an instruction could not be executed

  [[nodiscard]] std::uint32_t read(Operand operand) const { return registers[operand.index(context_base)]; }
  void write(Operand operand, std::uint32_t value) { registers[operand.index(context_base)] = value; }
  void set_codes(std::uint32_t result, bool carry, bool overflow) {
    codes = {result, carry, overflow};
    codes_set = now;
  }
};

}  // namespace nplab::simulator
