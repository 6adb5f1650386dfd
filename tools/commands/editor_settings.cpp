#include "tools/commands/editor_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "support/parameters/json_schema.h"
#include "tools/options/file_kinds.h"
#include "tools/output/output_file.h"

namespace nplab::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SettingsFile {
  std::string path;
  std::string text;
};

constexpr const char* kSchemaFolder = ".nplab/schemas/";

// Names of files of each kind; others name their schema in a first line that language servers read.
std::vector<std::string> files_of(const std::string& kind) {
  if (kind == "manifest")
    return {"manifest.yaml"};
  return {fmt::format("{}s/**/*.yaml", kind), fmt::format("*.{}.yaml", kind)};
}

std::string indented(const Json& json) {
  return json.dump(2) + "\n";
}

void add_schemas(std::vector<SettingsFile>& files) {
  for (const FileKind& kind : file_kinds())
    files.push_back({kSchemaFolder + kind.name + ".json",
                     parameters::json_schema(*kind.keys, fmt::format("nplab {} file", kind.name))});
}

Json schema_files() {
  Json schemas = Json::object();
  for (const FileKind& kind : file_kinds())
    schemas["./" + (kSchemaFolder + kind.name) + ".json"] = files_of(kind.name);
  return schemas;
}

// The one that the extension has, too.
Json problem_matcher() {
  return {{"owner", "nplab"},
          {"fileLocation", {"autoDetect", "${workspaceFolder}"}},
          {"pattern",
           {{"regexp", "^(.+?):(\\d+):(\\d+): (error|warning): (.*)$"},
            {"file", 1},
            {"line", 2},
            {"column", 3},
            {"severity", 4},
            {"message", 5}}}};
}

Json task(const std::string& label, const Json& arguments) {
  return {{"label", label},
          {"type", "shell"},
          {"command", "nplab"},
          {"args", arguments},
          {"problemMatcher", problem_matcher()}};
}

std::vector<SettingsFile> for_vscode(const std::string& mapping) {
  const Json launch = {{"version", "0.2.0"},
                       {"configurations",
                        {{{"type", "nplab"},
                          {"request", "launch"},
                          {"name", "Mapping " + mapping},
                          {"program", mapping},
                          {"args", {"--packets", "2000"}}},
                         {{"type", "nplab"},
                          {"request", "launch"},
                          {"name", "Microengine program"},
                          {"program", "${file}"}}}}};
  const Json tasks = {{"version", "2.0.0"},
                      {"tasks",
                       {task("nplab: check " + mapping, {"check", mapping}),
                        task("nplab: run " + mapping, {"run", mapping}),
                        task("nplab: compile this program", {"cc", "${file}", "-S"})}}};
  std::vector<SettingsFile> files{
      {".vscode/launch.json", indented(launch)},
      {".vscode/tasks.json", indented(tasks)},
      {".vscode/settings.json", indented({{"yaml.schemas", schema_files()}})}};
  add_schemas(files);
  return files;
}

std::vector<SettingsFile> for_neovim(const std::string& mapping) {
  std::string schemas;
  const Json all = schema_files();
  for (const auto& [schema, patterns] : all.items())
    schemas += fmt::format("  [vim.fn.getcwd() .. '{}'] = {{ '{}' }},\n", schema.substr(1),
                           fmt::join(patterns.get<std::vector<std::string>>(), "', '"));
  std::vector<SettingsFile> files{
      {".nvim.lua",
       fmt::format(
           "-- Read by Neovim in this folder after `:set exrc`; needs nvim-dap.\n"
           "local dap = require('dap')\n"
           "dap.adapters.nplab = {{ type = 'executable', command = 'nplab', args = {{ "
           "'debug', '--packets', '2000' }} }}\n"
           "dap.configurations.c = {{\n"
           "  {{ type = 'nplab', request = 'launch', name = 'microengine program', "
           "program = '${{file}}' }},\n"
           "  {{ type = 'nplab', request = 'launch', name = 'mapping {0}', program = "
           "'{0}' }},\n"
           "}}\n"
           "-- :make lists errors.\n"
           "vim.opt.makeprg = 'nplab check {0}'\n"
           "vim.opt.errorformat = '%f:%l:%c: %trror: %m,%f:%l:%c: %tarning: %m'\n"
           "-- For yaml-language-server: settings = {{ yaml = {{ schemas = nplab_schemas }} }}\n"
           "nplab_schemas = {{\n{1}}}\n",
           mapping, schemas)}};
  add_schemas(files);
  return files;
}

std::vector<SettingsFile> for_emacs(const std::string& mapping) {
  std::vector<SettingsFile> files{
      {"nplab.el",
       fmt::format(
           ";;; nplab.el --- debugging and checking with nplab  -*- lexical-binding: t -*-\n"
           "(with-eval-after-load 'dape\n"
           "  (add-to-list 'dape-configs\n"
           "               '(nplab command \"nplab\" command-args (\"debug\" \"--packets\" "
           "\"2000\")\n"
           "                       :type \"nplab\" :request \"launch\" :program \"{0}\")))\n"
           ";; M-x compile lists errors.\n"
           "(with-eval-after-load 'compile\n"
           "  (add-to-list 'compilation-error-regexp-alist-alist\n"
           "               '(nplab \"^\\\\(.+?\\\\):\\\\([0-9]+\\\\):\\\\([0-9]+\\\\): "
           "\\\\(?:error\\\\|\\\\(warning\\\\)\\\\): \" 1 2 3 (4)))\n"
           "  (add-to-list 'compilation-error-regexp-alist 'nplab))\n"
           "(setq-default compile-command \"nplab check {0}\")\n",
           mapping)}};
  add_schemas(files);
  return files;
}

}  // namespace

const std::vector<Editor>& editors() {
  static const std::vector<Editor> kEditors{
      {"vscode",
       ".vscode: sessions of the debugger, tasks whose errors are listed, schemas of YAML",
       "editors/vscode has the extension; YAML files need Red Hat's one"},
      {"neovim", ".nvim.lua: sessions of the debugger, errors of :make, schemas of YAML",
       ":set exrc lets Neovim read it; nvim-dap is needed"},
      {"emacs", "nplab.el: sessions of the debugger, errors of M-x compile, schemas of YAML",
       "M-x load-file nplab.el; dape is needed"}};
  return kEditors;
}

std::vector<std::string> write_editor_settings(const std::string& editor,
                                               const std::string& mapping, const fs::path& folder,
                                               Diagnostics& diagnostics) {
  const std::vector<SettingsFile> files = editor == "vscode"   ? for_vscode(mapping)
                                          : editor == "neovim" ? for_neovim(mapping)
                                                               : for_emacs(mapping);
  // Schemas are nplab's own and are written anew.
  for (const SettingsFile& file : files)
    if (!file.path.starts_with(kSchemaFolder) && fs::exists(folder / file.path))
      diagnostics.error(without_lines(file.path),
                        "already exists in this folder; delete it to write it again");
  if (diagnostics.has_errors())
    return {};
  std::vector<std::string> written;
  for (const SettingsFile& file : files) {
    std::error_code status;
    fs::create_directories((folder / file.path).parent_path(), status);
    if (status) {
      diagnostics.error(without_lines(file.path), "cannot be written: " + status.message());
      break;
    }
    write_output_file((folder / file.path).string(), file.text, diagnostics);
    written.push_back(file.path);
  }
  return diagnostics.has_errors() ? std::vector<std::string>() : written;
}

}  // namespace nplab::tools
