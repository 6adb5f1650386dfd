#include "tools/options/experiment_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "workloads/traffic/arrival.h"
#include "workloads/updates/updates.h"

namespace nplab::tools {

void add_listing_options(CLI::App& command, std::vector<std::string>& set) {
  const char* group = "What is simulated";
  command
      .add_option_function<std::string>(
          "--chain", [&set](const std::string& name) { set.push_back("workload.chain=" + name); },
          "chain of the listing, or access list, that is meant: NAME or TABLE/NAME [the one that "
          "forwards]")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--unsupported",
          [&set](const std::string& choice) { set.push_back("workload.unsupported=" + choice); },
          "what becomes of a listing's statements that are no 5-tuple match: refuse or skip "
          "[refuse]")
      ->check(CLI::IsMember({"refuse", "skip"}))
      ->group(group);
}

void add_experiment_options(CLI::App& command, experiments::ExperimentOptions& options) {
  const char* group = "What is simulated";
  command
      .add_option(
          "--rules", options.rules,
          "rule set: ClassBench filter lines, YAML, or a listing of iptables-save, of nft -j or of "
          "Cisco "
          "access lists; .xz or plain; or a generated one, gen:PROFILE,count=N,seed=S (nplab rules "
          "--generate)")
      ->type_name("FILE|SPEC")
      ->group(group);
  add_listing_options(command, options.set);
  command
      .add_option("--traffic", options.traffic,
                  "pcap, pcapng or header trace; one file a port when several; or a generator's "
                  "gen:KEY=VALUE,...")
      ->type_name("FILE|SPEC")
      ->group(group);
  command
      .add_option("--workload", options.workload,
                  "workload that rules and traffic come from when they are not given")
      ->type_name("FILE|NAME")
      ->group(group);
  command
      .add_option("--packets", options.packets,
                  "stop when so many are received; 0: play the traffic once, to its end [75000]")
      ->type_name("N")
      ->group(group);
  command
      .add_flag("--drain", options.drain,
                "offer that many packets, then run until none is in flight")
      ->group(group);
  command
      .add_option("--arrival", options.arrival,
                  std::string(workloads::kArrivalHelp) +
                      "; or lossless: a packet comes when there is room for it")
      ->type_name("HOW")
      ->group(group);
  command
      .add_option("--updates", options.updates,
                  "rules that the core processor inserts and deletes meanwhile: a file of timed "
                  "updates, or\n" +
                      std::string(workloads::kUpdatesHelp))
      ->type_name("FILE|SPEC")
      ->group(group);
  command
      .add_option("--ports-in", options.ports_in,
                  "ports that packets arrive on in turn, such as 0-3 or 0,2")
      ->type_name("LIST")
      ->group(group);
  command
      .add_option("--l4-key", options.l4_key,
                  "which packets have ports: transport (TCP, UDP, SCTP) or always")
      ->check(CLI::IsMember({"transport", "always"}))
      ->group(group);
  command.add_option("--chip", options.chip, "chip to simulate")
      ->type_name("FILE|NAME")
      ->group(group);
  command
      .add_option("--mode", options.mode,
                  "windows: parts of the chip run ahead as far as none can notice; lockstep: none "
                  "does; the results "
                  "are the same [windows]")
      ->check(CLI::IsMember({"windows", "lockstep"}))
      ->group(group);
  command
      .add_option("--profile", options.profile,
                  "compile with the branch weights of an earlier run's --profile-out")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--seed", options.seed, "seed of everything drawn at random")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--set", options.set,
                  "override one key: mapping.K=V (or K=V), chip.K=V, workload.K=V")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  const char* group = "What comes out";
  command
      .add_option("--json", options.json, "write the run record to FILE (- for standard output)")
      ->type_name("FILE")
      ->group(group);
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
                  "write what each port received and sent to FOLDER/port<N>-rx.pcap and -tx.pcap")
      ->type_name("FOLDER")
      ->group(group);
  command
      .add_option("--profile-out", options.profile,
                  "write how often each source line was executed, for --profile")
      ->type_name("FILE")
      ->group(group);
  command
      .add_flag("--published", options.published, "print the published measurements beside ours")
      ->group(group);
  command.add_flag("--quiet", options.quiet, "print no report and show no progress")->group(group);
}

}  // namespace nplab::tools
