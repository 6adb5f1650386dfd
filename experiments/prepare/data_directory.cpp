#include "experiments/prepare/data_directory.h"

#include <cstdlib>

#include "experiments/version.gen.h"

namespace nplab::experiments {

std::filesystem::path program_file() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

std::filesystem::path program_directory() {
  return program_file().parent_path();
}

std::filesystem::path data_directory() {
  if (const char* chosen = std::getenv("NPLAB_DATA"))
    return chosen;
  const std::filesystem::path installed = program_directory().parent_path() / "share" / "nplab";
  if (std::filesystem::is_directory(installed))
    return installed;
  return kSourceDirectory;
}

}  // namespace nplab::experiments
