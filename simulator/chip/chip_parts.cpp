#include "simulator/chip/chip_parts.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/state_hash.h"

namespace nplab::simulator {

void ChipParts::announce_programs() const {
  CommandKinds kinds;
  for (const Microengine* engine : engines)
    engine->add_to(kinds);
  sram->expect(kinds);
  fbi->expect(kinds);
  for (Microengine* engine : engines)
    engine->expect(kinds);
}

MemoryStorage& ChipParts::storage(isa::MemorySpace space) const {
  switch (space) {
    case isa::MemorySpace::kSram: return sram->storage();
    case isa::MemorySpace::kSdram: return sdram->storage();
    case isa::MemorySpace::kScratch: break;
  }
  return scratch->storage();
}

Cycle ChipParts::earliest_issue(Cycle now) const {
  Cycle earliest = now + kReach;
  if (core != nullptr)
    earliest = std::min(earliest, core->earliest_issue(now));
  for (const Microengine* engine : engines)
    if (engine->live_threads() != 0)
      earliest = std::min(earliest, engine->earliest_issue());
  return earliest;
}

Cycle ChipParts::earliest_answer(Cycle now) const {
  const Cycle arrival = command_bus->earliest_arrival(earliest_issue(now));
  Cycle earliest = std::min({sram->earliest_answer(arrival), sdram->earliest_answer(arrival),
                             scratch->earliest_answer(arrival), fbi->earliest_answer(arrival)});
  for (const CachedMemory* cached : caches)
    earliest = std::min(earliest, cached->earliest_answer(arrival));
  return earliest;
}

ChipParts::Reached ChipParts::run_engines(Cycle now, Cycle horizon, Cycle ahead) const {
  Cycle reached = horizon;
  if (core != nullptr)
    core->run(horizon);
  for (Microengine* engine : engines) {
    if (engine->now() >= horizon)
      continue;  // in an earlier round or window
    if (engine->live_threads() == 0) {
      // Signals to all threads must not pile up at an engine without threads.
      engine->idle_until(now);
      continue;
    }
    engine->run(horizon, ahead);
    if (engine->live_threads() != 0)
      reached = std::min(reached, engine->now());
  }
  if (reached < horizon)
    return {reached, Progress::kFactMissing};
  const auto has_threads = [](const Microengine* engine) { return engine->live_threads() != 0; };
  if (std::any_of(engines.begin(), engines.end(), has_threads))
    return {horizon, Progress::kAll};
  Cycle last_end = now + 1;
  for (const Microengine* engine : engines)
    last_end = std::max(last_end, engine->now());
  return {last_end, Progress::kNoThreads};
}

Cycle ChipParts::advance(Cycle now, const WindowLimits& limits) const {
  assert(now < limits.end && "a window has a cycle");
  Cycle horizon = limits.end;
  // An answer stamped d is seen in d + 1.
  if (now + 1 < horizon)
    horizon = std::min({horizon, now + kReach, std::max(now, earliest_answer(now)) + 1});
  const Cycle ahead = std::max(horizon, std::min(limits.engines, now + kReach));
  for (Cycle before = now;;) {
    const auto [reached, progress] = run_engines(before, horizon, ahead);
    assert(reached > before && "a cycle whose facts are all known is done");
    command_bus->run(reached);
    for (CachedMemory* cached : caches)
      cached->run(reached);
    sram->run(reached);
    if (match != nullptr)
      match->run(reached);
    sdram->run(reached);
    scratch->run(reached);
    fbi->run(reached);
    if (progress != Progress::kFactMissing) {
      if (media != nullptr)
        media->run(reached);
      return reached;
    }
    // An engine lacked a grant or an input state, which is known now.
    before = reached;
  }
}

std::vector<ChipParts::Named> ChipParts::inspectables() const {
  std::vector<Named> parts;
  for (const Microengine* engine : engines)
    parts.push_back({"engine" + std::to_string(engine->id().index()), engine});
  for (const Named& part : {Named{"command_bus", command_bus}, Named{"sram", sram},
                            Named{"sdram", sdram}, Named{"scratch", scratch}, Named{"fbi", fbi}})
    parts.push_back(part);
  if (media != nullptr)
    parts.push_back({"media", media});
  if (core != nullptr)
    parts.push_back({"core", core});
  for (const CachedMemory* cached : caches)
    parts.push_back({cached->memory() + "_cache", cached});
  if (match != nullptr)
    parts.push_back({"match", match});
  return parts;
}

unsigned ChipParts::live_threads() const {
  unsigned live = 0;
  for (const Microengine* engine : engines)
    live += engine->live_threads();
  return live;
}

std::uint64_t ChipParts::state_hash() const {
  StateHash hash;
  for (const Named& named : inspectables())
    named.part->hash(hash);
  return hash.value();
}

std::vector<std::string> ChipParts::waiting() const {
  std::vector<std::string> lines;
  for (const Named& named : inspectables())
    named.part->describe_waiting(lines);
  return lines;
}

}  // namespace nplab::simulator
