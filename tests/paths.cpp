#include "tests/paths.h"

namespace nplab {

std::string source_path(const std::string& relative) {
  return relative.empty() ? NPLAB_SOURCE_DIR : NPLAB_SOURCE_DIR "/" + relative;
}

std::string program_path() {
  return NPLAB_PROGRAM;
}

std::string binary_path() {
  return NPLAB_BINARY_DIR;
}

}  // namespace nplab
