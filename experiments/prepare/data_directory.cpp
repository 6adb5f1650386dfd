#include "experiments/prepare/data_directory.h"

#include <cstdlib>

#include "experiments/version.gen.h"

// In programs that link the installed package: its data (cmake/package/data_directory.cpp).
extern "C" __attribute__((weak)) const char* const nplab_package_data;

namespace nplab::experiments {
namespace {

bool is_in_build_directory(const std::filesystem::path& program) {
  std::error_code moved;
  const auto build = std::filesystem::canonical(kBuildDirectory, moved);
  const auto relative = program.lexically_relative(build);
  return !moved && !relative.empty() && *relative.begin() != "..";
}

}  // namespace

std::filesystem::path program_file() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

std::filesystem::path program_directory() {
  return program_file().parent_path();
}

std::filesystem::path data_directory() {
  if (const char* chosen = std::getenv("NPLAB_DATA"))
    return chosen;
  std::filesystem::path installed = program_directory().parent_path() / "share" / "nplab";
  if (std::filesystem::is_directory(installed))
    return installed;
  if (&nplab_package_data != nullptr)
    return nplab_package_data;
  // A program that was taken out of its build folder is installed badly, and must not write into
  // the checkout.
  return is_in_build_directory(program_file()) ? kSourceDirectory : installed;
}

}  // namespace nplab::experiments
