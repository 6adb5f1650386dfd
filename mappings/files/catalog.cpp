#include "mappings/files/catalog.h"

#include <algorithm>
#include <filesystem>

namespace nplab::mappings {
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::error_code unreadable;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, unreadable))
    entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

Catalog::Catalog(const std::string& folder) {
  for (const fs::path& algorithm : sorted_entries(folder)) {
    const fs::path manifest = algorithm / "manifest.yaml";
    if (!fs::is_regular_file(manifest))
      continue;
    const std::string name = algorithm.filename().string();
    algorithms_.push_back({name, manifest.string()});
    for (const fs::path& file : sorted_entries(algorithm)) {
      if (file.extension() != ".yaml" || file == manifest)
        continue;
      mappings_.push_back({file.stem().string(), name, file.string()});
    }
  }
}

}  // namespace nplab::mappings
