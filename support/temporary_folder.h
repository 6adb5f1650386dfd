// A folder for intermediate results that is removed with all that is in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/diagnostics.h"

namespace nplab {

class TemporaryFolder {
 public:
  // A new folder where the system keeps temporary files, its name beginning with `name`. Nothing,
  // and a diagnostic, when it cannot be created.
  static std::optional<TemporaryFolder> create(const std::string& name, Diagnostics& diagnostics);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace nplab
