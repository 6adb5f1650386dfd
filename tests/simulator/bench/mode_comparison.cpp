#include "tests/simulator/bench/mode_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "simulator/base/state_hash.h"

namespace nplab::test {
namespace {

using namespace simulator;

struct PartHash {
  std::string part;
  std::uint64_t hash = 0;
};

struct Outcome {
  SimulationResult result;
  std::vector<PartHash> parts;
};

Outcome outcome(const MakeRun& make, const SetMode& set_mode, Cycle stop) {
  PreparedRun run = make();
  set_mode(run.inputs);
  if (!run.inputs.stop.at || stop < *run.inputs.stop.at)
    run.inputs.stop.at = stop;
  Outcome made;
  run.inputs.inspect = [&made](const ChipParts& parts) {
    for (const ChipParts::Named& named : parts.inspectables()) {
      StateHash hash;
      named.part->hash(hash);
      made.parts.push_back({named.name, hash.value()});
    }
  };
  made.result = simulate(run.inputs, Kernel::kNone);
  return made;
}

void add(std::string& text, const MemoryCounters& unit) {
  text += fmt::format("{} {} {} {} {} {} {} {}\n", unit.active_cycles, unit.references,
                      unit.longwords, unit.queue_peak, unit.total_latency, unit.latency_p99,
                      unit.under_way.references, unit.under_way.longwords);
}

void add(std::string& text, const EngineCounters& engine) {
  text += fmt::format("{} {} {} {} {} {}\n", engine.executing, engine.aborted, engine.stalled,
                      engine.idle, fmt::join(engine.aborted_by, " "),
                      fmt::join(engine.stalled_on, " "));
  for (const ThreadCounters& thread : engine.threads)
    text += fmt::format("{} {} {} {} {} {} {} {} {}\n", thread.executing, thread.aborted,
                        thread.stalled, thread.ready, thread.off, fmt::join(thread.waiting_on, " "),
                        fmt::join(thread.idle.waiting_on, " "), thread.idle.ready, thread.idle.off);
  for (const WordCounters& word : engine.words)
    text += fmt::format("{} {} {} {} {} {} {} {}\n", word.executing, word.aborted, word.stalled,
                        word.waiting, word.references, word.longwords,
                        fmt::join(word.stalled_on, " "), fmt::join(word.waiting_on, " "));
}

void add(std::string& text, const PortCounters& port) {
  for (const DirectionCounters* direction : {&port.received, &port.sent})
    text += fmt::format("{} {} {}\n", direction->frames, direction->bytes,
                        direction->first_start.value_or(Cycle::never()).number());
  text += fmt::format("{} {} {} {}\n", port.wire.offered, port.wire.missed, port.wire.truncated,
                      port.wire.illegal);
}

// Everything that a run counts.
std::string counts(const SimulationResult& result) {
  std::string text = fmt::format("{} {:x}\n", result.cycles, result.state_hash);
  for (const MemoryCounters* unit : {&result.sram, &result.sdram, &result.scratch})
    add(text, *unit);
  for (const EngineCounters& engine : result.engines)
    add(text, engine);
  const FrameCounters& frames = result.frames;
  text += fmt::format("{} {} {} {} {} {}\n", frames.received, frames.sent, frames.classified,
                      frames.reordered, fmt::join(frames.dropped, " "), result.violation_count);
  for (const PortCounters& port : result.ports)
    add(text, port);
  for (const ThreadDrops& drops : result.drops)
    text += fmt::format("{}\n", fmt::join(drops, " "));
  for (const RingCounters& ring : result.rings)
    text += fmt::format("{} {} {}\n", ring.put, ring.taken, ring.peak);
  text += fmt::format("{}\n", result.samples.interval);
  for (const RunSample& sample : result.samples.samples) {
    text += fmt::format("{} {} {} {}\n", sample.received, sample.sent, sample.in_flight,
                        fmt::join(sample.ring_entries, " "));
    for (const MemorySample& unit : {sample.sram, sample.sdram, sample.scratch})
      text += fmt::format("{} {}\n", unit.active_cycles, unit.references);
  }
  const PacketLatency& latency = result.latency;
  text +=
      fmt::format("{} {} {} {} {} {} {} {}\n", latency.min, latency.p50, latency.p90, latency.p99,
                  latency.max, result.frames_in_flight, frames.altered, frames.sent_again);
  for (const std::string& violation : result.violations)
    text += violation + "\n";
  if (result.fault)
    text += fmt::format("fault in {}: {}\n", result.fault->at.number(), result.fault->message);
  return text;
}

std::vector<std::string> differing_parts(const Outcome& one, const Outcome& other) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < one.parts.size(); ++i)
    if (one.parts[i].hash != other.parts[i].hash)
      parts.push_back(one.parts[i].part);
  return parts;
}

}  // namespace

void in_lockstep(SimulationInputs& inputs) {
  inputs.mode = Mode::kLockstep;
}

void in_windows(SimulationInputs& inputs) {
  inputs.mode = Mode::kWindows;
}

std::string difference(const MakeRun& make, const SetMode& one, const SetMode& other) {
  const Outcome first = outcome(make, one, Cycle::never()),
                second = outcome(make, other, Cycle::never());
  if (counts(first.result) == counts(second.result))
    return {};
  // Equal before `same`, different before `differs`.
  std::uint64_t same = 0, differs = std::min(first.result.cycles, second.result.cycles);
  const auto parts_behind = [&](std::uint64_t cycles) {
    return differing_parts(outcome(make, one, Cycle(cycles)), outcome(make, other, Cycle(cycles)));
  };
  std::vector<std::string> parts = parts_behind(differs);
  if (parts.empty()) {
    return fmt::format(
        "same state after {} cycles, but the runs end after {} and {}, or count differently",
        differs, first.result.cycles, second.result.cycles);
  }
  while (differs - same > 1) {
    const std::uint64_t middle = same + (differs - same) / 2;
    auto found = parts_behind(middle);
    if (found.empty()) {
      same = middle;
    } else {
      differs = middle;
      parts = std::move(found);
    }
  }
  return fmt::format("the first difference is after cycle {}, in {}", differs - 1,
                     fmt::join(parts, ", "));
}

}  // namespace nplab::test
