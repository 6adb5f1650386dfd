// nplab rules: what a rule set is made of; the same in another notation; a new one.
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/prepare/rule_input.h"
#include "tools/commands/commands.h"
#include "tools/options/listing_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"
#include "tools/output/rule_notes.h"
#include "tools/output/rule_statistics_report.h"
#include "workloads/rules/formats/rule_writer.h"
#include "workloads/rules/rule_generator.h"
#include "workloads/rules/rule_profile.h"
#include "workloads/rules/rule_statistics.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct RulesOptions {
  std::string file;
  std::string profile;  // of --generate
  std::size_t count = 1000;
  std::uint64_t seed = 1;
  std::string to;
  std::string out = "-";
  std::shared_ptr<workloads::RuleReading> reading = std::make_shared<workloads::RuleReading>();
  bool json = false;
};

std::optional<workloads::RuleSet> read_rules(const RulesOptions& options,
                                             Diagnostics& diagnostics) {
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  return read_rule_input(options.file, *options.reading, diagnostics,
                         [&](double done) { bar.show("generating", done); });
}

std::optional<workloads::RuleSet> generated_rules(const RulesOptions& options,
                                                  Diagnostics& diagnostics) {
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  return generate_rule_set({"", options.profile, options.count, options.seed},
                           without_lines("--generate"), diagnostics,
                           [&](double done) { bar.show("generating", done); });
}

std::string statistics_text(const workloads::RuleSet& rules, const RulesOptions& options) {
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  const auto statistics =
      workloads::statistics_of(rules, [&](double done) { bar.show("comparing rules", done); });
  return options.json ? rule_statistics_json(rules, statistics).dump(2) + "\n"
                      : render_rule_statistics(rules, statistics);
}

std::optional<std::string> measured_profile(const workloads::RuleSet& rules,
                                            Diagnostics& diagnostics) {
  const auto profile = workloads::profile_of(rules, diagnostics);
  if (!profile)
    return std::nullopt;
  return workloads::profile_text(*profile);
}

// A generated set is written as ClassBench lines unless --to or --json asks for something else.
std::optional<std::string> result_of(const workloads::RuleSet& rules, const RulesOptions& options,
                                     Diagnostics& diagnostics) {
  const bool generated = options.file.empty();
  if (options.to == "yaml")
    return workloads::yaml_text(rules);
  if (options.to == "profile")
    return measured_profile(rules, diagnostics);
  if (options.to.empty() && (options.json || !generated))
    return statistics_text(rules, options);
  auto text = workloads::classbench_text(rules, diagnostics);
  if (text && generated)
    text->insert(0, "# " + rules.name() + " (nplab rules --generate)\n");
  return text;
}

int run_rules(const RulesOptions& options) {
  Diagnostics diagnostics;
  check_output_file(options.out, diagnostics);
  if (options.file.empty() == options.profile.empty()) {
    diagnostics.error(without_lines("nplab rules"),
                      "name one rule set to examine, or use --generate to make one");
  }
  std::optional<std::string> result;
  if (!diagnostics.has_errors()) {
    const auto rules = options.file.empty() ? generated_rules(options, diagnostics)
                                            : read_rules(options, diagnostics);
    if (rules) {
      std::cerr << skipped_notes(*rules);
      result = result_of(*rules, options, diagnostics);
    }
  }
  if (result)
    write_output_file(options.out, *result, diagnostics);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

}  // namespace

void add_rules_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("rules", "Print statistics of a rule set, convert it, or generate one");
  auto options = std::make_shared<RulesOptions>();
  command->add_option(
      "FILE", options->file,
      "rule set in any notation that run --rules reads, or gen:PROFILE,count=N,seed=S");
  command
      ->add_option("--to", options->to,
                   "instead of statistics, write the rules as classbench lines or yaml, or write "
                   "their profile")
      ->check(CLI::IsMember({"classbench", "yaml", "profile"}));
  command->add_flag("--json", options->json, "statistics as JSON");
  command->add_option("--out", options->out, "write to FILE [standard output]")->type_name("FILE");
  add_listing_options(*command, "OPTIONS", options->reading);
  const char* group = "Generation";
  command
      ->add_option("--generate", options->profile,
                   "draw a new set: acl, fw, ipc (nplab list) or a profile's file")
      ->type_name("PROFILE")
      ->group(group);
  command->add_option("--count", options->count, "number of rules [1000]")
      ->check(CLI::Range(workloads::kFewestGeneratedRules, workloads::kMostGeneratedRules))
      ->type_name("N")
      ->group(group);
  command->add_option("--seed", options->seed, "seed of all random draws [1]")
      ->type_name("N")
      ->group(group);
  command->callback([options, &status] { status = run_rules(*options); });
}

}  // namespace nplab::tools
