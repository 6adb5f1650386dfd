// nplab trace packet: one packet's way through a run.
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "experiments/prepare/unit_choices.h"
#include "experiments/run/packet_story.h"
#include "experiments/run/prepared_run.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/output/output_file.h"

namespace nplab::tools {

using namespace experiments;
namespace {

struct TraceWords {
  std::uint64_t packet = 0;
  std::string mapping;
  std::string json;
  ExperimentOptions experiment;
};

int trace_packet(const TraceWords& words) {
  Diagnostics diagnostics;
  check_output_file(words.json, diagnostics);
  const auto prepared = prepare_run(words.mapping, words.experiment, diagnostics);
  if (prepared)
    check_unit_names(words.experiment, {&prepared->experiment.chip}, diagnostics);
  const auto story =
      prepared && !diagnostics.has_errors()
          ? packet_story(prepared->experiment, prepared->programs, words.packet, diagnostics)
          : std::nullopt;
  if (!story) {
    std::cerr << diagnostics.to_string();
    return kBadInput;
  }
  const std::string& name = prepared->experiment.mapping.name;
  if (!words.json.empty())
    write_output_file(words.json, story_json(*story, name), diagnostics);
  if (words.json != "-")
    std::cout << story_text(*story, name);
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

}  // namespace

void add_trace_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("trace", "Follow one packet through a run");
  command->require_subcommand(1);
  auto* packet = command->add_subcommand("packet",
                                         "Print each thread, range of instructions, reference and "
                                         "queue that one packet met, with cycles");
  auto words = std::make_shared<TraceWords>();
  packet
      ->add_option("N", words->packet,
                   "the packet, counted from 0 in the order in which the traffic offers them")
      ->required();
  packet->add_option("MAPPING", words->mapping, "a mapping file or a listed name (nplab list)")
      ->required();
  packet->add_option("--json", words->json, "write it as JSON to FILE (- for standard output)")
      ->type_name("FILE");
  add_experiment_options(*packet, words->experiment);
  add_unit_option(*packet, words->experiment.units, "Experiment");
  packet->callback([words, &status] { status = trace_packet(*words); });
}

}  // namespace nplab::tools
