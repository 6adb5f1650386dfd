// A simulated fault: the program did what the machine cannot do. It ends the run as an event of the
// simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/base/ids.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

struct Fault {
  enum class Kind {
    kIllegalInstruction,   // a word that no instruction has, or an operation this engine cannot do
    kControlStoreOverrun,  // the program counter left the program
    kIllegalReference,     // misaligned or outside the memory, a register of the FBI that does not
                           // exist
    kQueueOverrun,         // more was asked of a queue than it holds
    kProgramAborted,       // abort()
  };
  Kind kind{};
  Cycle at;
  std::optional<ThreadId> thread;   // whose instruction or reference it was, if any
  std::optional<std::uint32_t> pc;  // in words
  std::string source;  // FILE:LINE of the instruction, when known; filled in by the run
  std::string message;
};

}  // namespace nplab::simulator
