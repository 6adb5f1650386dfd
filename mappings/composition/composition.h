// Composition: from a resolved mapping to one C program for each microengine. Stages become
// functions, their tasks are called one after another with the metadata in local variables, and the
// code of queues, key loading and verdicts is generated; what an engine's threads do is chosen by
// their context number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"
#include "support/diagnostics.h"
#include "workloads/packets/key_layout.h"

namespace nplab::mappings {

struct CompositionInputs {
  const Placement& placement;
  const workloads::KeyLayout& key;
  workloads::L4Key l4_key;
  // With lossless arrival nothing is dropped for want of room: receive waits for buffers and for
  // its queue.
  bool lossless = false;
};

struct ComposedProgram {
  unsigned engine = 0;
  std::string role;    // names of its stages
  std::string name;    // of the generated source, `bv1-engine1.c`
  std::string source;  // C text; empty when `file` is written by hand in another language
  std::string file;    // of a program written by hand
  std::map<std::string, std::uint32_t>
      symbols;                     // what a program written by hand may name; C has them as macros
  std::vector<unsigned> contexts;  // enabled, ascending
};

// One program for every engine that has a stage, by engine number. Tasks and the library are
// included by paths relative to the folder `mappings/` and to the algorithm's own.
std::optional<std::vector<ComposedProgram>> compose(const CompositionInputs& inputs,
                                                    Diagnostics& diagnostics);

}  // namespace nplab::mappings
