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
  kNext,        // words up to ExecutionCore::slot are done and counted
  kTaken,       // a branch to ExecutionCore::target
  kNotTaken,    // a branch that falls through
  kReference,   // sends ExecutionCore::command
  kArbitrate,   // gives up the engine
  kFault,       // cannot be executed
  kSpecial,     // nothing is done yet: the engine must look at the word first
};

struct ExecutionCore;
struct ExecutionSlot;
using Routine = Flow (*)(ExecutionCore&, const ExecutionSlot&);

// What most words need stands in the first cache line of the host.
struct alignas(64) ExecutionSlot {
  Routine routine = nullptr;         // what the threaded code calls: hands back to the engine if is_special
  Routine own = nullptr;             // the word itself
  mutable Cycles executed = 0;       // cycles charged to it so far
  mutable Cycles aborted = 0;
  Operand dst, a, b;
  std::uint32_t immediate = 0;       // data, or a mask
  std::uint32_t mask = 0;            // of the bytes that ld_field and immed_b/w replace
  std::uint16_t target = 0;
  std::uint8_t aborts = 0;           // of the branch, taken
  std::uint8_t aborts_behind_setter = 0;  // ... where the instruction just before sets the condition codes
  bool is_plain_branch = false;      // only decides and aborts: no deferred words, no guess, no kill near
  std::uint8_t shift_kind = 0;
  std::uint8_t shift_amount = 0;
  std::uint8_t selector = 0;

  Routine effect = nullptr;          // of a word that writes_transfer: what it does besides keeping the old value
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
  std::uint8_t byte_value = 0;
  std::uint8_t load_cc = 0;
  std::uint8_t defer = 0;
  std::uint8_t kill_distance = 0;    // a ctx_arb[kill] stands so many words behind this branch; 0: none near
  bool guess_branch = false;
  bool is_reference = false;
  bool is_annotated = false;
  bool tests_input_state = false;
  bool writes_transfer = false;
  bool is_special = false;           // a reference, annotated, or tests an input state: the engine must look at it
};
static_assert(sizeof(ExecutionSlot) == 128);

// Condition codes, kept as what they are derived from.
struct ConditionCodes {
  std::uint32_t result = 0;
  std::uint32_t x = 0, y = 0;  // what was added; of other operations, the result
  std::uint32_t carry = 0;     // 0 or 1

  [[nodiscard]] bool zero() const { return result == 0; }
  [[nodiscard]] bool negative() const { return result >> 31 != 0; }
  [[nodiscard]] bool overflow() const { return ((x ^ result) & (y ^ result)) >> 31 != 0; }
  [[nodiscard]] bool less() const { return negative() != overflow(); }
};

// Results of find_bset: bit 8 found; 7..0 number.
struct BitSearch {
  std::uint32_t first = 0;   // of the last one
  std::uint32_t second = 0;  // of the one before
};

// What write-transfer registers held until they were written, for units that read them as they stood up to kReach cycles
// ago. An instruction writes one register.
class OverwrittenRegisters {
 public:
  // The register is written in cycle `at`.
  void keep(std::uint32_t index, std::uint32_t value, Cycle at) {
    ring_[next_++ % kReach] = {at, index, value};
    behind_last_ = at + 1;
  }
  // Whether anything was written behind cycle `at`.
  [[nodiscard]] bool any_behind(Cycle at) const { return at + 1 < behind_last_; }
  // Calls `restore(index, value)` for everything written behind cycle `at`, back from the latest.
  template <class Restore>
  void restore_behind(Cycle at, Restore restore) const {
    for (unsigned back = 1; back <= kReach; ++back) {
      const Overwritten& written = ring_[(next_ - back) % kReach];
      if (written.at <= at) return;
      restore(written.index, written.value);
    }
  }

 private:
  struct Overwritten {
    Cycle at;
    std::uint32_t index = 0;
    std::uint32_t value = 0;
  };
  std::array<Overwritten, kReach> ring_{};
  unsigned next_ = 0;
  Cycle behind_last_;
};

// The state that instructions compute on. Timing, contexts and accounting are Microengine's.
struct ExecutionCore {
  RegisterFile registers;
  std::uint32_t context_base = 0;
  ConditionCodes codes;
  Cycle behind_setter = Cycle::never();  // the cycle directly behind the instruction that last set them
  std::uint32_t last_a = 0;           // A operand of the instruction before, for indirect shifts
  Cycle now;                          // the cycle that the engine works on
  Cycle stop;                         // threaded code hands back before this cycle
  const ExecutionSlot* slot = nullptr;     // the word in P3
  const ExecutionSlot* program = nullptr;  // word 0
  Cycles aborted = 0;                 // of the context since it was taken up
  OverwrittenRegisters overwritten;
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
  void set_codes(std::uint32_t result) { set_codes({result, result, result, 0}); }
  // Member by member, since the compiler packs a whole copy through the stack.
  void set_codes(const ConditionCodes& set) {
    codes.result = set.result;
    codes.x = set.x;
    codes.y = set.y;
    codes.carry = set.carry;
    behind_setter = now + 1;
  }
};

}  // namespace nplab::simulator
