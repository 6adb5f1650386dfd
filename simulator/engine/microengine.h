// One microengine: contexts over one five-stage pipeline, at the cost level: one instruction
// completes P3 per cycle, and what does not is aborted, stalled or idle.
//  - A taken branch aborts the instructions fetched after it; how many depends on where its class
//  is decided (chip
//    file). `defer` lets the first of them execute; with `guess_branch` the target is fetched, so
//    that a branch not taken pays its class's cycles, and a taken one what an unconditional branch
//    does.
//  - Contexts yield the engine only by ctx_arb or ctx_swap. The ready one that the arbiter names
//  is dispatched after the swap's
//    shadow. An instruction enters P0 in the cycle after the event that made its context ready, so
//    it is in P3 `wake_up_cycles` later; only an idle engine notices.
//  - A reference that finds the command FIFO full holds P3: stalled.
// A cycle belongs to the instruction in P3.
// An engine may run ahead of the rest of the chip. It stops before a cycle that needs a fact not
// known yet: a grant that would make room in its command FIFO, or an input state. What it has
// written to transfer registers since is kept, so that units read them as they stood. Words and
// branches need no facts: beyond the horizon, before which all answers are known, an engine goes on
// with them up to the next reference or yield.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "simulator/arbitration/policies.h"
#include "simulator/base/command_kinds.h"
#include "simulator/base/ports.h"
#include "simulator/engine/engine_counters.h"
#include "simulator/engine/engine_snapshot.h"
#include "simulator/engine/event_inbox.h"
#include "simulator/engine/execution_slot.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class Microengine final : public ThreadAccess, public Inspectable {
 public:
  struct Connections {
    CommandSink* commands = nullptr;
    const InputStates* input_states = nullptr;
    AnnotationSink* annotations = nullptr;
    RunMonitor* monitor = nullptr;
  };

  Microengine(EngineId id, const EngineDescription& description);

  // Once, before the first cycle.
  void connect(const Connections& connections);
  // Before the first cycle: the contexts that run `program`, each from word 0. The program must fit
  // the control store; an engine without one is off. A word that cannot be decoded is a fault when
  // it is executed.
  // `costs`: of its words, in their order; none: a cycle each.
  void load(const isa::ProgramImage& program, std::span<const ContextId> enabled,
            std::span<const WordCost> costs = {});
  // Adds what the program may send.
  void add_to(CommandKinds& kinds) const;
  // What all programs may send; without this call the engine does not go on by itself.
  void expect(const CommandKinds& kinds);

  // Works through the cycles before `horizon` that are not done yet, until a fact is missing or the
  // last thread ends. Requires that all answers that come before the last of these cycles are
  // there. Then it goes on by itself, up to `ahead`, as long as no fact is needed. `ahead` is at
  // least `horizon` and at most kReach after what the units have done.
  void run(Cycle horizon, Cycle ahead) {
    if (live_threads_ == 0 || now_ >= horizon)
      return;
    ahead_ = ahead;
    pass(horizon);
  }
  // Passes cycles without a thread.
  void idle_until(Cycle end) {
    if (now_ < end)
      pass(end);
  }
  // Before its state after the cycles before `end`, all of which are done, is looked at.
  void catch_up(Cycle end) {
    idle_until(end);
    accept_before(Cycle(end.number() - 1));
  }
  // It issues no reference before this cycle, unless an answer comes that it has not been given.
  [[nodiscard]] Cycle earliest_issue() const {
    return mode_ == Mode::kUnoccupied ? std::min(unoccupied_until_, inbox_.earliest()) : now_;
  }
  // The first cycle that is not done.
  [[nodiscard]] Cycle now() const { return now_; }

  void pull(ThreadId thread, TransferRegister first, std::span<std::uint32_t> longwords,
            Cycle at) override;
  void answer(ThreadId thread, const Answer& answer) override;

  [[nodiscard]] EngineId id() const { return id_; }
  [[nodiscard]] unsigned live_threads() const { return live_threads_; }
  // Everything counted up to now (the horizon of the last run).
  [[nodiscard]] EngineCounters counters() const;
  // Of one thread alone, which is less work.
  [[nodiscard]] ThreadCounters thread_counters(ContextId context) const {
    return thread_counters(threads_[context.index()]);
  }
  // The value of a source operand as `context` reads it, for inspection.
  [[nodiscard]] std::uint32_t register_value(ContextId context, isa::OperandCode code) const;
  // What a destination operand of `context` holds: a write transfer register, for inspection.
  [[nodiscard]] std::uint32_t written_value(ContextId context, isa::OperandCode code) const;
  // From outside, of an engine that has caught up; nothing where the code means no register.
  void set_register(ContextId context, isa::OperandCode code, std::uint32_t value);
  void set_written_register(ContextId context, isa::OperandCode code, std::uint32_t value);
  [[nodiscard]] std::uint32_t program_counter(ContextId context) const;
  // Its state after the cycles done, for an observer that looks after every cycle.
  [[nodiscard]] EngineSnapshot snapshot() const;

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  enum class Mode : std::uint8_t { kUnoccupied, kRunning, kAborting };
  enum class ThreadState : std::uint8_t { kOff, kReady, kRunning, kWaiting };
  enum class Shadow : std::uint8_t { kNone, kBranch, kSwap };

  struct Thread {
    ThreadState state = ThreadState::kOff;
    Cycle since;     // when the state began
    Cycle eligible;  // ready: first cycle in which its instruction can be in P3
    std::uint32_t pc = 0;
    std::uint32_t gave_up_at = 0;  // word of the instruction that gave up the engine
    std::uint16_t waits_for = 0;
    Cycle not_before;  // it is dispatched no sooner: its words that cost the engine nothing took it
                       // so long
    bool has_program = false;
    WaitCause fbi_cause =
        kWaitsForFbi;  // what its latest reference with sig_done and the FBI's event refers to
    ConditionCodes codes;
    Cycles idle_before = 0;   // waiting or off: the engine's idle cycles up to `since`
    ThreadCounters counters;  // executing holds all cycles in P3 until counters() takes aborted and
                              // stalled out
  };

  // An annotation made ready for execution.
  struct ReadyAnnotation {
    std::uint32_t pc = 0;
    isa::Annotation::Kind kind{};
    std::optional<Operand> first, second;  // none: the value is 0
  };

  // What a control-store word is charged besides what its slot counts.
  struct WordCharges {
    Cycles stalled = 0;
    CyclesByStallCause
        refused{};  // of these, by the queue without room; the others are the command bus's
    CyclesByWaitCause waiting_on{};
    std::uint64_t more_longwords =
        0;                     // than its count says, moved because of indirect_ref, modulo 2^64
    std::uint64_t unsent = 0;  // references that were faults
  };

  // A branch or swap whose deferred instructions still execute, or whose aborted ones pass by.
  struct Pending {
    Shadow shadow = Shadow::kNone;
    std::uint8_t deferred = 0;
    std::uint8_t aborted = 0;
    bool kill = false;
    std::uint32_t pc = 0;  // of the branch or swap
    std::uint32_t target = 0;
    std::uint16_t events = 0;
  };

  // Whether an instruction proceeds in P3.
  enum class Readiness : std::uint8_t { kReady, kStalled, kUnknown };

  void pass(Cycle horizon);
  // Most of what follows has one caller: `inline` lets the compiler put it there.
  inline bool end_idleness();
  // False: a fact is missing.
  inline bool run_words();
  inline bool run_special(const ExecutionSlot& slot);
  inline void set_out();
  bool step();
  // After many words without cost, so that a loop of them ends.
  inline void pass_cycle_without_word(const ExecutionSlot& slot);
  // The word at pc_ ended with `flow`.
  void finish_word(const ExecutionSlot& slot, Flow flow);
  // Takes over where they came to.
  // The words that ran by themselves have ended with `flow`.
  inline void finish_words(Flow flow);
  void catch_up_with_words() {
    const auto number = static_cast<std::uint64_t>(core_.slot - core_.program);
    pc_ = static_cast<std::uint32_t>(number);
    now_ = Cycle(core_.lead + number);
  }
  // The thread continues at `target`, in no sequence with the word before pc_.
  void go_to(std::uint32_t target) {
    --program_[pc_].entered;
    ++program_[target].entered;
    pc_ = target;
  }
  inline Readiness prepare(const ExecutionSlot& slot);
  Readiness wait_for_room();
  void stay_behind_fault();
  void note_reference(const ExecutionSlot& slot);
  void annotate(std::uint32_t pc);
  void branch(const ExecutionSlot& slot, Flow flow);
  inline void reference(const ExecutionSlot& slot);
  void swap(const ExecutionSlot& slot);
  void fault(Fault::Kind kind, std::string message);
  // A branch or swap is done. When the deferred words after it are, too, aborts begin, or it is
  // over.
  inline void begin_shadow(const ExecutionSlot& slot, unsigned aborts);
  void deferred_slot_passed();
  inline void begin_aborts();
  void charge_aborts(std::uint32_t word, unsigned slots) {
    program_[word].aborted += slots;
    core_.aborted += slots;
    now_ = now_ + slots;
  }
  void abort_slots();
  inline void shadow_passed();

  inline void leave_engine(Thread& thread, ThreadState state);
  // The thread yields at `word` and waits for `events`.
  inline void give_up(std::uint32_t word, std::uint16_t events);
  void end_thread();
  inline void make_ready_if_all_came(ContextId context, Cycle eligible);
  inline void occupy();
  inline bool take_up();
  // Everything stamped before `limit`.
  void accept_before(Cycle limit) {
    if (inbox_.earliest() < limit)
      accept_deliveries(limit);
  }
  void accept_deliveries(Cycle limit);
  inline void accept_events(const Delivery& delivery);
  inline void charge_waiting(Thread& thread, Cycle until);
  // What the waiting thread is charged to. A reference that swaps waits for one event; of several,
  // the lowest that is still missing counts.
  [[nodiscard]] WaitCause cause_of_waiting(const Thread& thread) const {
    const WaitCause known = program_[thread.gave_up_at].waits_for;
    return known != kNoWaitCause ? known : lowest_missing(thread);
  }
  [[nodiscard]] WaitCause lowest_missing(const Thread& thread) const;
  [[nodiscard]] std::uint32_t value_of(const std::optional<Operand>& operand) const {
    return operand ? core_.registers[operand->index(core_.context)] : 0;
  }
  [[nodiscard]] ThreadCounters thread_counters(const Thread& thread) const;
  [[nodiscard]] WordCounters word_counters(std::size_t word, Cycles executed) const;

  // How often each word was executed.
  [[nodiscard]] std::vector<Cycles> executed() const;
  class RequestView;
  [[nodiscard]] Thread& current() { return threads_[core_.context.index()]; }

  EngineId id_;
  EngineDescription description_;
  Connections connections_;
  std::vector<ExecutionSlot>
      program_;  // two more than words: the first of these catches a program counter that leaves
  std::vector<ReadyAnnotation> annotations_;   // in order of pc
  std::vector<std::size_t> first_annotation_;  // by word, of those that are annotated
  std::vector<WordCharges> charged_;           // by word
  ExecutionCore core_;
  DispatchArbiter arbiter_;
  Cycle now_;
  EventInbox inbox_;
  bool reads_other_contexts_ = false;  // a word reads transfer registers by their absolute numbers
  std::array<Thread, kMostContexts> threads_;
  Mode mode_ = Mode::kUnoccupied;
  Pending pending_;
  Cycle unoccupied_since_;
  Cycle unoccupied_until_;  // no context can be taken up before, unless something is delivered
  Cycle horizon_;           // of the pass under way
  Cycle ahead_;             // up to which words may go on by themselves
  bool arrivals_can_wait_ = false;  // no context sees what arrives for it until it yields
  std::uint32_t pc_ = 0;
  unsigned words_without_cost_ = 0;  // executed since the last cycle that passed for them
  Cycles aside_ = 0;                 // that the running thread owes for such words
  unsigned live_threads_ = 0;
  std::uint32_t ready_ = 0;            // contexts that are ready, a bit each
  Cycle held_until_ = Cycle::never();  // the last cycle after which an instruction was held in P3
  Cycles stalled_ = 0;
  Cycles idle_ = 0;
};

}  // namespace nplab::simulator
