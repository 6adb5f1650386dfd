#include "support/yaml_file.h"

#include <utility>

#include "support/file_memo.h"
#include "support/input_file.h"

namespace nplab {
namespace {

std::optional<YamlFile> read(const std::string& path, Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  auto root = file ? yaml::parse(file->bytes, path, diagnostics) : std::nullopt;
  if (!root)
    return std::nullopt;
  return YamlFile{std::move(*root), file->sha256};
}

}  // namespace

std::optional<YamlFile> read_yaml_file(const std::string& path, Diagnostics& diagnostics) {
  static FileMemo<YamlFile> documents;
  return documents.get(path, [&] { return read(path, diagnostics); });
}

}  // namespace nplab
