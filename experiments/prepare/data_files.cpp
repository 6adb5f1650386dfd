#include "experiments/prepare/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "experiments/prepare/data_directory.h"
#include "mappings/files/catalog.h"
#include "support/near_miss.h"

namespace nplab::experiments {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code status;
  for (const auto& entry : fs::directory_iterator(folder, status))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" && path.stem().extension().empty();
}

std::vector<DataFile> yaml_files(const fs::path& folder) {
  std::vector<DataFile> files;
  for (const fs::path& path : entries(folder)) {
    if (is_yaml(path))
      files.push_back({path.stem().string(), path.string()});
  }
  return files;
}

const char* name_of(DataKind kind) {
  switch (kind) {
    case DataKind::kMapping: return "mapping";
    case DataKind::kChip: return "chip";
    case DataKind::kWorkload: return "workload";
    case DataKind::kAlgorithm: return "algorithm";
    case DataKind::kRuleProfile: return "profile of rules";
    case DataKind::kStudy: return "study";
  }
  return "";
}

}  // namespace

std::vector<DataFile> list_data_files(DataKind kind) {
  if (kind == DataKind::kChip)
    return yaml_files(data_directory() / "simulator" / "chips");
  if (kind == DataKind::kWorkload)
    return yaml_files(data_directory() / "workloads");
  if (kind == DataKind::kRuleProfile)
    return yaml_files(data_directory() / "workloads" / "profiles");
  if (kind == DataKind::kStudy)
    return yaml_files(data_directory() / "mappings" / "studies");
  const mappings::Catalog catalog((data_directory() / "mappings").string());
  std::vector<DataFile> found;
  if (kind == DataKind::kAlgorithm) {
    for (const auto& algorithm : catalog.algorithms())
      found.push_back({algorithm.name, algorithm.manifest});
  } else {
    for (const auto& mapping : catalog.mappings())
      found.push_back({mapping.name, mapping.path});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

std::optional<std::string> find_data_file(DataKind kind, const std::string& word,
                                          const SourceLocation& location,
                                          Diagnostics& diagnostics) {
  if (fs::is_regular_file(word))
    return word;
  // A study looks the same names up for each of its points; looking for one lists folders.
  static std::map<std::tuple<std::string, DataKind, std::string>, std::string> found;
  const std::tuple name{data_directory().string(), kind, word};
  if (const auto known = found.find(name);
      known != found.end() && fs::is_regular_file(known->second))
    return known->second;
  std::vector<std::string> names;
  for (const DataFile& file : list_data_files(kind)) {
    if (file.name == word)
      return found[name] = file.path;
    names.push_back(file.name);
  }
  diagnostics.error(location, fmt::format("there is no {} '{}', neither a file nor a name; {}",
                                          name_of(kind), word, suggestion(word, names)));
  return std::nullopt;
}

}  // namespace nplab::experiments
