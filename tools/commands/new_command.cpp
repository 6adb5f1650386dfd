// nplab new: a mapping or an algorithm to begin from, in the checkout; a unit, in this folder.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/data_files.h"
#include "support/input_file.h"
#include "tools/commands/clangd_settings.h"
#include "tools/commands/commands.h"
#include "tools/commands/editor_settings.h"
#include "tools/output/output_file.h"

namespace nplab::tools {

using namespace experiments;
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name;
  std::string from;
};

struct NewFile {
  fs::path path;
  std::string text;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Names of algorithms become names of C++ functions, names of mappings those of files.
void check_name(const std::string& name, const std::vector<DataKind>& kinds,
                Diagnostics& diagnostics) {
  const bool is_word = !name.empty() &&
                       std::isalpha(static_cast<unsigned char>(name.front())) != 0 &&
                       std::all_of(name.begin(), name.end(), [](unsigned char c) {
                         return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
                       });
  if (!is_word) {
    diagnostics.error(without_lines(name),
                      "a name begins with a lower-case letter and continues with lower-case "
                      "letters, digits and '-'");
  }
  for (const DataKind kind : kinds) {
    for (const DataFile& file : list_data_files(kind)) {
      if (file.name == name)
        diagnostics.error(without_lines(name), "already exists: " + file.path);
    }
  }
}

constexpr const char* kSchemaComment = "# yaml-language-server:";

// The comment by which an editor finds the schema of a file of this kind in `folder`; empty where
// schemas are not installed. An empty folder is the current one.
std::string schema_comment(const std::string& kind, const fs::path& folder) {
  const fs::path name = fs::path("schemas") / (kind + ".schema.json");
  for (const fs::path& place : {data_directory(), program_directory()}) {
    if (fs::is_regular_file(place / name)) {
      const fs::path schema = fs::absolute(place / name).lexically_normal();
      const fs::path from = (fs::current_path() / folder).lexically_normal();
      return fmt::format("{} $schema={}\n", kSchemaComment,
                         schema.lexically_relative(from).string());
    }
  }
  return "";
}

// The line `mapping: OLD` names the new one; everything else stays, comments too.
std::string renamed_mapping(const std::string& text, const std::string& name) {
  std::string renamed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("mapping:"))
      renamed += fmt::format("mapping: {}\n", name);
    else if (!line.starts_with(kSchemaComment))
      renamed += line;
    at = end;
  }
  return renamed;
}

std::vector<NewFile> mapping_files(const NewOptions& options, Diagnostics& diagnostics) {
  check_name(options.name, {DataKind::kMapping}, diagnostics);
  const auto from = find_data_file(DataKind::kMapping, options.from,
                                   without_lines("--from " + options.from), diagnostics);
  const auto file = from ? read_input_file(*from, diagnostics) : std::nullopt;
  if (!file)
    return {};
  return {{fs::path(*from).parent_path() / (options.name + ".yaml"),
           schema_comment("mapping", fs::path(*from).parent_path()) +
               renamed_mapping(file->bytes, options.name)}};
}

std::vector<NewFile> algorithm_files(const NewOptions& options, Diagnostics& diagnostics) {
  check_name(options.name, {DataKind::kAlgorithm, DataKind::kMapping}, diagnostics);
  const fs::path folder = data_directory() / "mappings" / options.name;
  if (!diagnostics.has_errors() && fs::exists(folder)) {
    diagnostics.error(without_lines(options.name),
                      "is the name of a folder that already exists: " + folder.string());
  }
  const fs::path templates = data_directory() / "tools" / "templates" / "algorithm";
  if (!fs::is_directory(templates)) {
    diagnostics.error(
        without_lines(options.name),
        "algorithms are compiled into nplab; make one in a checkout, with its ./nplab");
    return {};
  }
  std::vector<NewFile> files;
  for (const auto& entry : fs::directory_iterator(templates)) {
    const auto file = read_input_file(entry.path().string(), diagnostics);
    if (!file)
      continue;
    std::string name = entry.path().filename().string();
    std::string text;
    if (entry.path().extension() == ".yaml")
      text = schema_comment(entry.path().stem().string(), folder);
    if (name == "mapping.yaml")
      name = options.name + ".yaml";
    text += replaced(file->bytes, "@function@", replaced(options.name, "-", "_"));
    files.push_back({folder / name, replaced(text, "@name@", options.name)});
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

// Where nplab/systemc/unit.h lies: in the checkout, or beside the installation's data.
fs::path include_folder() {
  const fs::path in_checkout = data_directory() / "simulator" / "systemc" / "include";
  if (fs::is_directory(in_checkout))
    return fs::absolute(in_checkout).lexically_normal();
  return fs::absolute(data_directory() / ".." / ".." / "include").lexically_normal();
}

std::vector<NewFile> unit_files(const NewOptions& options, Diagnostics& diagnostics) {
  check_name(options.name, {}, diagnostics);
  const fs::path folder = options.name;
  if (!diagnostics.has_errors() && fs::exists(folder))
    diagnostics.error(without_lines(options.name), "already exists in this folder");
  std::vector<NewFile> files;
  const fs::path templates = data_directory() / "tools" / "templates" / "unit";
  for (const char* name :
       {"CMakeLists.txt", "README.md", "chip.yaml", "unit.cpp", "unit_test.cpp"}) {
    const auto file = read_input_file((templates / name).string(), diagnostics);
    if (!file)
      continue;
    std::string text = replaced(file->bytes, "@include@", include_folder().string());
    text = replaced(text, "@function@", replaced(options.name, "-", "_"));
    files.push_back({folder / name, replaced(text, "@name@", options.name)});
  }
  return files;
}

// Written in a folder of its own first, in `staging`, then moved into place at once.
void write_folder(const fs::path& folder, const std::vector<NewFile>& files,
                  const fs::path& staging, Diagnostics& diagnostics) {
  const fs::path unfinished =
      staging / fmt::format(".new-{}-{}", folder.filename().string(), ::getpid());
  std::error_code status;
  fs::create_directories(unfinished, status);
  for (const NewFile& file : files) {
    if (diagnostics.has_errors())
      break;
    write_output_file((unfinished / file.path.filename()).string(), file.text, diagnostics);
  }
  if (!diagnostics.has_errors()) {
    fs::rename(unfinished, folder, status);
    if (status)
      diagnostics.error(without_lines(folder.string()), "cannot be created: " + status.message());
  }
  fs::remove_all(unfinished, status);
}

// Writes all files or, where one stands in the way or anything was reported, none. Several are the
// files of a folder that is not there yet.
int write(const std::vector<NewFile>& files, Diagnostics& diagnostics, const std::string& next,
          const fs::path& staging = {}) {
  for (const NewFile& file : files) {
    if (fs::exists(file.path))
      diagnostics.error(without_lines(file.path.string()), "already exists");
  }
  if (!diagnostics.has_errors() && files.size() == 1) {
    write_output_file(files.front().path.string(), files.front().text, diagnostics);
  } else if (!diagnostics.has_errors()) {
    write_folder(files.front().path.parent_path(), files, staging, diagnostics);
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  for (const NewFile& file : files)
    std::cout << file.path.string() << '\n';
  std::cout << next << '\n';
  return kDone;
}

int say_written(const std::vector<std::string>& written, const Diagnostics& diagnostics) {
  for (const std::string& file : written)
    std::cout << file << '\n';
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

void add_editors(CLI::App& command, int& status) {
  for (const Editor& editor : editors()) {
    auto* one = command.add_subcommand(
        editor.name, fmt::format("Write for an editor, in this folder, {}", editor.what));
    one->footer(fmt::format("Then: {}. docs/debugging/editors.md has the details.", editor.next));
    auto mapping = std::make_shared<std::string>("bv1");
    one->add_option("MAPPING", *mapping,
                    "mapping file or listed name that is debugged and checked [bv1]");
    one->callback([name = std::string(editor.name), mapping, &status] {
      Diagnostics diagnostics;
      const auto written = write_editor_settings(name, *mapping, fs::current_path(), diagnostics);
      status = say_written(written, diagnostics);
    });
  }
}

}  // namespace

void add_new_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "new", "Create a mapping, an algorithm or a unit from one that works; settings for editors");
  command->require_subcommand(1);
  auto options = std::make_shared<NewOptions>();
  auto* mapping =
      command->add_subcommand("mapping", "Copy a mapping under a new name, next to the original");
  mapping->add_option("NAME", options->name, "of the new mapping and its file")->required();
  mapping->add_option("--from", options->from, "a mapping file or a listed name")
      ->type_name("MAPPING")
      ->required();
  mapping->callback([options, &status] {
    Diagnostics diagnostics;
    const auto files = mapping_files(*options, diagnostics);
    const std::string path = files.empty() ? "" : files.front().path.string();
    status = write(files, diagnostics,
                   fmt::format("Next: edit it, then nplab check {0}; nplab run {0}", path));
  });
  auto* algorithm = command->add_subcommand(
      "algorithm", "Create the folder of an algorithm that builds, runs and is tested at once");
  algorithm->add_option("NAME", options->name, "of the algorithm, its folder and its first mapping")
      ->required();
  algorithm->callback([options, &status] {
    Diagnostics diagnostics;
    const auto files = algorithm_files(*options, diagnostics);
    // Outside mappings/, where an unfinished one would be found when building.
    status = write(files, diagnostics,
                   fmt::format("Next: ./nplab run {} builds and runs it; "
                               "docs/extending/adding-an-algorithm.md has the next steps",
                               options->name),
                   data_directory());
  });
  auto* unit = command->add_subcommand(
      "unit", "Create the folder of a SystemC unit on the chip's SRAM bus, with its test, here");
  unit->add_option("NAME", options->name, "of the unit and its folder")->required();
  unit->callback([options, &status] {
    Diagnostics diagnostics;
    const auto files = unit_files(*options, diagnostics);
    status = write(
        files, diagnostics,
        fmt::format("Next: {}/README.md says how it is built, tested and run", options->name));
  });
  auto* clangd = command->add_subcommand(
      "clangd", "Write what clangd needs to read microengine C in this folder and those below it");
  clangd->footer(
      "Writes compile_flags.txt, and the headers of microengine C to the folder .nplab; with "
      "mappings also .clangd, by which clangd reads their tasks as the first of them has them. "
      "After an update of nplab, delete compile_flags.txt and .clangd and write them again.");
  auto mappings = std::make_shared<std::vector<std::string>>();
  clangd->add_option("MAPPING", *mappings, "mapping files or listed names whose tasks are read");
  auto chip = std::make_shared<std::string>();
  clangd->add_option("--chip", *chip, "chip that the mappings are for [each mapping's]")
      ->type_name("FILE|NAME");
  clangd->callback([&status, mappings, chip] {
    Diagnostics diagnostics;
    const auto written = write_clangd_settings(fs::current_path(), *mappings, *chip, diagnostics);
    status = say_written(written, diagnostics);
  });
  add_editors(*command, status);
}

}  // namespace nplab::tools
