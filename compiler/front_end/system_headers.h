// The headers that every program finds as <...>: microengine.h and what it includes, and those of a
// freestanding C.
#pragma once

#include <string>
#include <vector>

namespace nplab::compiler {

struct SystemHeader {
  std::string name;
  std::string text;
};

std::vector<SystemHeader> system_headers();

}  // namespace nplab::compiler
