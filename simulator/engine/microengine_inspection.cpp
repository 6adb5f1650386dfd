// What can be seen of a microengine from outside, and set there: counters, registers, what it waits
// for, its state's hash.
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "simulator/base/moved_longwords.h"
#include "simulator/base/state_hash.h"
#include "simulator/engine/microengine.h"

namespace nplab::simulator {
namespace {

std::string event_names(std::uint16_t events) {
  std::string names;
  for (unsigned bit = 0; bit < kEventKinds; ++bit) {
    if ((events >> bit & 1) == 0)
      continue;
    if (!names.empty())
      names += ", ";
    names += isa::to_string(static_cast<isa::Event>(1u << bit));
  }
  return names;
}

}  // namespace

// Each thread is somewhere in a sequence of words that has not ended yet: the words from its next
// one on do not count.
std::vector<Cycles> Microengine::executed() const {
  std::vector<Cycles> executed;
  executed.reserve(program_.size());
  for (const ExecutionSlot& slot : program_)
    executed.push_back(slot.entered);
  for (unsigned i = 0; i < kMostContexts; ++i)
    if (threads_[i].has_program)
      --executed[program_counter(ContextId(i))];
  std::partial_sum(executed.begin(), executed.end(), executed.begin());
  executed.resize(charged_.size());
  return executed;
}

ThreadCounters Microengine::thread_counters(const Thread& thread) const {
  ThreadCounters out = thread.counters;
  const Cycles open = now_ - thread.since, idle = idle_ - thread.idle_before;
  switch (thread.state) {
    case ThreadState::kOff:
      out.off += open;
      out.idle.off = idle;
      break;
    case ThreadState::kReady: out.ready += open; break;
    case ThreadState::kRunning:
      out.executing += open;
      out.aborted += core_.aborted;
      break;
    case ThreadState::kWaiting:
      out.waiting_on[cause_of_waiting(thread)] += open;
      out.idle.waiting_on[cause_of_waiting(thread)] += idle;
      break;
  }
  out.executing -= out.aborted + out.stalled;
  out.idle.ready = idle_ - out.idle.total();
  for (unsigned cause = 0; cause < kWaitCauses; ++cause)
    out.waiting[event_bit(static_cast<WaitCause>(cause))] += out.waiting_on[cause];
  return out;
}

WordCounters Microengine::word_counters(std::size_t word, Cycles executed) const {
  const ExecutionSlot& slot = program_[word];
  const WordCharges& charged = charged_[word];
  WordCounters out;
  out.executing = executed * slot.cycles;
  out.aborted = slot.aborted;
  out.stalled = charged.stalled;
  out.stalled_on = charged.refused;
  out.waiting_on = charged.waiting_on;
  out.waiting = sum_of(charged.waiting_on);
  if (!slot.is_reference)
    return out;
  out.unit = slot.unit == isa::Unit::kNone ? isa::Unit::kFbi : slot.unit;
  out.references = executed - charged.unsent;
  out.longwords =
      out.references * moved_longwords(slot.operation, slot.count) + charged.more_longwords;
  return out;
}

EngineCounters Microengine::counters() const {
  EngineCounters counters;
  counters.stalled = stalled_;
  counters.idle = idle_;
  const std::vector<Cycles> executed = this->executed();
  for (std::size_t word = 0; word < executed.size(); ++word)
    counters.words.push_back(word_counters(word, executed[word]));
  for (unsigned i = 0; i < kMostContexts; ++i) {
    const Thread& thread = threads_[i];
    counters.threads[i] = thread_counters(thread);
    if (thread.state == ThreadState::kWaiting) {
      WordCounters& word = counters.words[thread.gave_up_at];
      word.waiting += now_ - thread.since;
      word.waiting_on[cause_of_waiting(thread)] += now_ - thread.since;
    }
  }
  if (held_until_ == now_) {
    const auto ahead = connections_.commands->charged_ahead(id_, now_);
    counters.words[pc_].stalled_on[static_cast<unsigned>(ahead.cause)] -= ahead.cycles;
  }
  for (std::size_t word = 0; word < executed.size(); ++word) {
    WordCounters& counted = counters.words[word];
    counters.executing += counted.executing;
    counters.aborted += counted.aborted;
    counters.aborted_by[static_cast<unsigned>(program_[word].abort_class)] += counted.aborted;
    constexpr auto kBus = static_cast<unsigned>(StallCause::kCommandBus);
    counted.stalled_on[kBus] = counted.stalled - sum_of(counted.stalled_on);
    for (unsigned cause = 0; cause < kStallCauses; ++cause)
      counters.stalled_on[cause] += counted.stalled_on[cause];
  }
  return counters;
}

std::uint32_t Microengine::register_value(ContextId context, isa::OperandCode code) const {
  const auto operand = RegisterFile::source(code);
  return operand ? core_.registers[operand->index(context)] : 0;
}

std::uint32_t Microengine::written_value(ContextId context, isa::OperandCode code) const {
  const auto operand = RegisterFile::destination(code);
  return operand ? core_.registers[operand->index(context)] : 0;
}

void Microengine::set_register(ContextId context, isa::OperandCode code, std::uint32_t value) {
  if (const auto operand = RegisterFile::source(code))
    core_.registers[operand->index(context)] = value;
}

void Microengine::set_written_register(ContextId context, isa::OperandCode code,
                                       std::uint32_t value) {
  if (const auto operand = RegisterFile::destination(code))
    core_.registers[operand->index(context)] = value;
}

std::uint32_t Microengine::program_counter(ContextId context) const {
  const Thread& thread = threads_[context.index()];
  return thread.state == ThreadState::kRunning ? pc_ : thread.pc;
}

EngineSnapshot Microengine::snapshot() const {
  using State = EngineSnapshot::Context;
  EngineSnapshot out;
  out.context = core_.context;
  out.aborts = mode_ == Mode::kAborting;
  out.shadow = pending_.shadow != Shadow::kNone;
  out.shadow_of = pending_.pc;
  out.stalled = stalled_;
  out.idle = idle_;
  out.idle_for = mode_ == Mode::kUnoccupied ? now_ - unoccupied_since_ : 0;
  for (unsigned i = 0; i < kMostContexts; ++i) {
    const Thread& thread = threads_[i];
    auto& context = out.contexts[i];
    context.word = program_counter(ContextId(i));
    context.gave_up_at = thread.gave_up_at;
    context.since = thread.since;
    context.codes = thread.state == ThreadState::kRunning ? core_.codes : thread.codes;
    context.arrived = core_.events[i];
    switch (thread.state) {
      case ThreadState::kOff: context.state = State::kOff; break;
      case ThreadState::kReady: context.state = State::kReady; break;
      case ThreadState::kRunning: context.state = State::kRunning; break;
      case ThreadState::kWaiting:
        context.state = State::kWaiting;
        context.missing = static_cast<std::uint16_t>(thread.waits_for & ~core_.events[i]);
        break;
    }
  }
  return out;
}

void Microengine::describe_waiting(std::vector<std::string>& lines) const {
  for (unsigned i = 0; i < kMostContexts; ++i) {
    const Thread& thread = threads_[i];
    const std::uint32_t pc = program_counter(ContextId(i));
    switch (thread.state) {
      case ThreadState::kOff: break;
      case ThreadState::kReady:
        lines.push_back(fmt::format("engine {} thread {}: ready since cycle {}, at word {}",
                                    id_.index(), i, thread.since.number(), pc));
        break;
      case ThreadState::kRunning:
        lines.push_back(
            fmt::format("engine {} thread {}: has the engine since cycle {}, at word {}",
                        id_.index(), i, thread.since.number(), pc));
        break;
      case ThreadState::kWaiting: {
        const auto missing = static_cast<std::uint16_t>(thread.waits_for & ~core_.events[i]);
        lines.push_back(fmt::format(
            "engine {} thread {}: waits for {} since cycle {}, yielded at word {}", id_.index(), i,
            event_names(missing), thread.since.number(), thread.gave_up_at));
        break;
      }
    }
  }
}

void Microengine::hash(StateHash& hash) const {
  hash.add(now_);
  for (unsigned i = 0; i < kMostContexts; ++i)
    hash.add_all(core_.registers.of(ContextId(i)));
  hash.add_all(core_.events);
  hash.add(core_.codes.result());
  hash.add(core_.codes.carry());
  hash.add(core_.codes.overflow());
  hash.add(core_.after_setter == core_.program + pc_);
  hash.add(core_.last_a);
  for (const BitSearch& search : core_.searches) {
    hash.add(search.first);
    hash.add(search.second);
  }
  hash.add(pc_);
  hash.add(static_cast<std::uint64_t>(mode_));
  hash.add(pending_.deferred);
  hash.add(pending_.aborted);
  if (pending_.shadow != Shadow::kNone) {
    hash.add(static_cast<std::uint64_t>(pending_.shadow));
    hash.add(pending_.kill);
    hash.add(pending_.shadow == Shadow::kSwap ? pending_.events : pending_.target);
  }
  hash.add(core_.context.index());
  for (const Thread& thread : threads_) {
    hash.add(static_cast<std::uint64_t>(thread.state));
    hash.add(thread.since);
    hash.add(thread.pc);
    hash.add(thread.waits_for);
    hash.add(thread.eligible);
    hash.add(thread.codes.result());
    hash.add(thread.codes.carry());
    hash.add(thread.codes.overflow());
  }
  inbox_.hash(hash);
  arbiter_.hash(hash);
  hash.add(core_.aborted);
  hash.add(stalled_);
  hash.add(idle_);
  const std::vector<Cycles> executed = this->executed();
  for (std::size_t word = 0; word < executed.size(); ++word) {
    hash.add(executed[word]);
    hash.add(program_[word].aborted);
  }
  for (const WordCharges& word : charged_) {
    hash.add(word.stalled);
    hash.add(sum_of(word.waiting_on));
  }
}

}  // namespace nplab::simulator
