#include "mappings/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::error_code unreadable;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

Catalog::Catalog(const std::string& folder) {
  for (const fs::path& algorithm : sorted_entries(folder)) {
    const fs::path manifest = algorithm / "manifest.yaml";
    if (!fs::is_regular_file(manifest)) continue;
    const std::string name = algorithm.filename().string();
    algorithms_.push_back({name, manifest.string()});
    for (const fs::path& file : sorted_entries(algorithm)) {
      if (file.extension() != ".yaml" || file == manifest) continue;
      mappings_.push_back({file.stem().string(), name, file.string()});
    }
  }
}

std::optional<std::string> Catalog::find_mapping(const std::string& name_or_path, Diagnostics& diagnostics) const {
  std::vector<std::string> known;
  for (const MappingListing& mapping : mappings_) {
    if (mapping.name == name_or_path) return mapping.path;
    known.push_back(mapping.name);
  }
  if (fs::is_regular_file(name_or_path)) return name_or_path;
  diagnostics.error({name_or_path, 0, 0},
                    fmt::format("there is no such mapping and no such file; {}", suggestion(name_or_path, known)));
  return std::nullopt;
}

std::optional<std::string> Catalog::find_manifest(const std::string& algorithm, const SourceLocation& location,
                                                  Diagnostics& diagnostics) const {
  std::vector<std::string> known;
  for (const AlgorithmListing& listing : algorithms_) {
    if (listing.name == algorithm) return listing.manifest;
    known.push_back(listing.name);
  }
  diagnostics.error(location, fmt::format("there is no algorithm '{}'; {}", algorithm, suggestion(algorithm, known)));
  return std::nullopt;
}

}  // namespace nplab::mappings
