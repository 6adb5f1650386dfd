// The readers behind `parse_traffic`.
#pragma once

#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

bool is_capture(std::string_view bytes);

// Ethernet captures of libpcap's formats. A damaged or truncated file is an error that names the
// record.
std::optional<Traffic> parse_capture(const InputFile& file, Diagnostics& diagnostics);

// Lines `SA DA SP DP PROTO ...`, decimal; `#` begins a comment. A first comment line that names the
// columns (`# len SA DA SP DP PROTO`) says where they stand.
std::optional<Traffic> parse_header_trace(const InputFile& file, std::size_t frame_bytes,
                                          Diagnostics& diagnostics);

// A trace of keys (parse_key_trace), with a frame around each.
std::optional<Traffic> parse_framed_keys(const InputFile& file, std::size_t frame_bytes,
                                         const KeyLayout& layout, Diagnostics& diagnostics);

}  // namespace nplab::workloads
