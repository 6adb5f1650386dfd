// nplab list: what nplab can see.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/prepare/data_files.h"
#include "support/yaml.h"
#include "support/yaml_file.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace {

const std::vector<std::pair<const char*, DataKind>> kKinds{
    {"algorithms", DataKind::kAlgorithm}, {"mappings", DataKind::kMapping},
    {"chips", DataKind::kChip},           {"workloads", DataKind::kWorkload},
    {"profiles", DataKind::kRuleProfile}, {"studies", DataKind::kStudy}};

// The file's `summary`, where it has one.
std::string summary_of(const std::string& path) {
  Diagnostics ignored;
  const auto file = read_yaml_file(path, ignored);
  const yaml::Node* summary = file && file->root.is_map() ? file->root.find("summary") : nullptr;
  return summary != nullptr && summary->is_scalar() ? summary->scalar() : "";
}

int list(bool as_json) {
  nlohmann::ordered_json names;
  for (const auto& [heading, kind] : kKinds) {
    names[heading] = nlohmann::ordered_json::array();
    if (!as_json)
      std::cout << heading << '\n';
    for (const DataFile& file : list_data_files(kind)) {
      names[heading].push_back(file.name);
      const std::string summary = as_json ? "" : summary_of(file.path);
      if (!as_json)
        std::cout << (summary.empty() ? fmt::format("  {}\n", file.name)
                                      : fmt::format("  {:<16} {}\n", file.name, summary));
    }
  }
  if (as_json)
    std::cout << names.dump(2) << '\n';
  return kDone;
}

}  // namespace

void add_list_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "list", "List algorithms, mappings, chips, workloads, studies and rule profiles");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "names by kind, as JSON");
  command->callback([as_json, &status] { status = list(*as_json); });
}

}  // namespace nplab::tools
