// What a program written by hand learns of the mapping it stands in.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "mappings/composition/composition.h"

namespace nplab::mappings {

// Names and values: DIMENSIONS, RULES, PARAM_..., TUNE_..., TABLE_..., BUFFERS_BASE,
// DESCRIPTORS_BASE, COUNTERS_BASE, and for every queue that leads to or from the stage
// QUEUE_NAME_BASE (of its first ring), _RINGS, _RING_BYTES, _ENTRIES and _ENTRY_BYTES.
std::map<std::string, std::uint32_t> program_symbols(const CompositionInputs& inputs,
                                                     const Stage& stage);

// For every queue of the stage, in C: the symbols as macros; NAME_RINGS(rank), the number of rings
// that the thread of that rank uses; u32 NAME_ring(u32 rank, u32 turn), the base of one of them.
std::string ring_functions(const CompositionInputs& inputs, const Stage& stage);

}  // namespace nplab::mappings
