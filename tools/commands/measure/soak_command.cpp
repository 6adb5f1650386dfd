// nplab soak: one mapping under full load for long, to find what drifts, leaks or gets lost.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <csignal>
#include <iostream>
#include <limits>
#include <memory>

#include "experiments/prepare/unit_choices.h"
#include "experiments/run/soak_run.h"
#include "reports/analysis/soak.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

constexpr std::uint64_t kUsualPackets = 10'000'000;
constexpr std::chrono::seconds kWriteInterval{10};

struct SoakOptions {
  std::string mapping;
  ExperimentOptions experiment;
  std::optional<std::uint64_t> packets;
  std::string duration;
  SoakPlan plan;
  std::string json;
  bool quiet = false;
};

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int) {
  interrupted = 1;
}

// `90s`, `45m`, `2h`; a bare number is seconds.
std::optional<std::chrono::seconds> parse_duration(const std::string& text,
                                                   Diagnostics& diagnostics) {
  const auto digits = text.find_first_not_of("0123456789");
  const std::string unit = digits == std::string::npos ? "s" : text.substr(digits);
  const unsigned factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr std::size_t kMostDigits = 7;
  if (digits == 0 || std::min(digits, text.size()) > kMostDigits || factor == 0) {
    diagnostics.error(without_lines("--for " + text),
                      "expected a number and s, m or h, such as 90s or 2h");
    return std::nullopt;
  }
  return std::chrono::seconds(std::stoul(text) * factor);
}

std::uint64_t packets_wanted(const SoakOptions& options) {
  const bool endless = !options.packets && !options.duration.empty();
  return endless ? std::numeric_limits<std::uint64_t>::max()
                 : options.packets.value_or(kUsualPackets);
}

// The run, with progress on the terminal and the record in its file now and then: a run that is
// ended from outside leaves what it had measured.
reports::SoakRecord watched_soak(const SoakOptions& options, const PreparedRun& prepared,
                                 const SoakPlan& plan, Diagnostics& diagnostics) {
  using Clock = std::chrono::steady_clock;
  ProgressBar bar(options.quiet ? ProgressBar::Visibility::kQuiet
                                : ProgressBar::Visibility::kWhenTerminal);
  Clock::time_point next_write = Clock::now() + kWriteInterval;
  SoakWatcher watcher;
  watcher.stop = [] { return interrupted != 0; };
  watcher.progress = [&](const reports::SoakRecord& record, double done) {
    bar.show(fmt::format("{}, window {}", options.mapping, record.windows.size() + 1), done);
  };
  watcher.window_closed = [&](const reports::SoakRecord& record) {
    if (options.json.empty() || options.json == "-" || Clock::now() < next_write)
      return;
    next_write = Clock::now() + kWriteInterval;
    write_output_file(options.json, to_json(record), diagnostics);
  };
  return run_soak(prepared, plan, watcher, diagnostics);
}

// A second interrupt ends the process.
void take_interrupts() {
  struct sigaction action{};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int soak_status(const reports::SoakRecord& record) {
  int status = status_of(*record.run);
  for (const reports::SoakCheck& check : reports::check_soak(record))
    if (!check.held)
      status = std::max(status, kCheckFailed);
  return status;
}

void report(const SoakOptions& options, const reports::SoakRecord& record) {
  if (!options.quiet && options.json != "-")
    std::cout << reports::render_soak(record);
  for (const reports::SoakCheck& check : reports::check_soak(record))
    if (!check.held)
      std::cerr << fmt::format("nplab: {}: fails: {}: {}\n", options.mapping, check.name,
                               check.measured);
  if (!record.run->failure)
    return;
  for (const std::string& detail : record.run->failure->details)
    std::cerr << "  " << detail << '\n';
}

int soak(const SoakOptions& options) {
  Diagnostics diagnostics;
  SoakPlan plan = options.plan;
  plan.packets = packets_wanted(options);
  if (!options.duration.empty())
    plan.time = parse_duration(options.duration, diagnostics);
  const auto prepared = prepare_run(options.mapping, soaking(options.experiment), diagnostics);
  if (prepared)
    check_unit_names(options.experiment, {&prepared->experiment.chip}, diagnostics);
  check_output_file(options.json, diagnostics);
  if (diagnostics.has_errors() || !prepared) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  take_interrupts();
  const auto record = watched_soak(options, *prepared, plan, diagnostics);
  if (!options.json.empty())
    write_output_file(options.json, to_json(record), diagnostics);
  report(options, record);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : soak_status(record);
}

}  // namespace

void add_soak_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("soak",
                                     "Run a mapping under full load for a long time: rates and "
                                     "memory must stay steady, and no buffer may leak");
  command->footer(
      "An interrupt (Ctrl-C) ends the traffic; the run drains and reports. The JSON file is "
      "written while it runs.\nExit status: 0 every check held; 1 a check failed; 2 bad input; 3 "
      "the simulated program failed.");
  auto options = std::make_shared<SoakOptions>();
  command->add_option("MAPPING", options->mapping, "a mapping file or a listed name (nplab list)")
      ->required();
  command
      ->add_option("--for", options->duration,
                   "offer packets for this much wall time, such as 90s, 45m or 2h")
      ->type_name("TIME");
  command
      ->add_option("--window", options->plan.window,
                   "received packets per measurement window [100000]")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
  add_experiment_options(*command, options->experiment);
  add_unit_option(*command, options->experiment.units, "Experiment");
  // The run always drains, and is longer than others.
  command->remove_option(command->get_option("--drain"));
  command->remove_option(command->get_option("--packets"));
  command
      ->add_option("--packets", options->packets,
                   "packets to receive [10 million; with --for, no limit]")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
  command
      ->add_option("--json", options->json,
                   "write the measurements to FILE (- for standard output)")
      ->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "print no report and show no progress");
  command->callback([options, &status] { status = soak(*options); });
}

}  // namespace nplab::tools
