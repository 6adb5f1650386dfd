// nplab lab: the exercises of docs/labs, begun and checked.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/labs/lab_checks.h"
#include "experiments/prepare/data_directory.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace fs = std::filesystem;
namespace {

struct LabWords {
  unsigned number = 0;
  std::string folder = ".";
};

// The lab of that number; none, and a report, when there is no such lab or folder.
std::optional<Lab> chosen_lab(const LabWords& words) {
  Diagnostics diagnostics;
  std::optional<Lab> chosen;
  const std::vector<Lab> labs = find_labs(diagnostics);
  for (const Lab& lab : labs)
    if (lab.number == words.number)
      chosen = lab;
  if (!chosen)
    diagnostics.error({fmt::format("lab {}", words.number), 0, 0},
                      fmt::format("no such lab; labs are 1 to {}", labs.size()));
  if (!fs::is_directory(words.folder))
    diagnostics.error({words.folder, 0, 0},
                      "no such folder; name the folder that holds your files");
  if (!diagnostics.has_errors())
    return chosen;
  std::cerr << diagnostics.to_string();
  return std::nullopt;
}

int list_labs() {
  Diagnostics diagnostics;
  for (const Lab& lab : find_labs(diagnostics))
    std::cout << fmt::format("{}  {:<40} {}\n", lab.number, lab.title,
                             (lab.folder / "README.md").string());
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

int start_lab(const LabWords& words) {
  const auto lab = chosen_lab(words);
  if (!lab)
    return kBadInput;
  Diagnostics diagnostics;
  for (const std::string& name : lab->files)
    if (fs::exists(fs::path(words.folder) / name))
      diagnostics.error({(fs::path(words.folder) / name).string(), 0, 0},
                        "already exists; move it away or choose another folder");
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  for (const std::string& name : lab->files) {
    fs::copy_file(lab->folder / name, fs::path(words.folder) / name);
    std::cout << (fs::path(words.folder) / name).string() << '\n';
  }
  std::cout << fmt::format("Task: {}\nCheck: nplab lab check {}\n",
                           (lab->folder / "README.md").string(), lab->number);
  return kDone;
}

int check_chosen_lab(const LabWords& words) {
  const auto lab = chosen_lab(words);
  if (!lab)
    return kBadInput;
  const auto result = check_lab(*lab, words.folder, program_file().string());
  std::cout << result.dump(2) << '\n';
  return result.at("passed").get<bool>() ? kDone : kCheckFailed;
}

void add_words(CLI::App& command, LabWords& words) {
  command.add_option("N", words.number, "the lab's number")->required();
  command.add_option("FOLDER", words.folder, "the folder of your files [.]");
}

}  // namespace

void add_lab_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("lab", "List, start and check the exercises of docs/labs");
  command->require_subcommand(1);
  auto words = std::make_shared<LabWords>();
  command->add_subcommand("list", "list list the labs and where their tasks are")
      ->callback([&status] { status = list_labs(); });
  auto* start = command->add_subcommand("start", "copy a lab's starting files");
  add_words(*start, *words);
  start->callback([words, &status] { status = start_lab(*words); });
  auto* check = command->add_subcommand(
      "check", "check your files: JSON; exit status 0 passed, 1 not, 2 no such lab or folder");
  add_words(*check, *words);
  check->callback([words, &status] { status = check_chosen_lab(*words); });
}

}  // namespace nplab::tools
