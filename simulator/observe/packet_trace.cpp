#include "simulator/observe/packet_trace.h"

#include <algorithm>

namespace nplab::simulator {
namespace {

void add_word(std::uint32_t word, std::vector<WordRange>& words) {
  if (words.empty() || word != words.back().last + 1) {
    words.push_back({word, word, 1});
  } else {
    words.back().last = word;
  }
}

// Iterations of a loop are one range, executed several times.
void join_turns(std::vector<WordRange>& words) {
  std::vector<WordRange> joined;
  for (const WordRange& range : words) {
    if (!joined.empty() && joined.back().first == range.first && joined.back().last == range.last)
      ++joined.back().times;
    else
      joined.push_back(range);
  }
  words = std::move(joined);
}

}  // namespace

void PacketTrace::begin(const ObservedChip& chip) {
  chip_ = chip;
  threads_.assign(std::size_t{chip.engines} * chip.contexts, {});
}

void PacketTrace::slot(const EngineSlot& slot) {
  Thread& thread = this->thread(slot.thread);
  if (polls_(slot.thread.engine, slot.word)) {
    thread.works_now = false;
    return;
  }
  if (!thread.works_now)
    thread.works.push_back({slot.thread, slot.at, slot.at, {}, {}, {}});
  thread.works_now = true;
  add(slot, thread.works.back());
}

void PacketTrace::add(const EngineSlot& slot, ThreadWork& work) {
  if (work.stretches.empty() || work.stretches.back().to != slot.at)
    work.stretches.push_back({slot.at, slot.at, 0, 0, 0, {}});
  EngineStretch& stretch = work.stretches.back();
  work.to = stretch.to = slot.at + 1;
  switch (slot.state) {
    case ContextState::kAborted: ++stretch.aborted; return;
    case ContextState::kStalled: ++stretch.stalled; return;
    default: break;
  }
  ++stretch.executing;
  add_word(slot.word, stretch.words);
}

void PacketTrace::reference(const TracedReference& reference) {
  // References of the core processor belong to no thread.
  if (reference.thread.engine.index() < chip_.engines)
    references_.push_back(reference);
}

ThreadWork* PacketTrace::work_at(ThreadId id, Cycle at) {
  std::vector<ThreadWork>& works = thread(id).works;
  const auto behind =
      std::upper_bound(works.begin(), works.end(), at,
                       [](Cycle cycle, const ThreadWork& work) { return cycle < work.from; });
  if (behind == works.begin() || at >= std::prev(behind)->to)
    return nullptr;
  return &*std::prev(behind);
}

std::vector<ThreadWork> PacketTrace::work_on(std::uint64_t packet) {
  for (TracedReference& reference : references_) {
    ThreadWork* work = work_at(reference.thread, reference.issued);
    if (work == nullptr)
      continue;
    if (reference.packet)
      work->packets.insert(*reference.packet);
    work->references.push_back(reference);
  }
  references_.clear();
  for (const PacketEvent& event : events_)
    if (ThreadWork* work = event.thread ? work_at(*event.thread, event.at) : nullptr)
      work->packets.insert(event.packet);
  std::vector<ThreadWork> found;
  for (const Thread& thread : threads_)
    for (const ThreadWork& work : thread.works)
      if (work.packets.contains(packet))
        found.push_back(work);
  for (ThreadWork& work : found) {
    for (EngineStretch& stretch : work.stretches)
      join_turns(stretch.words);
    std::stable_sort(
        work.references.begin(), work.references.end(),
        [](const TracedReference& x, const TracedReference& y) { return x.issued < y.issued; });
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const ThreadWork& x, const ThreadWork& y) { return x.from < y.from; });
  return found;
}

}  // namespace nplab::simulator
