// Resources that cost nothing in a run: what would be without them.
#pragma once

#include <string>
#include <vector>

#include "isa/program_image.h"
#include "simulator/run/simulation.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// What `--without` takes, for help texts and errors.
inline constexpr const char* kWithoutHelp =
    "engine5, engine1-4 (their words take no time), sram, sdram, scratch (references never wait "
    "for "
    "the bus), ports (a line rate eight times as high), match (a match unit with eight times the "
    "clock and channels), aborts (no cycle is aborted) or polling (a "
    "thread that waits takes neither its "
    "engine's cycles nor a bus)";

// Reports names that are none of these, and engines that a chip with `engines` does not have.
void check_without(const std::vector<std::string>& resources, unsigned engines,
                   Diagnostics& diagnostics);

// Makes them free in `inputs`, whose programs are loaded; the names must be right.
void free_resources(const std::vector<std::string>& resources, simulator::SimulationInputs& inputs);

}  // namespace nplab::experiments
