// nplab match: a workload looked up by the match engine, a unit of its own.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/match_engine/match_report.h"
#include "experiments/match_engine/match_run.h"
#include "experiments/match_engine/match_trace.h"
#include "experiments/prepare/experiment.h"
#include "experiments/run/trace_output.h"
#include "support/unfinished_file.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"

namespace nplab::tools {

using namespace experiments;
namespace {

namespace match = simulator::match;

struct MatchOptions {
  ExperimentOptions experiment;
  MatchRunOptions run{.unit = published_match_unit()};
  unsigned clock_mhz = 300;
  std::string json;  // file
  std::string html;  // file
  TraceOptions trace;
  bool is_quiet = false;
};

// A word for each value of a choice.
template <class Choice>
void add_choice(CLI::App& command, const std::string& name, Choice& choice,
                const std::string& help) {
  const auto words = choice_words(Choice{});
  command
      .add_option_function<std::string>(
          name,
          [&choice, words](const std::string& word) {
            choice =
                static_cast<Choice>(std::find(words.begin(), words.end(), word) - words.begin());
          },
          help + " [" + words.front() + "]")
      ->type_name("WORD")
      ->check(CLI::IsMember(words));
}

CLI::Validator power_of_two(unsigned least, unsigned most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return {[=](const std::string& word) -> std::string {
            unsigned value = 0;
            if (CLI::detail::lexical_cast(word, value) && value >= least && value <= most &&
                std::has_single_bit(value))
              return "";
            return "a power of two from " + range + " is expected";
          },
          "N"};
}

// 0: no cache; else entire sets, a power of two of them.
std::string check_lines(const std::string& word) {
  unsigned value = 0;
  constexpr unsigned kMostLines = 1u << 24;
  const unsigned ways = match::MatchCacheDescription().ways;
  if (CLI::detail::lexical_cast(word, value) &&
      (value == 0 || (std::has_single_bit(value) && value >= ways && value <= kMostLines)))
    return "";
  return "0, or a power of two from " + std::to_string(ways) + " to " + std::to_string(kMostLines) +
         ", is expected";
}

// FILE.dram: all commands of the memory; FILE.json: a range of the unit's cycles.
class MatchTraceFile {
 public:
  // Reports what cannot be traced.
  MatchTraceFile(const TraceOptions& options, MatchRunOptions& run, Diagnostics& diagnostics) {
    if (options.file.empty())
      return;
    const auto range = parse_cycle_range("--trace-cycles", options.cycles, diagnostics);
    check_output_file(options.file, diagnostics);
    if (diagnostics.has_errors())
      return;
    if (options.file.ends_with(".dram")) {
      run.commands = &commands_.emplace(file_.emplace(options.file).stream());
    } else if (options.file.ends_with(".json")) {
      const MatchCycleRange cycles{range->from.number(), range->to.number() - 1};
      run.cycles =
          &cycles_.emplace(file_.emplace(options.file).stream(), cycles, run.unit.clock_hz);
    } else {
      diagnostics.error(without_lines("--trace"),
                        fmt::format("'{}' ends neither in .json, trace events, nor in .dram, "
                                    "commands of the memory",
                                    options.file));
    }
  }
  void commit(Diagnostics& diagnostics) {
    cycles_.reset();
    if (file_)
      file_->commit(diagnostics);
  }

 private:
  std::optional<UnfinishedFile> file_;
  std::optional<simulator::dram::TraceWriter> commands_;
  std::optional<MatchTrace> cycles_;
};

void write_results(const MatchRunResult& result, const MatchOptions& options,
                   Diagnostics& diagnostics) {
  if (!options.json.empty())
    write_output_file(options.json, match_run_json(result, options.run).dump(2) + "\n",
                      diagnostics);
  if (!options.html.empty())
    write_output_file(options.html, match_run_page(result, options.run), diagnostics);
}

int run_match(MatchOptions options) {
  Diagnostics diagnostics;
  const auto inputs =
      read_experiment_inputs("ixp1200", "published", options.experiment, diagnostics);
  options.run.unit.clock_hz = std::uint64_t{options.clock_mhz} * 1'000'000;
  options.run.traffic.seed = options.experiment.seed.value_or(1);
  for (const std::string& file : {options.json, options.html})
    if (!file.empty())
      check_output_file(file, diagnostics);
  MatchTraceFile trace(options.trace, options.run, diagnostics);
  std::optional<MatchRunResult> result;
  if (inputs && !diagnostics.has_errors()) {
    ProgressBar bar(options.is_quiet ? ProgressBar::Visibility::kQuiet
                                     : ProgressBar::Visibility::kWhenTerminal);
    options.run.progress = [&bar](double done) { bar.show("match", done); };
    result = run_match_engine(inputs->workload, options.run, diagnostics);
  }
  if (result) {
    write_results(*result, options, diagnostics);
    trace.commit(diagnostics);
  }
  std::cerr << diagnostics.to_string();
  if (!result || diagnostics.has_errors())
    return kBadInput;
  if (options.json != "-" && !options.is_quiet)
    std::cout << match_run_text(*result, options.run);
  return result->is_right() ? kDone : kCheckFailed;
}

void add_unit_options(CLI::App& command, MatchOptions& options) {
  match::MatchDescription& unit = options.run.unit;
  const auto number = [&command](const std::string& name, unsigned& value,
                                 const std::string& help) {
    return command.add_option(name, value, help + " [" + std::to_string(value) + "]")
        ->type_name("N");
  };
  number("--clock-mhz", options.clock_mhz, "clock of the unit")->check(CLI::Range(1, 5'000));
  number("--channels", unit.dram.organization.channels, "channels of DDR4-2666")
      ->check(power_of_two(1, 16));
  number("--window", unit.dram.controller.window,
         "requests among which a memory controller chooses; the default is calibrated")
      ->check(CLI::Range(1, 64));
  number("--cache-lines", unit.cache.lines, "lines of the cache, 0: none")
      ->check(CLI::Validator(check_lines, "N"));
  number("--load-queue", unit.load_queue, "places of the queue of reads")
      ->check(CLI::Range(1, 4'096));
  number("--store-queue", unit.store_queue, "places of the queue of writes")
      ->check(CLI::Range(1, 4'096));
  number("--sessions", unit.sessions, "packets under way")->check(CLI::Range(1, 65'535));
  number("--slot-bits", options.run.slot_bits,
         "the tables have 2^N slots of 64 bytes, and with chains as many more")
      ->check(CLI::Range(1, 30));
  add_choice(command, "--page", unit.dram.controller.page, "page policy of the memory");
  add_choice(command, "--state", unit.state, "where counters are: with the rules, or on chip");
  add_choice(command, "--stale-reads", unit.stale_reads,
             "reads of a line that is written meanwhile");
  add_choice(command, "--same-key", options.run.same_key,
             "a rule that a better one with the same key hides");
  add_choice(command, "--collisions", unit.collisions, "a rule whose place is taken");
}

}  // namespace

void add_match_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "match",
      "Look a workload up in the match engine, a unit that classifies packets by tuple space "
      "search over tables in DDR4, and check every verdict and counter");
  auto options = std::make_shared<MatchOptions>();
  command->add_option("--rules", options->experiment.rules, "rule set, or SPEC of one [published]")
      ->type_name("FILE|SPEC");
  command->add_option("--traffic", options->experiment.traffic, "traffic, or SPEC [published]")
      ->type_name("FILE|SPEC");
  command->add_option("--seed", options->experiment.seed, "of what is generated")->type_name("N");
  command
      ->add_option("--packets", options->run.traffic.packets,
                   "packets; the traffic is repeated as often as that takes [100000]")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--updates", options->run.traffic.update_percent,
                   "of all requests, in percent: deletes and inserts of rules, and reads of their "
                   "counters [0]")
      ->type_name("PCT")
      ->check(CLI::Range(0, 90));
  add_choice(*command, "--order", options->run.traffic.order,
             "packets as they come, or shuffled once, which shows what locality gives");
  add_unit_options(*command, *options);
  command->add_option("--json", options->json, "write the result to FILE; -: standard output")
      ->type_name("FILE");
  command->add_option("--html", options->html, "write a page with charts over time to FILE")
      ->type_name("FILE");
  command
      ->add_option(
          "--trace", options->trace.file,
          "write FILE.json, trace events of modules and sessions (Perfetto), or FILE.dram, "
          "every command of the memory (docs/ddr4.md has the form)")
      ->type_name("FILE");
  command
      ->add_option("--trace-cycles", options->trace.cycles,
                   "first and last cycle of the unit in trace events [0-20000]")
      ->type_name("A-B");
  command->add_flag("--quiet", options->is_quiet, "no report");
  command->footer(
      "The exit status is 1 if a verdict or a counter is wrong. docs/match-engine.md describes the "
      "unit; `bench match-engine` measures it.");
  command->callback([options, &status] { status = run_match(*options); });
}

}  // namespace nplab::tools
