#include "tools/options/experiment_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "experiments/run/what_if.h"
#include "tools/options/compile_options.h"
#include "tools/options/listing_options.h"
#include "workloads/traffic/arrival.h"
#include "workloads/updates/updates.h"

namespace nplab::tools {

CLI::Option* add_mode_option(CLI::App& command, simulator::Mode& mode, const std::string& help) {
  std::vector<std::string> names;
  for (const simulator::ModeName& row : simulator::kModeNames)
    names.emplace_back(row.name);
  return command
      .add_option_function<std::string>(
          "--mode", [&mode](const std::string& name) { mode = *simulator::mode_named(name); }, help)
      ->check(CLI::IsMember(names));
}

CLI::Option* add_l4_key_option(CLI::App& command, std::optional<workloads::L4Key>& l4_key) {
  return command
      .add_option_function<std::string>(
          "--l4-key",
          [&l4_key](const std::string& name) { l4_key = workloads::l4_key_named(name); },
          "packets whose key has ports: transport (TCP, UDP, SCTP), always, or fragments (as "
          "transport; later fragments match only rules that say nothing of ports)")
      ->check(CLI::IsMember({"transport", "always", "fragments"}));
}

namespace {

void add_workload_options(CLI::App& command, experiments::ExperimentOptions& options,
                          const char* group) {
  command
      .add_option("--rules", options.rules,
                  "rule set: ClassBench filter lines, YAML, or a listing of iptables-save, nft -j "
                  "or Cisco access lists, plain or .xz; or a generated set, "
                  "gen:PROFILE,count=N,seed=S (nplab rules --generate)")
      ->type_name("FILE|SPEC")
      ->group(group);
  add_listing_options(command, group, [&options](const auto& key, const auto& value) {
    options.set.push_back("workload." + key + "=" + value);
  });
  command
      .add_option("--traffic", options.traffic,
                  "pcap, pcapng or header trace; repeat the option to give one file per port; or a "
                  "generator's gen:KEY=VALUE,...")
      ->type_name("FILE|SPEC")
      ->group(group);
  command
      .add_option("--workload", options.workload,
                  "workload that supplies the rules and traffic that are not given")
      ->type_name("FILE|NAME")
      ->group(group);
}

// How long packets are offered, and at which rate.
void add_offering_options(CLI::App& command, experiments::ExperimentOptions& options,
                          const char* group) {
  command
      .add_option("--packets", options.packets,
                  "stop when N packets are received; 0: play the traffic once, to its end [75000]")
      ->type_name("N")
      ->group(group);
  command.add_flag("--drain", options.drain, "offer N packets, then run until none is in flight")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--arrival",
          [&options](const std::string& text) {
            options.arrival = experiments::parse_arrival_choice(text);
            if (!options.arrival)
              options.unread.error(without_lines("--arrival"), experiments::unknown_arrival(text));
          },
          std::string(workloads::kArrivalHelp) +
              "; or lossless: a packet arrives when there is room for it")
      ->type_name("HOW")
      ->group(group);
}

}  // namespace

void add_experiment_options(CLI::App& command, experiments::ExperimentOptions& options) {
  const char* group = "Experiment";
  add_workload_options(command, options, group);
  add_offering_options(command, options, group);
  command
      .add_option("--updates", options.updates,
                  "rules that the core processor inserts and deletes during the run: a file of "
                  "timed updates, or\n" +
                      std::string(workloads::kUpdatesHelp))
      ->type_name("FILE|SPEC")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--ports-in",
          [&options](const std::string& text) {
            if (auto ports = workloads::parse_port_list(text))
              options.ports_in = std::move(*ports);
            else
              options.unread.error(without_lines("--ports-in"), workloads::kPortListHelp);
          },
          "ports on which packets arrive in turn, such as 0-3 or 0,2")
      ->type_name("LIST")
      ->group(group);
  add_l4_key_option(command, options.l4_key)->group(group);
  command.add_option("--chip", options.chip, "chip to simulate")
      ->type_name("FILE|NAME")
      ->group(group);
  add_mode_option(command, options.mode,
                  "windows: parts of the chip run ahead of each other within a lookahead window "
                  "(temporal decoupling) that no part can notice; lockstep: all parts advance "
                  "cycle by cycle; the results are the same [windows]")
      ->group(group);
  command
      .add_option("--profile", options.profile,
                  "compile with the branch weights of an earlier run's --profile-out")
      ->type_name("FILE")
      ->group(group);
  add_program_bound_options(command, options.compile_bounds, group);
  command.add_option("--seed", options.seed, "seed of all random draws")
      ->type_name("N")
      ->group(group);
  command
      .add_flag_callback(
          "--no-calibration",
          [&options] {
            for (const char* key : {"receive_work", "transmit_work", "classify_work", "poll_work"})
              options.set.push_back(fmt::format("tuning.{}=0", key));
          },
          "run without the work that stands for code that was not printed")
      ->group(group);
  command
      .add_option("--set", options.set,
                  "override one key: mapping.K=V (or K=V), chip.K=V, workload.K=V, unit.NAME.K=V")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

void add_unit_option(CLI::App& command, std::vector<std::string>& units, const std::string& group) {
  command
      .add_option("--unit", units,
                  "a module of yours for the device NAME on the SRAM bus of the chip's file, from "
                  "a shared library, with parameters if it takes some; repeatable (nplab new unit)")
      ->type_name("NAME=FILE.so[,KEY=VALUE...]")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

void add_without_option(CLI::App& command, std::vector<std::string>& resources) {
  command
      .add_option("--without", resources,
                  fmt::format("simulate a chip on which RESOURCE costs nothing: {}; repeat the "
                              "option for several",
                              experiments::kWithoutHelp))
      ->type_name("RESOURCE")
      ->take_all()
      ->allow_extra_args(false)
      ->group("Experiment");
}

void add_all_figures_option(CLI::App& command, const std::string& group,
                            reports::Figures& figures) {
  command
      .add_flag_callback(
          "--all", [&figures] { figures = reports::Figures::kAll; },
          "print every figure of the compared runs, with the differences from the first")
      ->group(group);
}

void add_warm_up_option(CLI::App& command, const std::string& group, bool& discards) {
  command
      .add_option_function<std::string>(
          "--warm-up", [&discards](const std::string& choice) { discards = choice == "discard"; },
          "keep or discard the run's warm-up in the rates and latencies of reports [keep]; the "
          "record has both")
      ->check(CLI::IsMember({"keep", "discard"}))
      ->group(group);
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  const char* group = "Output";
  add_warm_up_option(command, group, options.discards_warm_up);
  command
      .add_option("--json", options.json, "write the run record to FILE (- for standard output)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--record",
          [&options](const std::string& detail) {
            options.detail =
                detail == "lean" ? reports::RecordDetail::kLean : reports::RecordDetail::kFull;
          },
          "full or lean: a lean record holds no programs, lines and sources, for many short runs "
          "[full]")
      ->check(CLI::IsMember({"full", "lean"}));
  command.add_option("--csv", options.csv, "write every figure of every table as CSV to FILE")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--html", options.html,
                  "write the report as one self-contained HTML page to FILE")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--pcap-out", options.pcap_folder,
                  "write the frames that each port received and sent to FOLDER/port<N>-rx.pcap and "
                  "-tx.pcap")
      ->type_name("FOLDER")
      ->group(group);
  command
      .add_option("--profile-out", options.profile,
                  "write how often each source line was executed, for --profile")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--published", options.published, "print the published measurements next to ours")
      ->group(group);
  command.add_flag("--quiet", options.quiet, "print no report and show no progress")->group(group);
}

}  // namespace nplab::tools
