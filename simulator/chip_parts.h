// The parts of a chip in the order in which a window of cycles runs through them: engines, command bus, memory units,
// FBI, media. Within a window every part takes only facts stamped before its own cycle, so a window may be as long as
// no part's output can reach another inside it: one cycle, as here, always holds. Parts that nobody can notice in a
// cycle are left behind and catch up later.
#pragma once

#include <vector>

#include "simulator/command_bus.h"
#include "simulator/external_units.h"
#include "simulator/microengine.h"
#include "simulator/scratch_unit.h"
#include "simulator/sdram_unit.h"
#include "simulator/sram_unit.h"

namespace nplab::simulator {

struct ChipParts {
  std::vector<Microengine*> engines;
  CommandBus* command_bus = nullptr;
  SramUnit* sram = nullptr;
  SdramUnit* sdram = nullptr;
  ScratchUnit* scratch = nullptr;
  FbiUnit* fbi = nullptr;
  MediaUnit* media = nullptr;  // none: a chip without ports

  // Runs every part through cycle `at`.
  void run_cycle(Cycle at) const {
    const Cycle horizon = at + 1;
    for (Microengine* engine : engines)
      if (engine->quiet_until() <= at) engine->run(horizon);
    command_bus->run(horizon);
    sram->run(horizon);
    sdram->run(horizon);
    scratch->run(horizon);
    if (fbi->next_event() <= at) fbi->run(horizon);
    if (media != nullptr) media->run(horizon);
  }

  // Brings every part to the same cycle, `end`, the next to run: before anything of them is looked at.
  void catch_up(Cycle end) const {
    for (Microengine* engine : engines) engine->run(end);
    fbi->run(end);
  }

  [[nodiscard]] std::vector<const Inspectable*> inspectables() const;
  [[nodiscard]] unsigned live_threads() const;
  // Of all parts, in this order; compare it at one cycle.
  [[nodiscard]] std::uint64_t state_hash() const;
  // What every thread and queue waits for.
  [[nodiscard]] std::vector<std::string> waiting() const;
};

}  // namespace nplab::simulator
