#include "simulator/observe/thread_timeline.h"

#include <algorithm>

namespace nplab::simulator {

void ThreadTimeline::begin(const ObservedChip& chip) {
  chip_ = chip;
  for (unsigned engine = 0; engine < chip.engines; ++engine)
    for (unsigned context = 0; context < chip.contexts; ++context)
      threads_.push_back({ThreadId(EngineId(engine), ContextId(context)), {}});
  for (std::size_t queue = 0; queue < chip.queues.size(); ++queue)
    queues_.push_back({chip.queues[queue], chip.queue_entries[queue], {}});
  for (const std::string& bus : chip.buses)
    queues_.push_back({bus, 1, {}});
  rings_.resize(chip.rings);
}

void ThreadTimeline::add(ThreadId id, const TimelineSlice& slice) {
  std::vector<TimelineSlice>& slices = thread(id).slices;
  const bool goes_on = !slices.empty() && slices.back().state == slice.state &&
                       slices.back().word == slice.word &&
                       slices.back().waits_for == slice.waits_for;
  if (goes_on)
    return;
  // A range that begins where one before it ended leaves no gap.
  if (!slices.empty() && slices.back().from == slice.from)
    slices.back() = slice;
  else
    slices.push_back(slice);
}

// Slots come for every cycle of the other states, and know whose branch aborts.
void ThreadTimeline::context_changed(const ContextChange& change) {
  const bool has_slots = change.state == ContextState::kExecuting ||
                         change.state == ContextState::kAborted ||
                         change.state == ContextState::kStalled;
  if (!has_slots)
    add(change.thread, {change.at, change.state, change.waits_for, change.word});
}

void ThreadTimeline::slot(const EngineSlot& slot) {
  add(slot.thread, {slot.at, slot.state, std::nullopt, slot.word});
}

// Nothing has been reported of threads that are off when a range begins.
void ThreadTimeline::cycle_done(Cycle at) {
  if (in_range_)
    return;
  in_range_ = true;
  ranges_.push_back({at, at + 1});
  for (Thread& thread : threads_)
    if (thread.slices.empty() || !thread.slices.back().state)
      add(thread.id, {at, ContextState::kOff, std::nullopt, 0});
}

void ThreadTimeline::paused(Cycle at) {
  end(at);
  in_range_ = false;
  for (const Thread& thread : threads_)
    add(thread.id, {at, std::nullopt, std::nullopt, 0});
  const auto empty = [at](Depths& depths) {
    if (!depths.empty() && depths.back().entries != 0)
      depths.push_back({at, 0});
  };
  for (QueueTimeline& queue : queues_)
    empty(queue.depths);
  for (Depths& ring : rings_)
    empty(ring);
}

void ThreadTimeline::end(Cycle at) {
  if (in_range_)
    ranges_.back().to = at;
}

}  // namespace nplab::simulator
