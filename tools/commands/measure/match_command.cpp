// nplab match: a workload looked up by the match engine, a unit of its own.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/match_engine/match_run.h"
#include "experiments/prepare/experiment.h"
#include "support/unfinished_file.h"
#include "tools/commands/commands.h"
#include "tools/output/output_file.h"

namespace nplab::tools {

using namespace experiments;
namespace {

namespace match = simulator::match;

struct MatchOptions {
  ExperimentOptions experiment;
  MatchRunOptions run{.unit = published_match_unit()};
  unsigned clock_mhz = 300;
  std::string json;   // file
  std::string trace;  // file
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

int run_match(MatchOptions options) {
  Diagnostics diagnostics;
  const auto inputs =
      read_experiment_inputs("ixp1200", "published", options.experiment, diagnostics);
  std::optional<UnfinishedFile> trace_file;
  std::optional<simulator::dram::TraceWriter> trace;
  if (!options.trace.empty()) {
    check_output_file(options.trace, diagnostics);
    options.run.observer = &trace.emplace(trace_file.emplace(options.trace).stream());
  }
  if (!options.json.empty())
    check_output_file(options.json, diagnostics);
  options.run.unit.clock_hz = std::uint64_t{options.clock_mhz} * 1'000'000;
  std::optional<MatchRunResult> result;
  if (inputs && !diagnostics.has_errors())
    result = run_match_engine(inputs->workload, options.run, diagnostics);
  if (result && !options.json.empty())
    write_output_file(options.json, match_run_json(*result, options.run).dump(2) + "\n",
                      diagnostics);
  if (result && trace_file)
    trace_file->commit(diagnostics);
  std::cerr << diagnostics.to_string();
  if (!result || diagnostics.has_errors())
    return kBadInput;
  if (options.json != "-")
    std::cout << match_run_text(*result, options.run);
  return result->misclassified == 0 && result->inexact_rules == 0 ? kDone : kCheckFailed;
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
      ->add_option("--packets", options->run.packets,
                   "packets; the traffic is repeated as often as that takes [100000]")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_unit_options(*command, *options);
  command->add_option("--json", options->json, "write the result to FILE; -: standard output")
      ->type_name("FILE");
  command
      ->add_option("--trace", options->trace,
                   "write every command of the memory to FILE (docs/ddr4.md has the form)")
      ->type_name("FILE");
  command->footer(
      "The exit status is 1 if a verdict or a counter is wrong. docs/match-engine.md describes the "
      "unit; `bench match-engine` measures it.");
  command->callback([options, &status] { status = run_match(*options); });
}

}  // namespace nplab::tools
