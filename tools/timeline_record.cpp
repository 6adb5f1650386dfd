#include "tools/timeline_record.h"

#include <algorithm>

#include "isa/operations.gen.h"
#include "tools/record_names.h"

namespace nplab::tools {
namespace {

using simulator::ContextState;

std::string timeline_state(const simulator::TimelineSlice& slice) {
  if (slice.state != ContextState::kWaiting) return to_string(slice.state);
  return "waiting " + std::string(isa::to_string(*slice.waits_for));
}

// The text's number among `known`, which it joins when it is new.
reports::Count number_among(std::vector<std::string>& known, const std::string& text) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found != known.end()) return static_cast<reports::Count>(found - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

}  // namespace

std::optional<reports::Timeline> timeline_record(const simulator::ThreadTimeline& timeline) {
  if (timeline.from() >= timeline.to()) return std::nullopt;
  reports::Timeline record{timeline.from().number(), timeline.to().number(), {}, {}, {}};
  for (const simulator::ThreadTimeline::Thread& thread : timeline.threads()) {
    const bool is_off = std::all_of(thread.slices.begin(), thread.slices.end(), [](const auto& slice) { return slice.state == ContextState::kOff; });
    if (is_off) continue;
    reports::TimelineThread row{thread.id.engine.index(), thread.id.context.index(), {}, {}, {}};
    for (const simulator::TimelineSlice& slice : thread.slices) {
      const reports::Count state = number_among(record.states, timeline_state(slice));
      const reports::Count place = number_among(record.places, timeline.source(thread, slice));
      if (!row.from.empty() && row.state.back() == state && row.place.back() == place) continue;
      row.from.push_back(slice.from.number());
      row.state.push_back(state);
      row.place.push_back(place);
    }
    record.threads.push_back(std::move(row));
  }
  return record;
}

}  // namespace nplab::tools
