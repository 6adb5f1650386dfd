#include "experiments/prepare/chip_file.h"

#include <filesystem>

#include "experiments/prepare/data_files.h"
#include "simulator/parameters/chip_description.h"
#include "support/parameters/conditional_keys.h"
#include "support/parameters/description.h"
#include "support/parameters/old_names.h"
#include "support/sha256.h"
#include "support/yaml_file.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostExtended = 8;

std::optional<std::string> extended_path(const std::string& word, const std::string& path,
                                         const SourceLocation& location, Diagnostics& diagnostics) {
  const fs::path beside = fs::path(path).parent_path() / word;
  if (fs::is_regular_file(beside))
    return beside.string();
  return find_data_file(DataKind::kChip, word, location, diagnostics);
}

std::optional<ChipText> read_text(const std::string& path, unsigned depth,
                                  Diagnostics& diagnostics) {
  auto file = read_yaml_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  parameters::rename_old_keys(file->root, simulator::chip_keys(), diagnostics);
  const auto extends = file->root.take(simulator::chip_keys().base_key);
  if (!extends)
    return ChipText{std::move(file->root), file->sha256};
  const auto word = extends->as_string(diagnostics);
  if (!word)
    return std::nullopt;
  if (depth == kMostExtended) {
    diagnostics.error(extends->location(),
                      "extends: the chain of chips does not end; does it extend itself?");
    return std::nullopt;
  }
  const auto base = extended_path(*word, path, extends->location(), diagnostics);
  auto text = base ? read_text(*base, depth + 1, diagnostics) : std::nullopt;
  if (!text)
    return std::nullopt;
  parameters::drop_replaced_keys(text->root, file->root, simulator::chip_keys());
  text->root.overlay(file->root);
  text->sha256 = sha256_hex(file->sha256 + text->sha256);
  return text;
}

}  // namespace

std::optional<ChipText> read_chip_text(const std::string& path, Diagnostics& diagnostics) {
  return read_text(path, 0, diagnostics);
}

}  // namespace nplab::experiments
