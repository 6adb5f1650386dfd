// A control-store word made ready for execution, and the state that its routine works on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/instruction.h"
#include "simulator/base/ids.h"
#include "simulator/base/ports.h"
#include "simulator/base/time.h"
#include "simulator/base/wait_cause.h"
#include "simulator/base/word_cost.h"
#include "simulator/engine/register_file.h"

namespace nplab::simulator {

// What the pipeline does after an instruction.
enum class Flow : std::uint8_t {
  kNext,   // words before ExecutionCore::slot are done; with all others, the one at it is what the
           // flow tells
  kTaken,  // a branch to ExecutionCore::target
  kNotTaken,   // a branch that falls through
  kReference,  // sends ExecutionCore::command
  kArbitrate,  // yields the engine
  kFault,      // cannot be executed
  kSpecial,    // nothing is done yet: the engine must look at the word first
};

// How much of a branch threaded code does.
enum class BranchKind : std::uint8_t {
  kEngines,  // decides: it has deferred words, or a kill near it; the engine does the rest
  kPlain,    // all: it aborts slots if it is taken
  kGuessed,  // all: with guess_branch, it aborts slots if it is taken and if it is not
};

struct ExecutionCore;
struct ExecutionSlot;
using Routine = Flow (*)(ExecutionCore&, const ExecutionSlot&);

// What most words need stands in the first cache line of the host.
struct alignas(64) ExecutionSlot {
  Routine routine =
      nullptr;            // what the threaded code calls: hands back to the engine if is_special
  Routine own = nullptr;  // the word itself
  // How often a thread has come here otherwise than from the word before, less how often one has
  // gone from the word before elsewhere, modulo 2^64. Added up from word 0 on it gives how often
  // each word was executed.
  mutable std::uint64_t entered = 0;
  mutable Cycles aborted = 0;  // cycles charged to it so far
  Operand dst, a, b;
  std::uint32_t immediate = 0;  // data, or a mask
  std::uint32_t mask = 0;       // of the bytes that ld_field and immed_b/w replace
  std::uint16_t target = 0;
  std::uint8_t aborts = 0;  // of the branch, taken; with guess_branch, not taken
  std::uint8_t aborts_after_setter =
      0;  // ... where the instruction just before sets the condition codes
  BranchKind branch_kind = BranchKind::kEngines;
  std::uint8_t shift_kind = 0;
  std::uint8_t shift_amount = 0;
  std::uint8_t selector = 0;
  std::uint8_t most_aborts_taken = 0;  // of a branch with guess_branch

  Routine effect =
      nullptr;  // of a word that writes_transfer: what it does besides keeping the old value
  std::uint16_t events = 0;  // that ctx_arb or ctx_swap waits for
  std::uint16_t tokens = 0;
  std::uint16_t csr = 0;
  TransferRegister transfer;       // of context 0, if relative
  std::uint8_t transfer_step = 0;  // from one context's to the next one's; 0 if absolute
  isa::Operation operation{};
  isa::Unit unit{};
  isa::AbortClass abort_class{};
  std::uint8_t function = 0;
  std::uint8_t count = 0;
  std::uint8_t byte_value = 0;
  std::uint8_t load_cc = 0;
  std::uint8_t defer = 0;
  std::uint8_t kill_distance =
      0;  // a ctx_arb[kill] is this many words after this branch; 0: none near
  bool guess_branch = false;
  bool is_reference = false;
  bool is_annotated = false;
  bool tests_input_state = false;
  bool writes_transfer = false;
  WaitCause waits_for = kNoWaitCause;  // of a reference that swaps
  bool is_noted =
      false;  // a reference that signals the FBI's event without a swap, or may not move `count`
  bool is_special = false;  // a reference, annotated, tests an input state, or costs no cycle: the
                            // engine must look at it
  std::uint8_t cycles = 1;  // that it takes
  WordCost cost = WordCost::kCycle;
};
static_assert(sizeof(ExecutionSlot) == 128);

// Condition codes, kept as what they are derived from.
struct ConditionCodes {
  std::uint64_t sum = 0;       // the result, with the carry as bit 32
  std::uint32_t x = 0, y = 0;  // what was added; of other operations, the result

  [[nodiscard]] std::uint32_t result() const { return static_cast<std::uint32_t>(sum); }
  [[nodiscard]] std::uint32_t carry() const { return static_cast<std::uint32_t>(sum >> 32); }
  [[nodiscard]] bool zero() const { return result() == 0; }
  [[nodiscard]] bool negative() const { return result() >> 31 != 0; }
  [[nodiscard]] bool overflow() const { return ((x ^ result()) & (y ^ result())) >> 31 != 0; }
  [[nodiscard]] bool less() const { return negative() != overflow(); }
};

// Results of find_bset: bit 8 found; 7..0 number.
struct BitSearch {
  std::uint32_t first = 0;   // of the last one
  std::uint32_t second = 0;  // of the one before
};

// What write-transfer registers held until they were written, for units that read them as they
// stood up to kReach cycles ago. An instruction writes one register.
class OverwrittenRegisters {
 public:
  // The register is written in cycle `at`.
  void keep(std::uint32_t index, std::uint32_t value, Cycle at) {
    ring_[next_++ % kReach] = {at, index, value};
    behind_last_ = at + 1;
  }
  // Whether anything was written after cycle `at`.
  [[nodiscard]] bool any_behind(Cycle at) const { return at + 1 < behind_last_; }
  // Calls `restore(index, value)` for everything written after cycle `at`, back from the latest.
  template <class Restore>
  void restore_behind(Cycle at, Restore restore) const {
    for (unsigned back = 1; back <= kReach; ++back) {
      const Overwritten& written = ring_[(next_ - back) % kReach];
      if (written.at <= at)
        return;
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

// The state that instructions compute on. Contexts and accounting are Microengine's.
// Words that follow each other take one cycle each, so their cycles follow from their places: only
// who goes elsewhere has to say when it is there (`arrive`).
struct ExecutionCore {
  ExecutionCore() = default;
  ExecutionCore(const ExecutionCore&) = delete;
  ExecutionCore& operator=(const ExecutionCore&) = delete;

  RegisterFile registers;
  std::uint32_t* block = registers.block(ContextId(0));  // of the context that has the engine
  ConditionCodes codes;
  const ExecutionSlot* after_setter =
      nullptr;               // the word just after the one that last set them, if next
  std::uint32_t last_a = 0;  // A operand of the instruction before, for indirect shifts
  const ExecutionSlot* program = nullptr;  // word 0
  std::uint64_t words = 0;                 // and the guard after them
  std::uint64_t lead = 0;                  // cycle of a word less its number, modulo 2^64
  const ExecutionSlot* stop_slot =
      nullptr;                          // in its cycle threaded code hands back, if it comes there
  Cycle stop;                           // threaded code hands back before this cycle
  const ExecutionSlot* slot = nullptr;  // where it handed back
  Cycles aborted = 0;                   // of the context since it was taken up
  OverwrittenRegisters overwritten;
  std::uint32_t target = 0;
  Command command;
  EngineId engine;
  ContextId context;
  std::array<std::uint16_t, kMostContexts>
      events{};  // set and not yet consumed, bits of isa::Event
  std::array<BitSearch, kMostContexts> searches{};
  const InputStates* input_states = nullptr;
  const char* fault = nullptr;  // why an instruction could not be executed

  // Word `number` is reached in cycle `at`, not after `stop`.
  void arrive(std::uint64_t number, Cycle at) {
    lead = at.number() - number;
    stop_slot = program + std::min<std::uint64_t>(stop.number() - lead, words);
  }
  [[nodiscard]] Cycle cycle_of(const ExecutionSlot& word) const {
    return Cycle(lead + static_cast<std::uint64_t>(&word - program));
  }
  // `word` sets them.
  void set_codes(const ExecutionSlot& word, const ConditionCodes& set) {
    codes.sum = set.sum;
    codes.x = set.x;
    codes.y = set.y;
    after_setter = &word + 1;
  }
};

// Operands of words without absolute registers: all stand in the context's block.
struct InBlock {
  static std::uint32_t read(const ExecutionCore& core, Operand operand) {
    return core.block[operand.offset];
  }
  static void write(ExecutionCore& core, Operand operand, std::uint32_t value) {
    core.block[operand.offset] = value;
  }
};
// Operands of any word.
struct Anywhere {
  static std::uint32_t read(const ExecutionCore& core, Operand operand) {
    return core.registers[operand.index(core.context)];
  }
  static void write(ExecutionCore& core, Operand operand, std::uint32_t value) {
    core.registers[operand.index(core.context)] = value;
  }
};

}  // namespace nplab::simulator
