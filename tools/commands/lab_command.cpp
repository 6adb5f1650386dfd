// nplab lab: the exercises of docs/labs, begun and checked.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/labs/lab_checks.h"
#include "experiments/labs/lab_junit.h"
#include "experiments/labs/lab_pack.h"
#include "experiments/prepare/data_directory.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"

namespace nplab::tools {

using namespace experiments;
namespace fs = std::filesystem;
namespace {

struct LabOptions {
  unsigned number = 0;
  std::vector<unsigned> numbers;  // to pack; empty: all
  std::string archive;
  std::optional<std::uint64_t> variant;
  std::string folder = ".";
  std::uint64_t seed = 1;
  unsigned step = 0;  // 0: the first hint
  std::string json = "-";
  std::string junit;  // empty: none
};

// The lab of that number, with the figures of the variant.
std::optional<Lab> chosen_lab(unsigned number, const LabOptions& options,
                              Diagnostics& diagnostics) {
  std::optional<Lab> chosen;
  const std::vector<Lab> labs = find_labs(diagnostics);
  for (const Lab& lab : labs)
    if (lab.number == number)
      chosen = lab;
  if (!chosen)
    diagnostics.error(without_lines(fmt::format("lab {}", number)),
                      fmt::format("no such lab; labs are 1 to {}", labs.size()));
  if (chosen && options.variant)
    chosen = with_variant(std::move(*chosen), *options.variant, diagnostics);
  return diagnostics.has_errors() ? std::nullopt : chosen;
}

// The one that the command line names; none, and a report, when there is no such lab.
std::optional<Lab> chosen_lab(const LabOptions& options) {
  Diagnostics diagnostics;
  auto lab = chosen_lab(options.number, options, diagnostics);
  std::cerr << diagnostics.to_string();
  return lab;
}

std::string variant_option(const LabOptions& options) {
  return options.variant ? fmt::format(" --variant {}", *options.variant) : "";
}

int list_labs() {
  Diagnostics diagnostics;
  for (const Lab& lab : find_labs(diagnostics))
    std::cout << fmt::format("{}  {:<40} {:>3} minutes, {:>2} points\n   {}\n   {}\n", lab.number,
                             lab.title, lab.minutes, lab.points, lab.aim,
                             (lab.folder / "README.md").string());
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

// What a student begins with. The task of a variant is not the one of the installation.
std::vector<std::string> starting_files(const Lab& lab) {
  std::vector<std::string> names = lab.files;
  if (lab.variant.seed())
    names.insert(names.begin(), "README.md");
  return names;
}

int start_lab(const LabOptions& options) {
  const auto lab = chosen_lab(options);
  if (!lab)
    return kBadInput;
  Diagnostics diagnostics;
  const std::vector<std::string> names = starting_files(*lab);
  for (const std::string& name : names)
    if (fs::exists(fs::path(options.folder) / name))
      diagnostics.error(without_lines((fs::path(options.folder) / name).string()),
                        "already exists; move it away or choose another folder");
  std::error_code failure;
  if (!diagnostics.has_errors())
    fs::create_directories(options.folder, failure);
  if (failure)
    diagnostics.error(without_lines(options.folder), "cannot be made: " + failure.message());
  for (const std::string& name : names) {
    const auto text =
        diagnostics.has_errors() ? std::nullopt : text_of_file(*lab, name, diagnostics);
    if (text)
      write_output_file((fs::path(options.folder) / name).string(), *text, diagnostics);
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  for (const std::string& name : names)
    std::cout << (fs::path(options.folder) / name).string() << '\n';
  const fs::path task = lab->variant.seed() ? fs::path(options.folder) : lab->folder;
  std::cout << fmt::format(
      "Task: {0}\nCheck: nplab lab check {1}{2}{3}\nHints: nplab lab hint {1}{3}\n",
      (task / "README.md").string(), lab->number, options.folder == "." ? "" : " " + options.folder,
      variant_option(options));
  return kDone;
}

int pack_chosen_labs(const LabOptions& options) {
  Diagnostics diagnostics;
  std::vector<unsigned> numbers = options.numbers;
  if (numbers.empty())
    for (const Lab& lab : find_labs(diagnostics))
      numbers.push_back(lab.number);
  std::vector<Lab> labs;
  for (const unsigned number : numbers)
    if (auto lab = chosen_lab(number, options, diagnostics))
      labs.push_back(std::move(*lab));
  check_output_file(options.archive, diagnostics);
  if (!diagnostics.has_errors())
    pack_labs(labs, options.archive, diagnostics);
  std::cerr << diagnostics.to_string();
  if (diagnostics.has_errors())
    return kBadInput;
  std::cout << fmt::format("{}: {} {}{}\n", options.archive, labs.size(),
                           labs.size() == 1 ? "lab" : "labs",
                           options.variant ? fmt::format(", variant {}", *options.variant) : "");
  return kDone;
}

int check_chosen_lab(const LabOptions& options) {
  const auto lab = chosen_lab(options);
  if (!lab)
    return kBadInput;
  Diagnostics diagnostics;
  if (!fs::is_directory(options.folder))
    diagnostics.error(without_lines(options.folder),
                      "no such folder; name the folder that holds your files");
  check_output_file(options.json, diagnostics);
  check_output_file(options.junit, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const auto result = check_lab(*lab, options.folder, program_file().string(), options.seed);
  write_output_file(options.json, result.dump(2) + '\n', diagnostics);
  if (!options.junit.empty())
    write_output_file(options.junit, lab_junit(result), diagnostics);
  std::cerr << diagnostics.to_string();
  if (diagnostics.has_errors())
    return kBadInput;
  return result.at("passed").get<bool>() ? kDone : kCheckFailed;
}

int print_hint(const LabOptions& options) {
  const auto lab = chosen_lab(options);
  if (!lab)
    return kBadInput;
  const std::size_t step = std::max(options.step, 1u);
  if (step > lab->hints.size()) {
    std::cerr << fmt::format("nplab: error: lab {} has {} hints\n", lab->number, lab->hints.size());
    return kBadInput;
  }
  std::cout << fmt::format("Hint {} of {}: {}\n", step, lab->hints.size(), lab->hints[step - 1]);
  if (step < lab->hints.size())
    std::cout << fmt::format("More: nplab lab hint {} {}{}\n", lab->number, step + 1,
                             variant_option(options));
  return kDone;
}

void add_number(CLI::App& command, LabOptions& options) {
  command.add_option("N", options.number, "the lab's number")->required();
}

void add_folder(CLI::App& command, LabOptions& options, const char* what) {
  command.add_option("FOLDER", options.folder, what);
}

void add_variant(CLI::App& command, LabOptions& options) {
  command
      .add_option("--variant", options.variant,
                  "the lab with other figures, drawn from SEED: sizes, addresses, rules, latencies")
      ->type_name("SEED");
}

void add_pack_command(CLI::App& command, const std::shared_ptr<LabOptions>& options, int& status) {
  auto* pack = command.add_subcommand(
      "pack", "write a zip archive for students: tasks and starting files, no solutions");
  pack->add_option("FILE", options->archive, "the archive, such as labs.zip")->required();
  pack->add_option("N", options->numbers, "numbers of labs [all]");
  add_variant(*pack, *options);
  pack->callback([options, &status] { status = pack_chosen_labs(*options); });
}

}  // namespace

void add_lab_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "lab", "List, start, check and pack the exercises of docs/labs, with hints");
  command->require_subcommand(1);
  auto options = std::make_shared<LabOptions>();
  command->add_subcommand("list", "list the labs: time, points, aim, and where the task is")
      ->callback([&status] { status = list_labs(); });
  auto* start = command->add_subcommand("start", "copy a lab's starting files");
  add_number(*start, *options);
  add_folder(*start, *options, "the folder that gets them; created if it does not exist [.]");
  add_variant(*start, *options);
  start->callback([options, &status] { status = start_lab(*options); });
  auto* check = command->add_subcommand(
      "check", "check your files: JSON; exit status 0 passed, 1 not, 2 no such lab or folder");
  add_number(*check, *options);
  add_folder(*check, *options, "the folder of your files [.]");
  check
      ->add_option("--seed", options->seed,
                   "seed of the inputs with which programs are run; a course chooses its own [1]")
      ->type_name("N");
  check->add_option("--json", options->json, "write the result to FILE [-: standard output]")
      ->type_name("FILE");
  check
      ->add_option("--junit", options->junit,
                   "write it as JUnit XML, too, for course systems: a test case per check")
      ->type_name("FILE");
  add_variant(*check, *options);
  check->callback([options, &status] { status = check_chosen_lab(*options); });
  auto* hint = command->add_subcommand("hint", "print a hint for a lab; each of three says more");
  add_number(*hint, *options);
  hint->add_option("STEP", options->step, "1, 2 or 3 [1]")->type_name("N");
  add_variant(*hint, *options);
  hint->callback([options, &status] { status = print_hint(*options); });
  add_pack_command(*command, options, status);
}

}  // namespace nplab::tools
