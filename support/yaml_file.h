// A YAML file as a document.
#pragma once

#include <optional>
#include <string>

#include "support/yaml.h"

namespace nplab {

struct YamlFile {
  yaml::Node root;
  std::string sha256;  // of the file as it lies on disk, in hexadecimal
};

// Reads `path`. A file that cannot be read, or a syntax error, is reported and gives nothing. A
// file that this process has read and that has not changed since is not read again.
std::optional<YamlFile> read_yaml_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace nplab
