// Command-line options that say what is simulated and where results go, shared by run, compare,
// check and show.
#pragma once

#include <optional>
#include <string>

#include "experiments/prepare/experiment_options.h"
#include "reports/record/lean_record.h"
#include "reports/text/text_report.h"
#include "workloads/packets/key_layout.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace nplab::tools {

// Where the run's results go.
struct OutputOptions {
  std::string json;
  std::string csv;
  std::string html;
  std::string pcap_folder;
  std::string profile;  // empty: none is written
  reports::RecordDetail detail = reports::RecordDetail::kFull;
  bool published = false;
  bool discards_warm_up = false;
  bool quiet = false;
};

CLI::Option* add_l4_key_option(CLI::App& command, std::optional<workloads::L4Key>& l4_key);
void add_experiment_options(CLI::App& command, experiments::ExperimentOptions& options);
// --mode, which experiment options hold already.
CLI::Option* add_mode_option(CLI::App& command, simulator::Mode& mode, const std::string& help);
void add_output_options(CLI::App& command, OutputOptions& options);
// Resources that cost nothing, of the commands that simulate.
void add_without_option(CLI::App& command, std::vector<std::string>& resources);
// Modules of the user's on the SRAM bus, of the commands that simulate.
void add_unit_option(CLI::App& command, std::vector<std::string>& units, const std::string& group);
void add_all_figures_option(CLI::App& command, const std::string& group, reports::Figures& figures);
void add_warm_up_option(CLI::App& command, const std::string& group, bool& discards);

}  // namespace nplab::tools
