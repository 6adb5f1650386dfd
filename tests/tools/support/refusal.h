// Input that the command refuses.
#pragma once

#include <catch2/catch.hpp>

#include "tests/tools/support/command.h"

namespace nplab::tools::testing {

// Runs in `folder`, asking for every kind of output, and requires that none is written.
inline Outcome refused(const ScratchFolder& folder, const Words& words) {
  const auto before = folder.names();
  Outcome outcome = call_nplab(words, folder.path());
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(folder.names() == before);
  return outcome;
}

}  // namespace nplab::tools::testing
