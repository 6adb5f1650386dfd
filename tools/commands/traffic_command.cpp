// nplab traffic: what traffic is made of, or new traffic for a rule set.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/prepare/rule_input.h"
#include "support/input_file.h"
#include "tools/commands/commands.h"
#include "tools/options/experiment_options.h"
#include "tools/options/listing_options.h"
#include "tools/output/output_file.h"
#include "tools/output/progress_bar.h"
#include "tools/output/rule_notes.h"
#include "tools/output/traffic_statistics_report.h"
#include "workloads/traffic/generator.h"
#include "workloads/traffic/pcap_writer.h"
#include "workloads/traffic/traffic_statistics.h"
#include "workloads/traffic/traffic_writer.h"

namespace nplab::tools {

using namespace experiments;
namespace {

using workloads::L4Key;

struct TrafficOptions {
  std::string file;
  std::string rules;
  std::string generate;               // rules to draw from
  std::vector<std::string> settings;  // of the generator, KEY=VALUE
  std::uint64_t seed = 1;
  std::size_t frame_bytes = 64;
  std::string to;
  std::string out = "-";
  std::optional<L4Key> l4_key;  // nothing: by the kind of traffic
  std::shared_ptr<workloads::RuleReading> reading = std::make_shared<workloads::RuleReading>();
  bool json = false;
};

std::optional<workloads::RuleSet> rules_named(const std::string& path,
                                              const TrafficOptions& options,
                                              Diagnostics& diagnostics) {
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  auto rules = read_rule_input(path, *options.reading, diagnostics,
                               [&](double done) { bar.show("generating rules", done); });
  if (rules)
    std::cerr << skipped_notes(*rules);
  return rules;
}

bool writes_capture(const TrafficOptions& options) {
  return options.to == "pcap" || (options.to.empty() && options.out.ends_with(".pcap"));
}

// As `run` does: a capture's ports count for protocols that have some, a trace's five numbers are
// the key.
L4Key l4_key_of(const TrafficOptions& options, bool capture) {
  return options.l4_key.value_or(capture ? L4Key::kTransport : L4Key::kAlways);
}

// Where the fields lie; a capture's datagrams may have options.
std::optional<workloads::KeyLayout> layout_for(const workloads::RuleSet* rules, bool capture,
                                               Diagnostics& diagnostics) {
  const auto& fields = rules == nullptr ? workloads::five_tuple_fields() : rules->fields();
  const std::string name = rules == nullptr ? "" : rules->name();
  const auto variant = workloads::have_positions(fields) ? workloads::KeyVariant::kFixed
                       : capture                         ? workloads::KeyVariant::kIpv4Full
                                                         : workloads::KeyVariant::kIpv4FiveTuple;
  return workloads::make_key_layout(variant, fields, {name, 0, 0}, diagnostics);
}

std::optional<std::string> traffic_report(const TrafficOptions& options, Diagnostics& diagnostics) {
  const auto file = read_input_file(options.file, diagnostics);
  std::optional<workloads::RuleSet> rules;
  if (!options.rules.empty())
    rules = rules_named(options.rules, options, diagnostics);
  const bool has_places = rules && workloads::have_positions(rules->fields());
  const auto places =
      has_places ? layout_for(&*rules, false, diagnostics) : std::optional<workloads::KeyLayout>();
  std::optional<workloads::Traffic> traffic;
  if (file) {
    traffic = places ? workloads::parse_traffic(*file, options.frame_bytes, *places, diagnostics)
                     : workloads::parse_traffic(*file, options.frame_bytes, diagnostics);
  }
  if (diagnostics.has_errors())
    return std::nullopt;
  const bool capture = traffic->kind() == workloads::TrafficKind::kCapture;
  const auto layout = layout_for(rules ? &*rules : nullptr, capture, diagnostics);
  if (!layout)
    return std::nullopt;
  traffic = std::move(*traffic).with_keys(*layout, l4_key_of(options, capture));
  std::vector<std::uint64_t> times;
  if (capture)
    times = workloads::capture_times(*file, diagnostics);
  const auto found = workloads::statistics_of(*traffic, rules ? &*rules : nullptr, times);
  return options.json ? traffic_statistics_json(*traffic, found).dump(2) + "\n"
                      : render_traffic_statistics(*traffic, found);
}

void write_capture(const TrafficOptions& options, const workloads::Traffic& traffic,
                   const workloads::Slot& slot, Diagnostics& diagnostics) {
  if (options.out == "-") {
    diagnostics.error(without_lines("--to pcap"), "a capture needs an output file: --out FILE");
    return;
  }
  workloads::PcapWriter writer(options.out);
  const auto times = workloads::start_times(traffic, slot);
  for (std::size_t i = 0; i < traffic.size(); ++i)
    writer.add(times[i], traffic.packets()[i].frame);
  writer.commit(diagnostics);
}

void generate_traffic(const TrafficOptions& options, Diagnostics& diagnostics) {
  std::string text = "gen:";
  for (const std::string& setting : options.settings)
    text += (text.size() > 4 ? "," : "") + setting;
  const auto spec =
      workloads::parse_generator_spec(text, without_lines("nplab traffic --generate"), diagnostics);
  const auto rules = rules_named(options.generate, options, diagnostics);
  const bool capture = writes_capture(options);
  const auto layout = rules ? layout_for(&*rules, false, diagnostics) : std::nullopt;
  if (!spec || !layout)
    return;
  const bool has_trace =
      layout->is_packed() || (layout->variant != workloads::KeyVariant::kFixed &&
                              layout->fields.size() == workloads::five_tuple_fields().size());
  if (!capture && !has_trace) {
    diagnostics.error({options.generate, 0, 0},
                      "a trace holds 5-tuples, or keys whose fields follow one another from the "
                      "frame's first bit; for other fields write a capture (--to pcap)");
    return;
  }
  if (spec->fragments > 0 && (!capture || layout->variant == workloads::KeyVariant::kFixed)) {
    diagnostics.error(without_lines("--fragments"),
                      "only captures of IPv4 packets have fragments; write one (--to pcap), with "
                      "rules of the 5-tuple's fields");
    return;
  }
  const workloads::Slot slot;
  const L4Key l4 = l4_key_of(options, capture);
  ProgressBar bar(ProgressBar::Visibility::kWhenTerminal);
  auto traffic = workloads::generate(*spec, *rules, *layout, l4, options.frame_bytes, options.seed)
                     .with_keys(*layout, l4);
  traffic = workloads::with_arrival(std::move(traffic), spec->arrival, slot, {workloads::PortId(0)},
                                    options.seed);
  constexpr std::size_t kBetweenProgress = 4096;
  for (std::size_t drawn = 0; drawn < traffic.size(); drawn += kBetweenProgress) {
    bar.show("generating", static_cast<double>(drawn) / static_cast<double>(traffic.size()));
    traffic.prepare(drawn + kBetweenProgress);
  }
  if (capture)
    write_capture(options, traffic, slot, diagnostics);
  else
    write_output_file(options.out,
                      layout->is_packed() ? workloads::key_trace_text(traffic, *rules)
                                          : workloads::trace_text(traffic, *rules),
                      diagnostics);
}

int run_traffic(const TrafficOptions& options) {
  Diagnostics diagnostics;
  check_output_file(options.out, diagnostics);
  if (options.file.empty() == options.generate.empty()) {
    diagnostics.error(without_lines("nplab traffic"),
                      "name one capture or header trace to examine, or use --generate RULES");
  }
  if (options.file.starts_with("gen:")) {
    diagnostics.error(
        without_lines(options.file),
        "is a SPEC for --traffic of run; here --generate RULES draws traffic from a rule set");
  }
  if (!diagnostics.has_errors() && !options.file.empty()) {
    if (const auto text = traffic_report(options, diagnostics))
      write_output_file(options.out, *text, diagnostics);
  } else if (!diagnostics.has_errors()) {
    generate_traffic(options, diagnostics);
  }
  std::cerr << diagnostics.to_string();
  return diagnostics.has_errors() ? kBadInput : kDone;
}

void add_generator_options(CLI::App& command, TrafficOptions& options) {
  const char* group = "Generation";
  command.add_option("--generate", options.generate, "draw headers from this rule set")
      ->type_name("RULES")
      ->group(group);
  const auto add = [&](const std::string& key, const char* type, const char* help) {
    command
        .add_option_function<std::string>(
            "--" + key,
            [&options, key](const std::string& value) {
              options.settings.push_back(key + "=" + value);
            },
            help)
        ->type_name(type)
        ->group(group);
  };
  add("hit", "SHARE", "share of headers drawn from a rule, 0 to 1 [1]");
  add("locality", "SHARE", "share of packets that repeat one of the 16 headers drawn last [0]");
  add("pareto", "A:B",
      "repetitions of each header in a row: Pareto distribution of shape A and scale B, rounded up "
      "[once]");
  add("zipf", "S:FLOWS",
      "all packets have one of FLOWS headers, the k-th with a share in proportion to 1/k^S [each "
      "drawn anew]");
  add("fragments", "SHARE", "share of packets that are later fragments, 0 to 1 [0]");
  add("size", "SIZE", "frame bytes, imix, or BYTES:WEIGHT+BYTES:WEIGHT+... [64]");
  add("arrival", "WHEN",
      "wire (back to back), a rate in Mb/s, or poisson:RATE; a capture's times [wire]");
  add("count", "N", "packets [75000]");
  command.add_option("--seed", options.seed, "seed of all random draws [1]")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--to", options.to,
                  "pcap or trace [pcap if FILE of --out ends in .pcap, else trace]")
      ->check(CLI::IsMember({"pcap", "trace"}))
      ->group(group);
}

}  // namespace

void add_traffic_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "traffic", "Print statistics of a capture or header trace, or generate traffic");
  auto options = std::make_shared<TrafficOptions>();
  command->add_option("FILE", options->file, "pcap, pcapng or header trace");
  command
      ->add_option("--rules", options->rules,
                   "count also the packets that match a rule of this set")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "statistics as JSON");
  command->add_option("--out", options->out, "write to FILE [standard output]")->type_name("FILE");
  add_l4_key_option(*command, options->l4_key);
  add_listing_options(*command, "OPTIONS", options->reading);
  add_generator_options(*command, *options);
  command->callback([options, &status] { status = run_traffic(*options); });
}

}  // namespace nplab::tools
