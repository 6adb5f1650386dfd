// nplab diff: why one saved run differs from another.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "reports/analysis/run_difference.h"
#include "reports/record/run_record.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

struct DiffWords {
  std::array<std::string, 2> runs;
  reports::DifferenceOptions options;
};

int diff(const DiffWords& words) {
  Diagnostics diagnostics;
  std::vector<reports::RunRecord> records;
  for (const std::string& name : words.runs) {
    const auto file = read_input_file(name, diagnostics);
    if (!file)
      continue;
    auto read = reports::read_records(file->bytes, name, diagnostics);
    if (read.size() > 1) {
      diagnostics.error(
          {name, 0, 0},
          fmt::format("holds {} runs; diff compares two files of one run each", read.size()));
    }
    for (auto& record : read)
      records.push_back(std::move(record));
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  std::cout << reports::render_difference(records.at(0), records.at(1), words.options);
  return kDone;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "diff", "Explain why run B differs from run A, by cause, engine and source line");
  auto words = std::make_shared<DiffWords>();
  command->add_option("A", words->runs[0], "run record, as written by --json")->required();
  command->add_option("B", words->runs[1], "run record, as written by --json")->required();
  command->add_option("--rows", words->options.most_rows, "rows of each ranking [10]")
      ->type_name("N");
  command->callback([words, &status] { status = diff(*words); });
}

}  // namespace nplab::tools
