// Files that travel inside the library, so that a compiled program needs no installation folder.
#pragma once

#include <string_view>

namespace nplab::compiler {

extern const std::string_view kMicroengineHeader;  // include/microengine.h
extern const std::string_view kAtomicHeader;       // include/stdatomic.h
extern const std::string_view kRuntimeSource;      // runtime/runtime.c

}  // namespace nplab::compiler
