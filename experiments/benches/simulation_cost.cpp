#include "experiments/benches/simulation_cost.h"

#include <algorithm>
#include <fstream>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

double profiled_instructions(const fs::path& profile) {
  std::ifstream file(profile);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("totals: "))
      return std::stod(line.substr(8));
  }
  return 0;
}

}  // namespace

bool has_callgrind() {
  Diagnostics not_installed;
  const auto result =
      run_process({.command = {"valgrind", "--tool=callgrind", "--version"}}, not_installed);
  return result && result->end.succeeded();
}

// The simulation may run in a child of the command; each process leaves a profile of its own.
std::optional<double> host_instructions(const std::vector<std::string>& command,
                                        const fs::path& output, Diagnostics& diagnostics) {
  const auto folder = TemporaryFolder::create("nplab-callgrind", diagnostics);
  if (!folder)
    return std::nullopt;
  ProcessRequest request{
      .command = {"valgrind", "--tool=callgrind", "--collect-atstart=no",
                  "--toggle-collect=nplab::simulator::simulate(*",
                  "--callgrind-out-file=" + (folder->path() / "profile.%p").string()},
      .out = ProcessOutput::to_file(output)};
  request.command.insert(request.command.end(), command.begin(), command.end());
  if (!run_successfully(request, diagnostics))
    return std::nullopt;
  double instructions = 0;
  for (const auto& entry : fs::directory_iterator(folder->path()))
    instructions = std::max(instructions, profiled_instructions(entry.path()));
  return instructions;
}

std::optional<double> instructions_per_cycle(const std::optional<SimulationCost>& shorter,
                                             const std::optional<SimulationCost>& longer) {
  if (!shorter || !longer || longer->instructions <= shorter->instructions)
    return std::nullopt;
  return (longer->instructions - shorter->instructions) / (longer->cycles - shorter->cycles);
}

}  // namespace nplab::experiments
