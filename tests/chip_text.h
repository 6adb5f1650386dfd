// A shipped chip with the chips that it extends, for tests of layers that do not find files by
// name.
#pragma once

#include <optional>
#include <string>

#include "simulator/parameters/chip_description.h"
#include "support/input_file.h"
#include "support/parameters/conditional_keys.h"
#include "support/yaml.h"
#include "tests/paths.h"

namespace nplab::test {

inline std::optional<yaml::Node> chip_text(const std::string& name, Diagnostics& diagnostics) {
  const auto file = read_input_file(source_path("simulator/chips/") + name + ".yaml", diagnostics);
  auto root = file ? yaml::parse(file->bytes, file->name, diagnostics) : std::nullopt;
  const auto base = root ? root->take("extends") : std::nullopt;
  if (!base)
    return root;
  auto whole = chip_text(base->scalar(), diagnostics);
  if (whole) {
    parameters::drop_replaced_keys(*whole, *root, simulator::chip_keys());
    whole->overlay(*root);
  }
  return whole;
}

}  // namespace nplab::test
