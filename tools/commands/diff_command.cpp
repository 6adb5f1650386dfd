// nplab diff: why one saved run differs from another.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "reports/analysis/run_difference.h"
#include "reports/record/lean_record.h"
#include "reports/record/run_names.h"
#include "reports/record/run_record.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;  // empty: the second run of `before`
  reports::DifferenceOptions report;
};

using Records = std::vector<reports::RunRecord>;

// `bv1, bv2, bv1#2`
std::string names_text(const Records& records) {
  return fmt::format("{}", fmt::join(reports::run_names(records), ", "));
}

Records read_file(const std::string& name, Diagnostics& diagnostics) {
  const auto file = read_input_file(name, diagnostics);
  return file ? reports::read_records(file->bytes, name, diagnostics) : Records{};
}

// Where FILE ends in FILE#RUN; RUN may hold another `#`.
std::size_t end_of_file_name(const std::string& name) {
  std::size_t end = std::filesystem::exists(name) ? name.npos : name.find('#');
  while (end != name.npos && !std::filesystem::exists(name.substr(0, end)))
    end = name.find('#', end + 1);
  return end;
}

// The run that `name` says: the one of FILE, or of FILE#RUN the one of this name or number.
void take_run(const std::string& name, Records& taken, Diagnostics& diagnostics) {
  const std::size_t end = end_of_file_name(name);
  const std::string run = end == name.npos ? "" : name.substr(end + 1);
  Records records = read_file(name.substr(0, end), diagnostics);
  if (records.empty())
    return;
  const auto names = reports::run_names(records);
  for (std::size_t i = 0; i < records.size(); ++i)
    if ((run.empty() && records.size() == 1) || run == names[i] || run == std::to_string(i + 1))
      return taken.push_back(std::move(records[i]));
  diagnostics.error({name, 0, 0},
                    run.empty()
                        ? fmt::format("holds {} runs; write FILE#RUN, by name or number: {}",
                                      records.size(), names_text(records))
                        : fmt::format("has no run '{}'; write FILE#RUN, by name or number: {}", run,
                                      names_text(records)));
}

// Both runs of a comparison.
void take_both(const std::string& name, Records& taken, Diagnostics& diagnostics) {
  taken = read_file(name, diagnostics);
  if (taken.empty() || taken.size() == 2)
    return;
  diagnostics.error({name, 0, 0}, taken.size() == 1
                                      ? "holds one run; name a second file"
                                      : fmt::format("holds {} runs; name two of them, FILE#RUN: {}",
                                                    taken.size(), names_text(taken)));
}

int diff(const DiffOptions& options) {
  Diagnostics diagnostics;
  Records records;
  if (options.after.empty()) {
    take_both(options.before, records, diagnostics);
  } else {
    take_run(options.before, records, diagnostics);
    take_run(options.after, records, diagnostics);
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  for (std::size_t i = 0; i != records.size(); ++i)
    if (reports::is_lean(records[i]))
      std::cerr << fmt::format("{}: note: no differences by source line: {}\n",
                               i == 0 || options.after.empty() ? options.before : options.after,
                               reports::why_left_out("lines"));
  if (std::any_of(records.begin(), records.end(), reports::is_lean))
    std::for_each(records.begin(), records.end(), reports::make_lean);
  std::cout << reports::render_difference(records.at(0), records.at(1), options.report);
  return kDone;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "diff", "Explain why run B differs from run A, by cause, engine and source line");
  auto options = std::make_shared<DiffOptions>();
  command
      ->add_option("A", options->before,
                   "record of a run or a comparison, as --json writes it; FILE#RUN names one run "
                   "of a comparison, by name or number")
      ->required();
  command->add_option("B", options->after,
                      "the other run [the second one of A, if A is a comparison of two]");
  command->add_option("--rows", options->report.most_rows, "rows of each ranking [10]")
      ->type_name("N");
  command->callback([options, &status] { status = diff(*options); });
}

}  // namespace nplab::tools
