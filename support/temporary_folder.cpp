#include "support/temporary_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace nplab {

namespace fs = std::filesystem;

std::optional<TemporaryFolder> TemporaryFolder::create(const std::string& name,
                                                       Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string path = (parent / (name + "-XXXXXX")).string();
  if (!error && ::mkdtemp(path.data()) != nullptr)
    return TemporaryFolder(path);
  diagnostics.error({path, 0, 0}, "a temporary folder cannot be created: " +
                                      (error ? error.message() : std::strerror(errno)));
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

}  // namespace nplab
