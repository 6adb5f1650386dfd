// Linking: a mapping, its algorithm's manifest and a chip, joined and checked as far as that goes
// without a rule set.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"

namespace nplab::mappings {

// What a placement needs to know about the chip.
struct ChipFacts {
  std::string name;
  unsigned engines = 0;
  unsigned contexts = 0;  // of an engine
  unsigned control_store_words = 0;
  std::map<isa::MemorySpace, std::uint64_t> memory_bytes;
  unsigned ports = 0;  // of the media
  // Of SRAM: a cache before it does that, the unit by itself does not.
  bool has_compare_and_swap = false;
  // Units beside the engines, and where their mailboxes begin in SRAM.
  std::map<std::string, std::uint32_t> units = {};
};

struct LinkedMapping;  // linked_mapping.h

// Joins stages and queues, gives stages their threads and queues their rings, and reports what is
// wrong with that and with the mapping's parameters, tables, task names and memory names. Always
// gives a value, so that place() finds the other errors in the same run.
std::shared_ptr<const LinkedMapping> link(const MappingFile& mapping, const Manifest& manifest,
                                          const ChipFacts& chip, Diagnostics& diagnostics);

// Checks the order of the tasks where there is no rule set to place the mapping with: for rules of
// as many dimensions as the mapping's task selections name, within the manifest's limits.
void check_without_rules(const LinkedMapping& linked, Diagnostics& diagnostics);

}  // namespace nplab::mappings
