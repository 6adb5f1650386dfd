// Which packets a thread of a chip that stands still works on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/debugging/debug_target.h"

namespace nplab::experiments {

struct HeldPacket {
  std::uint32_t address = 0;  // of its bytes in SDRAM, from the first one on
  std::string place;          // "buffer in a3"; of a program without variables "a3"
};

// Those that the thread's own variables name. Of a program whose stages have no such variable, as
// one that is written in assembly, those whose bytes a register addresses. None while the thread
// looks for work.
std::vector<HeldPacket> held_packets(const DebugTarget& target,
                                     const simulator::RunVisitor::View& view, unsigned engine,
                                     simulator::ContextId context);

}  // namespace nplab::experiments
