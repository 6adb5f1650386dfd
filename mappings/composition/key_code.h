// The C code that reads a packet's key from its buffer: one burst of SDRAM a packet and stage.
#pragma once

#include <string>
#include <vector>

#include "workloads/packets/key_layout.h"

namespace nplab::mappings {

// Statements that declare `u32 field_D` for each of `dimensions`, of a field of over 32 bits
// `u32 field_D_high` for the bits above the lower 32 too, and fill them from the buffer at
// `buffer`, whose frame `info` describes; `leave` is the statement that runs if the frame has
// no such key.
std::string key_code(const workloads::KeyLayout& layout, const std::vector<unsigned>& dimensions,
                     const std::string& leave);

// The macros that key_ipv4.h is compiled by.
std::string key_macros(const workloads::KeyLayout& layout, workloads::L4Key l4);

}  // namespace nplab::mappings
