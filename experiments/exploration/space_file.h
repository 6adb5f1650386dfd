// What a search may choose from: the values of every axis of the space of mappings, the default
// ones of an algorithm and a chip, or those of a space file (docs/space-file.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/task_graph.h"
#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "mappings/resolver/link.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

enum class EngineSharing {
  kOwn,   // each stage of tasks has engines of its own
  kPool,  // all stages of tasks run on each engine of a pool
};

// Whether the engine that transmits also receives.
enum class PortEngines { kApart, kTogether };

struct QueueShape {
  mappings::QueuePer per = mappings::QueuePer::kShared;
  mappings::QueueRoute route = mappings::QueueRoute::kOwn;
  mappings::QueueMemory memory = mappings::QueueMemory::kSram;
  std::uint32_t entries = 1;
  mappings::QueueSync sync = mappings::QueueSync::kAuto;
  mappings::QueueWait wait = mappings::QueueWait::kPoll;
  mappings::QueueOrder order = mappings::QueueOrder::kNone;
  std::uint32_t quantum = 1;
  std::uint32_t poll_cycles = 0;
  friend bool operator==(const QueueShape&, const QueueShape&) = default;
};
// `shared, 128 entries in sram`, and what differs from the defaults of mappings.
std::string to_string(const QueueShape& shape);

// The values of every key of a queue; its shapes are their combinations.
struct QueueValues {
  std::vector<mappings::QueuePer> per;
  std::vector<mappings::QueueRoute> route{mappings::QueueRoute::kOwn};
  std::vector<mappings::QueueMemory> memory;
  std::vector<std::uint32_t> entries;
  std::vector<mappings::QueueSync> sync{mappings::QueueSync::kAuto};
  std::vector<mappings::QueueWait> wait{mappings::QueueWait::kPoll};
  std::vector<mappings::QueueOrder> order{mappings::QueueOrder::kNone};
  std::vector<std::uint32_t> quantum{1};
  std::vector<std::uint32_t> poll_cycles{0};

  [[nodiscard]] std::vector<QueueShape> shapes() const;
};

// The values of an axis; the first is where a search starts.
struct SpaceDescription {
  std::string name;
  std::string summary;
  CutLimits cuts;
  std::vector<EngineSharing> sharing;
  unsigned most_engines = 0;
  std::vector<unsigned> engines_per_stage;
  bool takes_rest = false;        // a stage may also have all engines that the others leave
  std::vector<unsigned> threads;  // on each engine
  std::vector<unsigned> receive_engines;
  std::vector<unsigned> transmit_threads;
  std::vector<PortEngines> port_engines;
  QueueValues received;
  QueueValues between;
  QueueValues classified;
  std::map<std::string, std::vector<isa::MemorySpace>> tables;  // every one of the manifest
  std::map<std::string, std::vector<std::int64_t>> parameters;  // every one of the manifest
  std::vector<mappings::Optimize> optimize;
  std::uint32_t buffers = 0;
  std::string sha256;  // of the file; empty: the default space
};

SpaceDescription default_space(const mappings::Manifest& manifest, const mappings::ChipFacts& chip);

// The default space with the axes that the file gives in place of its own. All errors are reported;
// then nothing is returned.
std::optional<SpaceDescription> read_space(const std::string& path,
                                           const mappings::Manifest& manifest,
                                           const mappings::ChipFacts& chip,
                                           Diagnostics& diagnostics);

}  // namespace nplab::experiments
