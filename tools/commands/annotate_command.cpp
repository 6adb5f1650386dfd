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

#include "reports/record/lean_record.h"
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
  if (!files.empty() && !words.options.file.empty())
    diagnostics.error({words.run, 0, 0},
                      fmt::format("has no source file whose name ends in '{}'; its files are {}",
                                  words.options.file, fmt::join(files, ", ")));
}

void check_programs(const AnnotateWords& words, const std::vector<reports::RunRecord>& records,
                    Diagnostics& diagnostics) {
  for (const reports::RunRecord& record : records)
    if (reports::is_lean(record)) {
      diagnostics.error({words.run, 0, 0}, reports::why_left_out("lines"));
      return;
    }
  for (const reports::RunRecord& record : records)
    if (words.assembly && record.programs.empty() && !record.engines.empty())
      diagnostics.error(
          {words.run, 0, 0},
          "holds no programs, because an older nplab wrote it; run the mapping again to use --asm");
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
  auto* command = app.add_subcommand(
      "annotate", "Print the source lines of a saved run with the cycles that they cost");
  auto words = std::make_shared<AnnotateWords>();
  command->add_option("RUN", words->run, "run record or comparison, as written by --json")
      ->required();
  command->add_option("--engine", words->options.engine, "only this engine [all, added up]")
      ->type_name("N");
  command->add_option("--file", words->options.file, "only files whose name ends in NAME")
      ->type_name("NAME");
  command
      ->add_option("--lines", words->options.most_lines, "print the N hottest lines; 0: all [40]")
      ->type_name("N");
  command->add_flag(
      "--causes", words->options.causes,
      "print below each source line what it stalled on, what it waited for and what it referenced");
  command->add_flag("--asm", words->assembly,
                    "print instructions instead of source lines; with --source, in program order, "
                    "each after its source line");
  command->add_flag(
      "--stacks", words->as_stacks,
      "print all lines as collapsed stacks, for flamegraph.pl, speedscope and others");
  command->add_flag(
      "--source", words->in_place,
      "print every file in full, with the figures next to each line, instead of the hottest lines");
  command->callback([words, &status] { status = annotate(*words); });
}

}  // namespace nplab::tools
