#include "simulator/thread_timeline.h"

#include <algorithm>

namespace nplab::simulator {

void ThreadTimeline::begin(const ObservedChip& chip) {
  chip_ = chip;
  for (unsigned engine = 0; engine < chip.engines; ++engine)
    for (unsigned context = 0; context < chip.contexts; ++context) threads_.push_back({ThreadId(EngineId(engine), ContextId(context)), {}});
}

void ThreadTimeline::add(ThreadId id, const TimelineSlice& slice) {
  from_ = std::min(from_, slice.from);
  std::vector<TimelineSlice>& slices = thread(id).slices;
  const bool goes_on = !slices.empty() && slices.back().state == slice.state && slices.back().word == slice.word &&
                       slices.back().waits_for == slice.waits_for;
  if (!goes_on) slices.push_back(slice);
}

// Slots come for every cycle of the other states, and know whose branch aborts.
void ThreadTimeline::context_changed(const ContextChange& change) {
  const bool has_slots = change.state == ContextState::kExecuting || change.state == ContextState::kAborted || change.state == ContextState::kStalled;
  if (!has_slots) add(change.thread, {change.at, change.state, change.waits_for, change.word});
}

void ThreadTimeline::slot(const EngineSlot& slot) { add(slot.thread, {slot.at, slot.state, std::nullopt, slot.word}); }

void ThreadTimeline::cycle_done(Cycle at) { from_ = std::min(from_, at); }

}  // namespace nplab::simulator
