// nplab report: renders saved runs.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/control_flow_graph.h"
#include "reports/analysis/stage_graph.h"
#include "reports/analysis/steady_state.h"
#include "reports/html/html_report.h"
#include "reports/record/lean_record.h"
#include "reports/record/run_record.h"
#include "reports/text/csv_report.h"
#include "reports/text/text_report.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/published_text.h"

namespace nplab::tools {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string csv;
  std::string html;
  std::string dot;
  std::string svg;
  std::optional<reports::Count> graph_of;  // an engine's program; none: the stages
  bool published = false;
  bool discards_warm_up = false;
  reports::Figures figures = reports::Figures::kChosenBy;
};

// The graph of stages, or of the program of the engine that the options name.
std::string graph_of(const reports::RunRecord& record, const ReportOptions& options,
                     Diagnostics& diagnostics) {
  if (!options.graph_of)
    return reports::stage_graph_dot(record);
  for (const reports::Program& program : record.programs)
    if (program.engine == *options.graph_of)
      return reports::control_flow_dot(record, program);
  const std::string why = reports::is_lean(record)  ? reports::why_left_out("programs")
                          : record.programs.empty() ? "an older nplab wrote it"
                                                    : "the engine is off or does not exist";
  diagnostics.error({options.files.front(), 0, 0},
                    fmt::format("holds no program for engine {}: {}", *options.graph_of, why));
  return "";
}

// What is asked for together and where it is to go, before anything is written.
void check_report(const ReportOptions& options, std::size_t runs, Diagnostics& diagnostics) {
  for (const std::string& file : {options.csv, options.html, options.dot, options.svg})
    check_output_file(file, diagnostics);
  if (options.graph_of && options.dot.empty() && options.svg.empty())
    diagnostics.error(without_lines("--cfg"), "needs an output file: --dot FILE or --svg FILE");
  if (!options.svg.empty() && runs > 1)
    diagnostics.error(without_lines("--svg " + options.svg),
                      fmt::format("draws one run, but {} are given", runs));
}

void write_report(const std::vector<reports::RunRecord>& records, const ReportOptions& options,
                  Diagnostics& diagnostics) {
  std::string graphs, drawing;
  if (!options.dot.empty() || !options.svg.empty())
    for (const reports::RunRecord& record : records)
      graphs += graph_of(record, options, diagnostics);
  if (!options.svg.empty() && !diagnostics.has_errors()) {
    drawing = reports::drawn_svg(graphs);
    if (drawing.empty())
      diagnostics.error(without_lines("--svg " + options.svg),
                        "Graphviz cannot draw this graph; see --dot");
  }
  if (diagnostics.has_errors())
    return;
  if (!options.csv.empty())
    write_output_file(options.csv, reports::render_csv(records), diagnostics);
  if (!options.html.empty())
    write_output_file(options.html, reports::render_html(records), diagnostics);
  if (!options.dot.empty())
    write_output_file(options.dot, graphs, diagnostics);
  if (!options.svg.empty())
    write_output_file(options.svg, drawing, diagnostics);
}

int report(const ReportOptions& options) {
  Diagnostics diagnostics;
  std::vector<reports::RunRecord> records;
  for (const std::string& name : options.files) {
    const auto file = read_input_file(name, diagnostics);
    if (!file)
      continue;
    for (auto& record : reports::read_records(file->bytes, name, diagnostics))
      records.push_back(options.discards_warm_up ? reports::without_warm_up(std::move(record))
                                                 : std::move(record));
  }
  check_report(options, records.size(), diagnostics);
  if (!diagnostics.has_errors())
    write_report(records, options, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const auto outputs = {options.csv, options.html, options.dot, options.svg};
  const bool writes_file =
      std::any_of(begin(outputs), end(outputs), [](const auto& file) { return !file.empty(); });
  if (!writes_file)
    std::cout << reports::render_runs(records, options.figures);
  if (options.published && std::find(begin(outputs), end(outputs), "-") == end(outputs))
    std::cout << (writes_file ? "" : "\n") << published_text(records);
  return kDone;
}

}  // namespace

void add_report_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "report", "Render saved runs: as text, or as --csv, --html, --dot and --svg ask");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("FILE", options->files, "run records or comparisons, as written by --json")
      ->required();
  command
      ->add_option("--csv", options->csv,
                   "write every figure of every table as CSV to FILE (- for standard output)")
      ->type_name("FILE");
  command
      ->add_option("--html", options->html,
                   "write one self-contained HTML page to FILE (- for standard output)")
      ->type_name("FILE");
  command
      ->add_option("--dot", options->dot,
                   "write the stage graphs with rates and waits for Graphviz to FILE (- for "
                   "standard output)")
      ->type_name("FILE");
  command
      ->add_option("--svg", options->svg, "draw the stage graphs to FILE (- for standard output)")
      ->type_name("FILE");
  command
      ->add_option("--cfg", options->graph_of,
                   "make --dot and --svg draw the control-flow graph of engine N's program, with "
                   "cycles per basic block")
      ->type_name("N");
  add_warm_up_option(*command, "OPTIONS", options->discards_warm_up);
  command->add_flag("--published", options->published,
                    "print the published measurements next to ours");
  add_all_figures_option(*command, "OPTIONS", options->figures);
  command->callback([options, &status] { status = report(*options); });
}

}  // namespace nplab::tools
