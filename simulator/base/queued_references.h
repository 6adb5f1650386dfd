// References that are issued and not served yet.
#pragma once

#include <cstdint>

#include "simulator/base/command.h"
#include "simulator/base/moved_longwords.h"

namespace nplab::simulator {

struct QueuedReferences {
  std::uint64_t references = 0;
  std::uint64_t longwords = 0;  // that they will move

  void add(const Command& command) {
    ++references;
    longwords += moved_longwords(command.operation, command.count);
  }
  void add(const QueuedReferences& more) {
    references += more.references;
    longwords += more.longwords;
  }
};

}  // namespace nplab::simulator
