// Words of generated C that several generators share.
#pragma once

#include <string>

#include "isa/program_image.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

inline constexpr unsigned kRegisterBits = 32;  // of an engine, and of C's u32

// `__sram`, `__sdram`, `__scratch`.
std::string memory_qualifier(isa::MemorySpace space);

// The local variable that holds an element of metadata: `rule`, `vector_2`.
std::string metadata_variable(const MetadataElement& element);

// The local variable that holds a packet field: `field_0`.
std::string field_variable(unsigned dimension);

// The local variable that holds the bits above the lower 32 of a wide packet field: `field_0_high`.
std::string high_field_variable(unsigned dimension);

// Every line but empty ones and directives moved to the right by 2 x depth columns.
std::string indented(const std::string& text, unsigned depth);

std::string upper_case(const std::string& name);

// A C expression that is values[i] for i = `index`: affine where the values are, otherwise a chain
// of conditions.
std::string indexed_constant(const std::string& index, const std::vector<std::uint32_t>& values);

}  // namespace nplab::mappings
