// The parts of a chip, run in windows of cycles: first every engine, then the command bus, the
// memory units, the FBI and the media as far as all engines have come. What a command does reaches
// an engine only some cycles after its issue (bus, wait in the unit, service), so engines may run
// as far ahead without seeing each other. A window ends at the earliest cycle in which an answer
// might come; all its facts carry their cycles, and each part takes only those stamped before its
// own. A window of one cycle is the same machine in lockstep.
#pragma once

#include <string>
#include <vector>

#include "simulator/base/external_units.h"
#include "simulator/base/window_control.h"
#include "simulator/bus/command_bus.h"
#include "simulator/bus/core_port.h"
#include "simulator/cache/cached_memory.h"
#include "simulator/engine/microengine.h"
#include "simulator/memory/scratch_unit.h"
#include "simulator/memory/sdram_memory.h"
#include "simulator/memory/sram_unit.h"

namespace nplab::simulator {

struct ChipParts {
  std::vector<Microengine*> engines;
  CommandBus* command_bus = nullptr;
  SramUnit* sram = nullptr;
  SdramMemory* sdram = nullptr;
  ScratchUnit* scratch = nullptr;
  FbiUnit* fbi = nullptr;
  MediaUnit* media = nullptr;         // none: a chip without ports
  CorePort* core = nullptr;           // none: the core processor does nothing
  ChipDevice* match = nullptr;        // none: a chip without a match unit
  std::vector<CachedMemory*> caches;  // of the memories that have some

  // Once the programs are loaded, before the first cycle: notifies the units of what these may
  // send.
  void announce_programs() const;

  // Runs a window: from `now`, up to which all parts have come, through cycles before its limit
  // (later than `now`; a window of one cycle is lockstep). Gives where it ended: the first cycle
  // that not all parts have done. It ends before its limit where an answer may come, and after the
  // cycle in which the last thread ends. Engines may be ahead of its end.
  [[nodiscard]] Cycle advance(Cycle now, const WindowLimits& limits) const;

  // Brings every part to the same cycle, `end`, the next to run: before anything of them is looked
  // at.
  void catch_up(Cycle end) const {
    for (Microengine* engine : engines)
      engine->catch_up(end);
  }

  [[nodiscard]] MemoryStorage& storage(isa::MemorySpace space) const;

  struct Named {
    std::string name;
    const Inspectable* part = nullptr;
  };
  // In the order of their phases.
  [[nodiscard]] std::vector<Named> inspectables() const;
  [[nodiscard]] unsigned live_threads() const;
  // Of all parts, in this order; compare it at one cycle.
  [[nodiscard]] std::uint64_t state_hash() const;
  // What every thread and queue waits for.
  [[nodiscard]] std::vector<std::string> waiting() const;

 private:
  enum class Progress { kAll, kFactMissing, kNoThreads };
  struct Reached {
    Cycle at;
    Progress progress = Progress::kAll;
  };
  // Runs engines to `horizon`, where they can by themselves to `ahead`, and gives how far all with
  // threads have come, or the last one, if none has any left.
  [[nodiscard]] Reached run_engines(Cycle now, Cycle horizon, Cycle ahead) const;
  // No reference is issued before this cycle, unless an answer comes that has not been given.
  [[nodiscard]] Cycle earliest_issue(Cycle now) const;
  // No answer comes before this cycle that has not been given before `now`.
  [[nodiscard]] Cycle earliest_answer(Cycle now) const;
};

}  // namespace nplab::simulator
