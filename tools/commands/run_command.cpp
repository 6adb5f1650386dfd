// nplab run and nplab compare.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/prepare/profile.h"
#include "experiments/prepare/run_key.h"
#include "experiments/run/comparison.h"
#include "experiments/run/result_store.h"
#include "reports/analysis/steady_state.h"
#include "reports/analysis/verdict.h"
#include "reports/html/html_report.h"
#include "reports/text/csv_report.h"
#include "reports/text/text_report.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/options/throughput_options.h"
#include "tools/options/trace_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"
#include "tools/output/published_text.h"
#include "tools/output/rule_notes.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct RunOptions {
  std::vector<std::string> mappings;
  ExperimentOptions experiment;
  OutputOptions output;
  TraceOptions trace;
  std::vector<std::string> timeline;  // values of --timeline
  ThroughputOptions throughput;
  reports::Figures figures = reports::Figures::kChosenBy;  // of several runs
  bool prints_key = false;
  std::string store;  // empty: none
};

ProgressBar::Visibility visibility(const RunOptions& options) {
  return options.output.quiet ? ProgressBar::Visibility::kQuiet
                              : ProgressBar::Visibility::kWhenTerminal;
}

// Finds the mapping's throughput and sets the arrival to it.
std::optional<reports::Throughput> find_throughput(const std::string& mapping,
                                                   const ThroughputOptions& options,
                                                   ExperimentOptions& experiment, ProgressBar& bar,
                                                   Diagnostics& diagnostics) {
  const auto progress = [&](std::size_t done, std::size_t of) {
    bar.show(fmt::format("{}: throughput, trial {} of at most {}", mapping, done + 1, of),
             static_cast<double>(done) / static_cast<double>(of));
  };
  const auto found = search_throughput(mapping, experiment, options.search, diagnostics, progress);
  if (!found)
    return std::nullopt;
  experiment.arrival = workloads::Arrival{workloads::Arrival::Process::kConstant, found->rate_mbps};
  return found->figures;
}

struct PreparedRuns {
  std::vector<PreparedRun> runs;
  std::vector<std::optional<reports::Throughput>> throughputs;  // by run
};

PreparedRuns prepare(const RunOptions& options, Diagnostics& diagnostics) {
  PreparedRuns all;
  ProgressBar bar(visibility(options));
  const auto set_throughput = [&](const std::string& mapping, ExperimentOptions& experiment) {
    if (!options.throughput.wanted) {
      all.throughputs.emplace_back();
      return true;
    }
    const auto found = find_throughput(mapping, options.throughput, experiment, bar, diagnostics);
    if (found)
      all.throughputs.push_back(found);
    return found.has_value();
  };
  all.runs = prepare_runs(
      options.mappings, options.experiment, diagnostics,
      [&](const std::string& step, double done) { bar.show(step, done); }, set_throughput);
  make_capture_folders(all.runs, options.output.pcap_folder, diagnostics);
  check_output_file(options.output.json, diagnostics);
  check_output_file(options.output.csv, diagnostics);
  check_output_file(options.output.html, diagnostics);
  check_output_file(options.output.profile, diagnostics);
  if (!options.output.profile.empty() && options.output.detail == reports::RecordDetail::kLean)
    diagnostics.error(without_lines("--profile-out"),
                      "needs the lines that --record lean leaves out");
  return all;
}

std::optional<std::vector<reports::RunRecord>> simulate(const RunOptions& options,
                                                        const std::vector<PreparedRun>& prepared,
                                                        const RunOutputs& outputs,
                                                        Diagnostics& diagnostics) {
  ProgressBar bar(visibility(options));
  const std::string label =
      prepared.size() == 1 ? prepared.front().experiment.mapping.name : "simulating";
  return simulate_runs(prepared, outputs, [&](double done) { bar.show(label, done); }, diagnostics);
}

void print(const RunOptions& options, const std::vector<reports::RunRecord>& records) {
  if (options.output.quiet || options.output.json == "-" || options.output.csv == "-" ||
      options.output.html == "-")
    return;
  std::cout << reports::render_runs(records, options.figures);
  if (options.output.published)
    std::cout << '\n' << published_text(records);
}

void print_failures(const std::vector<reports::RunRecord>& records) {
  for (const auto& record : records) {
    if (!record.failure)
      continue;
    std::cerr << fmt::format("nplab: {}: {}: {}\n", record.inputs.mapping.name,
                             record.failure->kind, record.failure->message);
    for (const std::string& detail : record.failure->details)
      std::cerr << "  " << detail << '\n';
  }
}

// What reports show of the runs.
std::vector<reports::RunRecord> shown(const RunOptions& options,
                                      const std::vector<reports::RunRecord>& records) {
  std::vector<reports::RunRecord> shown = records;
  if (options.output.discards_warm_up)
    std::transform(shown.begin(), shown.end(), shown.begin(), reports::without_warm_up);
  return shown;
}

using JsonOf = std::function<std::string(const std::vector<reports::RunRecord>&)>;

// Writes the records and what reports show of them, and says how the runs went.
int write_results(const RunOptions& options, const std::vector<reports::RunRecord>& records,
                  const JsonOf& json_of, Diagnostics& diagnostics) {
  const auto for_reports = shown(options, records);
  if (!options.output.json.empty())
    write_output_file(options.output.json, json_of(records), diagnostics);
  if (!options.output.csv.empty())
    write_output_file(options.output.csv, reports::render_csv(for_reports), diagnostics);
  if (!options.output.html.empty())
    write_output_file(options.output.html, reports::render_html(for_reports), diagnostics);
  print(options, for_reports);
  print_failures(records);
  std::cerr << diagnostics.to_string();
  int status = diagnostics.has_errors() ? kBadInput : kDone;
  for (const auto& record : records)
    status = std::max(status, status_of(record));
  return status;
}

// `keep`, unless it is empty, is given the records before anything is written.
using Keep = std::function<void(const std::vector<reports::RunRecord>&, Diagnostics&)>;

int run(const RunOptions& options, const JsonOf& json_of, const Keep& keep = {}) {
  Diagnostics diagnostics;
  const auto [prepared, throughputs] = prepare(options, diagnostics);
  const auto trace = trace_request(options.trace, diagnostics);
  if (trace && !prepared.empty())
    check_trace(*trace, prepared.front().experiment.chip, diagnostics);
  const auto timeline =
      timeline_request(options.timeline, !options.output.html.empty(), diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  // The runs of a comparison have the same rules unless their mappings name workloads of their own.
  if (!options.output.quiet)
    std::cerr << skipped_notes(prepared.front().experiment.workload.rules);
  auto records =
      simulate(options, prepared,
               {options.output.pcap_folder, trace, timeline, options.output.detail}, diagnostics);
  if (!records) {
    std::cerr << diagnostics.to_string();
    return kProgramFailed;
  }
  for (std::size_t i = 0; i < records->size(); ++i)
    (*records)[i].throughput = throughputs[i];
  if (keep)
    keep(*records, diagnostics);
  if (!options.output.profile.empty()) {
    write_output_file(options.output.profile,
                      profile_json(records->front(), prepared.front().programs), diagnostics);
  }
  return write_results(options, *records, json_of, diagnostics);
}

std::string json_of_one(const std::vector<reports::RunRecord>& records) {
  return reports::to_json(records.front());
}

int print_key(const RunOptions& options) {
  Diagnostics diagnostics;
  const auto key =
      run_key(options.mappings.front(), options.experiment, options.output.detail, diagnostics);
  std::cerr << diagnostics.to_string();
  if (key)
    std::cout << *key << '\n';
  return key ? kDone : kBadInput;
}

// A store holds records; what else a run can write would be missing when it is not run.
void check_outputs_of_stored(const RunOptions& options, Diagnostics& diagnostics) {
  const std::vector<std::pair<const char*, bool>> refused{
      {"--html", !options.output.html.empty()},
      {"--timeline", !options.timeline.empty()},
      {"--trace", !options.trace.file.empty()},
      {"--pcap-out", !options.output.pcap_folder.empty()},
      {"--profile-out", !options.output.profile.empty()},
      {"--throughput", options.throughput.wanted}};
  for (const auto& [option, is_given] : refused)
    if (is_given)
      diagnostics.error(without_lines(option),
                        "needs the run itself, and --store takes a result that is there; leave one "
                        "of them out");
}

// As run, with a record that the store may have.
int run_with_store(const RunOptions& options) {
  Diagnostics diagnostics;
  check_outputs_of_stored(options, diagnostics);
  const auto store = ResultStore::open(options.store, diagnostics);
  const auto key = store ? run_key(options.mappings.front(), options.experiment,
                                   options.output.detail, diagnostics)
                         : std::nullopt;
  auto record = key ? store->find(*key, diagnostics) : std::nullopt;
  if (record) {
    check_output_file(options.output.json, diagnostics);
    check_output_file(options.output.csv, diagnostics);
  }
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  if (record)
    return write_results(options, {*record}, json_of_one, diagnostics);
  std::cerr << diagnostics.to_string();  // of a result that does not verify
  return run(options, json_of_one, [&](const auto& records, Diagnostics& unwritable) {
    store->keep(*key, records.front(), unwritable);
  });
}

constexpr const char* kExitStatuses =
    "Exit status: 0 done and every check held; 1 a check failed; 2 bad input or usage; 3 the "
    "simulated program failed.";

}  // namespace

void add_run_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "run", "Compile a mapping, simulate it, check every packet and print the report");
  auto options = std::make_shared<RunOptions>();
  options->mappings.resize(1);
  command
      ->add_option("MAPPING", options->mappings.front(),
                   "a mapping file or a listed name (nplab list)")
      ->required();
  add_experiment_options(*command, options->experiment);
  add_without_option(*command, options->experiment.without);
  add_unit_option(*command, options->experiment.units, "Experiment");
  add_output_options(*command, options->output);
  add_timeline_option(*command, options->timeline);
  add_trace_options(*command, options->trace);
  add_throughput_options(*command, options->throughput);
  command
      ->add_flag("--key", options->prints_key,
                 "run nothing: print the digest of all that the run depends on, by which a "
                 "store has it")
      ->group("Output");
  command
      ->add_option("--store", options->store,
                   "take the result from folder DIR when it has it, else run and keep it there "
                   "(nplab store)")
      ->type_name("DIR")
      ->group("Output");
  command->footer(kExitStatuses);
  command->callback([options, &status] {
    status = options->prints_key       ? print_key(*options)
             : !options->store.empty() ? run_with_store(*options)
                                       : run(*options, json_of_one);
  });
}

void add_compare_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "compare", "Run several mappings and print them side by side, with their differences");
  auto options = std::make_shared<RunOptions>();
  command
      ->add_option("MAPPING", options->mappings,
                   "mapping files or listed names (nplab list), each with keys of its own if "
                   "wanted: NAME:KEY=VALUE:KEY=VALUE, as --set takes them")
      ->required();
  add_experiment_options(*command, options->experiment);
  add_without_option(*command, options->experiment.without);
  add_unit_option(*command, options->experiment.units, "Experiment");
  add_output_options(*command, options->output);
  add_timeline_option(*command, options->timeline);
  add_throughput_options(*command, options->throughput);
  add_all_figures_option(*command, "Output", options->figures);
  command->footer(kExitStatuses);
  command->callback([options, &status] {
    status = run(*options, [](const auto& records) {
      return reports::compare_json(records, reports::verdict_of(records));
    });
  });
}

}  // namespace nplab::tools
