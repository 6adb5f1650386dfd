// nplab annotate: what each source line of a saved run cost.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "reports/record/run_names.h"
#include "reports/record/run_record.h"
#include "reports/text/annotate.h"
#include "reports/text/annotate_assembly.h"
#include "reports/text/collapsed_stacks.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"

namespace nplab::tools {
namespace {

struct AnnotateWords {
  std::string run;
  bool in_place = false;
  bool as_stacks = false;
  bool assembly = false;
  reports::AnnotateOptions options;
};

void check_engine(const AnnotateWords& words, const std::vector<reports::RunRecord>& records,
                  Diagnostics& diagnostics) {
  if (!words.options.engine)
    return;
  for (const reports::RunRecord& record : records) {
    if (*words.options.engine < record.engines.size())
      continue;
    diagnostics.error({words.run, 0, 0},
                      fmt::format("has no engine {}: its engines are 0 to {}",
                                  *words.options.engine, record.engines.size() - 1));
  }
}

bool has_file(const reports::RunRecord& record, const std::string& ending) {
  return std::any_of(record.lines.begin(), record.lines.end(),
                     [&](const reports::Line& line) { return line.file.ends_with(ending); });
}

void check_file(const AnnotateWords& words, const std::vector<reports::RunRecord>& records,
                Diagnostics& diagnostics) {
  std::set<std::string> files;
  for (const reports::RunRecord& record : records) {
    if (has_file(record, words.options.file))
      return;
    for (const reports::Line& line : record.lines)
      files.insert(line.file);
  }
  if (!records.empty() && !words.options.file.empty())
    diagnostics.error({words.run, 0, 0},
                      fmt::format("has no lines of a file that ends in '{}': its files are {}",
                                  words.options.file, fmt::join(files, ", ")));
}

void check_programs(const AnnotateWords& words, const std::vector<reports::RunRecord>& records,
                    Diagnostics& diagnostics) {
  for (const reports::RunRecord& record : records)
    if (words.assembly && record.programs.empty() && !record.engines.empty())
      diagnostics.error({words.run, 0, 0},
                        "holds no programs: an older nplab wrote it; run again for --asm");
}

std::string annotated(const reports::RunRecord& record, const AnnotateWords& words) {
  if (words.as_stacks)
    return reports::render_collapsed_stacks(record);
  if (words.assembly)
    return reports::render_annotated_assembly(record, words.options);
  return reports::render_annotated(record, words.options);
}

int annotate(AnnotateWords words) {
  Diagnostics diagnostics;
  std::vector<reports::RunRecord> records;
  if (const auto file = read_input_file(words.run, diagnostics)) {
    records = reports::read_records(file->bytes, words.run, diagnostics);
  }
  check_engine(words, records, diagnostics);
  check_file(words, records, diagnostics);
  check_programs(words, records, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  if (words.in_place)
    words.options.order = reports::AnnotateOptions::Order::kSource;
  const std::vector<std::string> names = reports::run_names(records);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records.size() > 1 && !words.as_stacks)
      std::cout << (i == 0 ? "" : "\n") << names[i] << '\n';
    std::cout << annotated(records[i], words);
  }
  return kDone;
}

}  // namespace

void add_annotate_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("annotate", "Source lines of a saved run with the cycles they cost");
  auto words = std::make_shared<AnnotateWords>();
  command->add_option("RUN", words->run, "run record or comparison, as written by --json")
      ->required();
  command->add_option("--engine", words->options.engine, "only this engine [all, added up]")
      ->type_name("N");
  command->add_option("--file", words->options.file, "only files whose name ends so")
      ->type_name("NAME");
  command->add_option("--lines", words->options.most_lines, "the N hottest lines; 0: all [40]")
      ->type_name("N");
  command->add_flag(
      "--causes", words->options.causes,
      "below each source line what it stalled on and waited for, and what it referred to");
  command->add_flag(
      "--asm", words->assembly,
      "instructions instead of source lines; with --source in place, behind their lines");
  command->add_flag("--stacks", words->as_stacks,
                    "all lines as collapsed stacks, for flamegraph.pl, speedscope and others");
  command->add_flag("--source", words->in_place,
                    "every line of every file in place instead of the hottest first");
  command->callback([words, &status] { status = annotate(*words); });
}

}  // namespace nplab::tools
