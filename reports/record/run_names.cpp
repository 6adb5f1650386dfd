#include "reports/record/run_names.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace nplab::reports {

std::string mapping_name(const RunRecord& record) {
  std::filesystem::path name = std::filesystem::path(record.inputs.mapping.name).filename();
  while (name.extension() == ".xz" || name.extension() == ".yaml" || name.extension() == ".yml")
    name = name.stem();
  return name.string();
}

std::vector<std::string> run_names(const std::vector<RunRecord>& records) {
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (const RunRecord& record : records) {
    const std::string name = mapping_name(record);
    const int use = ++uses[name];
    names.push_back(use == 1 ? name : fmt::format("{}#{}", name, use));
  }
  return names;
}

}  // namespace nplab::reports
