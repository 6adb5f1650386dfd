#include "support/yaml_file.h"

#include <utility>

#include "support/input_file.h"

namespace nplab {

std::optional<YamlFile> read_yaml_file(const std::string& path, Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  auto root = file ? yaml::parse(file->bytes, path, diagnostics) : std::nullopt;
  if (!root)
    return std::nullopt;
  return YamlFile{std::move(*root), file->sha256};
}

}  // namespace nplab
