// A TCP port of this machine alone.
#pragma once

#include <cstdint>

#include "support/diagnostics.h"
#include "support/file_descriptor.h"

namespace nplab::tools {

struct LoopbackPort {
  FileDescriptor listener;  // invalid: it cannot be opened
  std::uint16_t number = 0;
};

// At 127.0.0.1; 0: any free port. What is wrong is said of the option --port.
LoopbackPort open_loopback_port(std::uint16_t number, Diagnostics& diagnostics);

// Says that --port cannot be served, and why: the system's last error.
void port_failed(std::uint16_t number, const char* what, Diagnostics& diagnostics);

}  // namespace nplab::tools
