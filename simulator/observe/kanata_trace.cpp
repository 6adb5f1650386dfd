#include "simulator/observe/kanata_trace.h"

namespace nplab::simulator {
namespace {

constexpr const char* kStalledStage = "S";
constexpr const char* kExecuteStage = "X";
constexpr const char* kAbortedStage = "A";

}  // namespace

void KanataTrace::begin(const ObservedChip& chip) {
  chip_ = chip;
  held_.resize(chip.engines);
  stream_ << "Kanata\t0004\n";
}

void KanataTrace::advance(Cycle at) {
  if (!has_begun_)
    stream_ << "C=\t" << at.number() << '\n';
  else if (at > now_)
    stream_ << "C\t" << at - now_ << '\n';
  has_begun_ = true;
  now_ = at;
}

void KanataTrace::open(const EngineSlot& slot, const char* stage) {
  std::optional<Entry>& entry = held_[slot.thread.engine.index()];
  entry = Entry{entries_++, slot.thread, slot.word, stage, false};
  const std::uint64_t number = entry->number;
  stream_ << "I\t" << number << '\t' << number << '\t' << slot.thread.number(chip_.contexts)
          << '\n';
  stream_ << "L\t" << number << "\t0\t" << slot.thread.engine.index() << '.'
          << slot.thread.context.index() << " word " << slot.word << ' '
          << chip_.source(slot.thread.engine, slot.word) << '\n';
  stream_ << "S\t" << number << "\t0\t" << stage << '\n';
}

void KanataTrace::close(Entry& entry) {
  stream_ << "E\t" << entry.number << "\t0\t" << entry.stage << '\n';
  stream_ << "R\t" << entry.number << '\t' << (entry.is_flushed ? 0 : retired_++) << '\t'
          << (entry.is_flushed ? 1 : 0) << '\n';
}

void KanataTrace::slot(const EngineSlot& slot) {
  advance(slot.at);
  std::optional<Entry>& held = held_[slot.thread.engine.index()];
  const bool goes_on = held && held->thread == slot.thread && held->word == slot.word &&
                       slot.state != ContextState::kAborted;
  if (slot.state == ContextState::kStalled) {
    if (!goes_on)
      open(slot, kStalledStage);
    return;
  }
  if (goes_on) {
    stream_ << "E\t" << held->number << "\t0\t" << held->stage << "\nS\t" << held->number << "\t0\t"
            << kExecuteStage << '\n';
    held->stage = kExecuteStage;
  } else {
    open(slot, slot.state == ContextState::kAborted ? kAbortedStage : kExecuteStage);
    held->is_flushed = slot.state == ContextState::kAborted;
  }
  ending_.push_back(*held);
  held.reset();
}

void KanataTrace::cycle_done(Cycle at) {
  if (!has_begun_)
    advance(at);
  advance(at + 1);
  for (Entry& entry : ending_)
    close(entry);
  ending_.clear();
}

void KanataTrace::end(Cycle) {
  for (std::optional<Entry>& entry : held_) {
    if (!entry)
      continue;
    entry->is_flushed = true;  // the range ends before it executes
    close(*entry);
  }
}

}  // namespace nplab::simulator
