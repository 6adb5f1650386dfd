// Ranges of memory as the command line gives them: sram:0x100:8, sdram:0:table.txt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/run/exec.h"
#include "support/diagnostics.h"

namespace nplab::tools {

// MEMORY:ADDRESS:LONGWORDS; addresses are in bytes.
std::optional<simulator::LongwordRange> parse_memory_range(const std::string& text,
                                                           Diagnostics& diagnostics);

// MEMORY:ADDRESS:FILE; the longwords of the file, from that address on. The file has numbers
// (decimal or 0x) with blanks or line ends between them, and `#` begins a comment.
std::vector<simulator::InitialLongword> read_memory_contents(const std::string& text,
                                                             Diagnostics& diagnostics);

}  // namespace nplab::tools
