#include "experiments/run/timeline_record.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "experiments/prepare/record_names.h"
#include "experiments/record/queue_entries.h"
#include "experiments/run/replay.h"
#include "isa/operations.gen.h"

namespace nplab::experiments {
namespace {

using simulator::ContextState;

std::string timeline_state(const simulator::TimelineSlice& slice) {
  if (!slice.state)
    return "unobserved";
  if (slice.state != ContextState::kWaiting)
    return to_string(*slice.state);
  return "waiting " + std::string(isa::to_string(*slice.waits_for));
}

// The text's number among `known`, which it joins when it is new.
reports::Count number_among(std::vector<std::string>& known, const std::string& text) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found != known.end())
    return static_cast<reports::Count>(found - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

// A thread that does nothing at any time looked at.
bool is_off(const simulator::ThreadTimeline::Thread& thread) {
  return std::all_of(thread.slices.begin(), thread.slices.end(),
                     [](const simulator::TimelineSlice& slice) {
                       return !slice.state || slice.state == ContextState::kOff;
                     });
}

// Figures of cycles after the last range are left out: a run may go on after it, or end with
// it.
reports::TimelineThread thread_row(const simulator::ThreadTimeline& timeline,
                                   const simulator::ThreadTimeline::Thread& thread,
                                   reports::Timeline& record) {
  reports::TimelineThread row{thread.id.engine.index(), thread.id.context.index(), {}, {}, {}};
  for (const simulator::TimelineSlice& slice : thread.slices) {
    if (slice.from.number() >= record.to)
      break;
    const reports::Count state = number_among(record.states, timeline_state(slice));
    const reports::Count place = number_among(record.places, timeline.source(thread, slice));
    if (!row.from.empty() && row.state.back() == state && row.place.back() == place)
      continue;
    row.from.push_back(slice.from.number());
    row.state.push_back(state);
    row.place.push_back(place);
  }
  return row;
}

reports::TimelineQueue queue_row(const simulator::ThreadTimeline::QueueTimeline& queue,
                                 reports::Count end) {
  reports::TimelineQueue row{queue.name, queue.capacity, {}, {}};
  for (const auto& depth : queue.depths) {
    if (depth.from.number() >= end)
      break;
    row.from.push_back(depth.from.number());
    row.depth.push_back(depth.entries);
  }
  return row;
}

// All rings of a queue of the mapping: what they hold together, at the changes of any.
reports::TimelineQueue ring_sums(const std::vector<simulator::ThreadTimeline::Depths>& rings,
                                 std::size_t first, const mappings::Queue& queue,
                                 reports::Count end) {
  std::map<reports::Count, std::int64_t> changes;  // by cycle
  for (std::size_t ring = first; ring < first + queue.instances.size(); ++ring) {
    std::int64_t before = 0;
    for (const auto& depth : rings[ring]) {
      changes[depth.from.number()] += std::int64_t{depth.entries} - before;
      before = depth.entries;
    }
  }
  reports::TimelineQueue row{queue.name, capacity_of(queue), {}, {}};
  std::int64_t entries = 0;
  for (const auto& [cycle, change] : changes) {
    if (cycle >= end)
      break;
    entries += change;
    if (change == 0)
      continue;
    row.from.push_back(cycle);
    row.depth.push_back(static_cast<reports::Count>(entries));
  }
  return row;
}

// A run may end within the range that was asked for.
std::optional<std::string> name_of_range(const simulator::CycleRange& range,
                                         const std::vector<NamedRange>& named) {
  for (const NamedRange& one : named)
    if (one.cycles.from == range.from && !one.name.empty())
      return one.name;
  return std::nullopt;
}

simulator::Observation observation_of(const std::vector<NamedRange>& ranges,
                                      simulator::RunObserver& observer) {
  simulator::Observation observation{&observer, ranges.front().cycles.from,
                                     ranges.front().cycles.to};
  for (std::size_t i = 1; i < ranges.size(); ++i)
    observation.later.push_back(ranges[i].cycles);
  return observation;
}

std::optional<reports::Timeline> timeline_record(const simulator::ThreadTimeline& timeline,
                                                 const mappings::Placement& placement,
                                                 const std::vector<NamedRange>& named) {
  const auto& ranges = timeline.ranges();
  if (ranges.empty())
    return std::nullopt;
  reports::Timeline record;
  record.from = ranges.front().from.number();
  record.to = ranges.back().to.number();
  for (const simulator::CycleRange& range : ranges)
    record.ranges.push_back({range.from.number(), range.to.number(), name_of_range(range, named)});
  for (const simulator::ThreadTimeline::Thread& thread : timeline.threads())
    if (!is_off(thread))
      record.threads.push_back(thread_row(timeline, thread, record));
  for (const simulator::ThreadTimeline::QueueTimeline& queue : timeline.queues())
    if (!queue.depths.empty())
      record.queues.push_back(queue_row(queue, record.to));
  std::size_t ring = 0;
  for (const mappings::Queue& queue : placement.queues) {
    auto row = ring_sums(timeline.rings(), ring, queue, record.to);
    if (!row.from.empty())
      record.queues.push_back(std::move(row));
    ring += queue.instances.size();
  }
  return record;
}

}  // namespace

void TimelineCollector::attach(simulator::SimulationInputs& inputs) {
  if (request_.slowest_before)
    inputs.verdicts = &slowest_.emplace(checks_, *request_.slowest_before);
  else
    inputs.observation = observation_of(request_.ranges, timeline_);
}

std::optional<reports::Timeline> TimelineCollector::collect(
    const Experiment& experiment, const std::vector<CompiledProgram>& programs) {
  auto ranges = request_.ranges;
  std::optional<Replay> replay;  // slices name their source lines by its programs
  if (slowest_ && slowest_->slowest())
    ranges = ranges_with(std::move(ranges), *slowest_->slowest(), *request_.slowest_before);
  if (slowest_ && !ranges.empty())
    replay.emplace(experiment, programs).run(nullptr, observation_of(ranges, timeline_));
  return timeline_record(timeline_, experiment.placement(), ranges);
}

}  // namespace nplab::experiments
