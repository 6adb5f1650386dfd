// Files that travel inside the library, so that a compiled program needs no installation folder.
#pragma once

#include <span>
#include <string_view>

namespace nplab::compiler {

struct EmbeddedHeader {
  std::string_view name;  // <name>
  std::string_view text;
};

extern const std::string_view kMicroengineHeader;               // include/microengine.h
extern const std::string_view kAtomicHeader;                    // include/stdatomic.h
extern const std::string_view kRuntimeSource;                   // runtime/runtime.c
extern const std::span<const EmbeddedHeader> kStandardHeaders;  // Clang's, of a freestanding C17

}  // namespace nplab::compiler
