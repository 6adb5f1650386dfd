// nplab schema: what the keys of a kind of file are, as a JSON Schema, and as the tables of docs/.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "experiments/prediction/prediction_report.h"
#include "experiments/prepare/data_files.h"
#include "reports/record/run_record_schema.h"
#include "support/input_file.h"
#include "support/parameters/json_schema.h"
#include "support/parameters/key_tables.h"
#include "support/yaml_file.h"
#include "tools/commands/commands.h"
#include "tools/options/file_kinds.h"
#include "tools/output/output_file.h"

namespace nplab::tools {
namespace {

constexpr const char* kRunRecord = "run";
constexpr const char* kPredictions = "predict";
constexpr const char* kExampleChip = "ixp1200";  // whose values the tables of chip keys show

struct SchemaOptions {
  std::string kind;
  std::string page;
};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const FileKind& kind : file_kinds())
    names.push_back(kind.name);
  names.emplace_back(kRunRecord);
  names.emplace_back(kPredictions);
  return names;
}

int refuse_kind(const std::string& name) {
  std::cerr << fmt::format("nplab: error: unknown kind of file '{}'; known: {}\n", name,
                           fmt::join(kind_names(), ", "));
  return kBadInput;
}

// The values that a kind's tables show beside the keys, where one file has them all.
std::optional<yaml::Node> example_of(const FileKind& kind, Diagnostics& diagnostics) {
  if (kind.name != "chip")
    return std::nullopt;
  const auto path = experiments::find_data_file(experiments::DataKind::kChip, kExampleChip,
                                                {kExampleChip, 0, 0}, diagnostics);
  const auto file = path ? read_yaml_file(*path, diagnostics) : std::nullopt;
  return file ? std::optional(file->root) : std::nullopt;
}

int write_tables(const FileKind& kind, const std::string& page) {
  Diagnostics diagnostics;
  const auto example = example_of(kind, diagnostics);
  parameters::PageTables tables{kind.name, kind.keys};
  if (example) {
    tables.example = &*example;
    tables.example_name = kExampleChip;
  }
  const auto file = read_input_file(page, diagnostics);
  const auto text =
      file ? parameters::with_tables(file->bytes, page, tables, diagnostics) : std::nullopt;
  if (text && !diagnostics.has_errors() && *text != file->bytes)
    write_output_file(page, *text, diagnostics, Replaces::kItsInput);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

int schema(const SchemaOptions& options) {
  if (options.kind == kRunRecord && options.page.empty()) {
    std::cout << reports::run_record_schema();
    return kDone;
  }
  if (options.kind == kPredictions && options.page.empty()) {
    std::cout << experiments::predict_schema();
    return kDone;
  }
  const auto& kinds = file_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const FileKind& one) { return one.name == options.kind; });
  if (kind == kinds.end())
    return refuse_kind(options.kind);
  if (!options.page.empty())
    return write_tables(*kind, options.page);
  std::cout << parameters::json_schema(*kind->keys, fmt::format("nplab {} file", kind->name));
  return kDone;
}

}  // namespace

void add_schema_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "schema", "Print the JSON Schema (draft 2020-12) of a kind of file, for editors");
  auto options = std::make_shared<SchemaOptions>();
  command->add_option("KIND", options->kind, fmt::format("{}", fmt::join(kind_names(), ", ")))
      ->required();
  command
      ->add_option("--page", options->page,
                   "instead, write the tables of keys anew into this page of documentation, "
                   "between its markers")
      ->type_name("FILE");
  command->callback([options, &status] { status = schema(*options); });
}

}  // namespace nplab::tools
