// The C code that reads a packet's key from its buffer: one burst of SDRAM a packet and stage.
#pragma once

#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "workloads/packets/key_layout.h"

namespace nplab::mappings {

// Statements that declare `u32 field_D` for each of `dimensions` and fill it from the buffer at
// `buffer`, whose frame `info` describes; `leave` is the statement that runs if the frame has
// no such key. Reports a fixed field of over 32 bits.
std::string key_code(const workloads::KeyLayout& layout, const std::vector<unsigned>& dimensions,
                     const std::string& leave, Diagnostics& diagnostics);

// The macros that key_ipv4.h is compiled by.
std::string key_macros(const workloads::KeyLayout& layout, workloads::L4Key l4);

}  // namespace nplab::mappings
