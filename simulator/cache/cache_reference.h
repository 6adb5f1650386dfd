// A reference on its way through a cache, and what it needs of its lines.
#pragma once

#include <cstdint>

#include "simulator/base/command.h"

namespace nplab::simulator {

// An engine's read or write that a cache may perform: without effect on a lock.
[[nodiscard]] bool is_read(const Command& command);
[[nodiscard]] bool is_write(const Command& command);

struct LineSpan {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};
// The lines of `line_bytes` that hold what a command refers to.
[[nodiscard]] LineSpan lines_of(const Command& command, std::uint32_t line_bytes);

// What a reference needs of its lines.
enum class Need : std::uint8_t {
  kNothing,  // the memory performs it
  kShared,
  kSharedThenMemory,  // a write through that allocates
  kModified,
};

struct CacheReference {
  CacheReference(const Command& from, Cycle at, std::uint32_t line_bytes)
      : command(from), arrival(at) {
    const LineSpan span = lines_of(from, line_bytes);
    first_line = span.first;
    lines = span.last - span.first + 1;
  }

  [[nodiscard]] bool has(std::uint32_t line) const { return line - first_line < lines; }
  [[nodiscard]] bool waits_for(std::uint32_t line) const {
    return has(line) && (missing >> (line - first_line) & 1) != 0;
  }
  void came(std::uint32_t line) {
    if (has(line))
      missing &= ~(1u << (line - first_line));
  }
  [[nodiscard]] bool is_ready() const { return looked_up == lines && missing == 0; }

  Command command;
  Cycle arrival;
  Need need{};
  std::uint32_t first_line = 0;
  unsigned lines = 0;
  unsigned looked_up = 0;
  std::uint32_t missing = 0;  // bit n: line first_line + n is on its way
};

}  // namespace nplab::simulator
