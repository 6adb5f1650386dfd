#include "simulator/chip_parts.h"

#include "simulator/state_hash.h"

namespace nplab::simulator {

std::vector<const Inspectable*> ChipParts::inspectables() const {
  std::vector<const Inspectable*> parts(engines.begin(), engines.end());
  parts.insert(parts.end(), {command_bus, sram, sdram, scratch, fbi});
  if (media != nullptr) parts.push_back(media);
  return parts;
}

unsigned ChipParts::live_threads() const {
  unsigned live = 0;
  for (const Microengine* engine : engines) live += engine->live_threads();
  return live;
}

std::uint64_t ChipParts::state_hash() const {
  StateHash hash;
  for (const Inspectable* part : inspectables()) part->hash(hash);
  return hash.value();
}

std::vector<std::string> ChipParts::waiting() const {
  std::vector<std::string> lines;
  for (const Inspectable* part : inspectables()) part->describe_waiting(lines);
  return lines;
}

}  // namespace nplab::simulator
