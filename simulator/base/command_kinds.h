// What the loaded programs may send, as far as it decides how far engines may run ahead: the
// commands that come back soonest need not bound a window if no program has them.
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace nplab::simulator {

struct CommandKinds {
  bool sram_unlock = false;     // sram[unlock], which does not pass the SRAM bus
  bool thread_signals = false;  // writes of FBI registers that signal threads
  bool auto_push = false;       // writes of the register that switches the automatic push on
};

// Whether a write of the FBI register notifies threads at once.
constexpr bool signals_threads(std::uint16_t csr) {
  using Register = isa::ControlStatusRegister;
  switch (static_cast<Register>(csr)) {
    case Register::kInterThreadSignal:
    case Register::kSequenceNumber1:
    case Register::kSequenceNumber2:
    case Register::kIncrementSequence1:
    case Register::kIncrementSequence2: return true;
    default: return false;
  }
}

constexpr bool switches_auto_push(std::uint16_t csr) {
  return static_cast<isa::ControlStatusRegister>(csr) ==
         isa::ControlStatusRegister::kReceiveReadyCount;
}

}  // namespace nplab::simulator
