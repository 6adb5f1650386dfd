// A mapping, from its file to a placement and the memories' initial contents.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "mappings/resolver/resolve.h"
#include "mappings/tables/build_progress.h"
#include "mappings/tables/memory_image.h"

namespace nplab::mappings {

struct PlacedMapping {
  Placement placement;
  MemoryImage memory;                           // tables, empty queues, free list of packet buffers
  std::map<std::string, std::uint64_t> facts;   // the table builder's
  double build_seconds = 0;                     // of the host, for building the tables once
  std::shared_ptr<const TableUpdater> updater;  // where updates are expected
};

// Sizes the tables, resolves, then builds the tables where they lie. All errors are reported; when
// there are any, from before too, nothing is returned.
std::optional<PlacedMapping> place_mapping(const ResolveInputs& inputs, Diagnostics& diagnostics,
                                           const BuildProgress& progress = {});

// The control blocks of all queues at 0, and the packet buffers' descriptors linked into free list
// 0: each block's first longword is the next one's address, 0 in the last; the list's head is
// buffers.descriptors_base.
void put_initial_state(const Placement& placement, MemoryImage& memory);

}  // namespace nplab::mappings
