// nplab bench: how fast the simulator is on this host. Every run is a process of its own, as a user
// would start it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/run/measured_process.h"
#include "tools/commands/bench_activity.h"
#include "tools/commands/bench_builders.h"
#include "tools/commands/bench_compiler.h"
#include "tools/commands/commands.h"

namespace nplab::tools {

using namespace experiments;
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

struct BenchOptions {
  Words mappings;
  std::uint64_t packets = 20000;
  bool no_callgrind = false;
};

// A way to simulate, by its name in the result, and the options that choose it.
struct BenchWay {
  std::string name;
  Words options;
  Words counted_options{};  // beside them when host instructions are counted
};

const BenchWay kWindows{"windows", {"--mode", "windows"}};
const BenchWay kLockstep{"lockstep", {"--mode", "lockstep"}};

// What a report in HTML needs is collected too. When instructions are counted, the cycles that it
// shows one by one are the same at every length, so that they fall out of differences.
BenchWay collecting(const fs::path& page) {
  return {"report", {"--mode", "windows", "--html", page.string()}, {"--timeline", "0-1999"}};
}

Words run_words(const std::string& mapping, const BenchWay& way, std::uint64_t packets,
                const fs::path& record) {
  Words words{this_program(), "run", mapping, "--packets", std::to_string(packets), "--quiet"};
  words.insert(words.end(), {"--json", record.string()});
  words.insert(words.end(), way.options.begin(), way.options.end());
  return words;
}

// The record of one timed run, with what the host needed for it as `bench`; null when it failed.
Json timed_run(const std::string& mapping, const BenchWay& way, std::uint64_t packets,
               const fs::path& folder) {
  const fs::path file = folder / "record.json";
  const Finished finished = run_quietly(run_words(mapping, way, packets, file));
  if (finished.status != kDone)
    return nullptr;
  Json record = Json::parse(std::ifstream(file));
  record["bench"] = {{"core_cycles_per_s", record.at("host").at("core_cycles_per_s")},
                     {"instructions_per_s", record.at("host").at("instructions_per_s")},
                     {"command_wall_s", finished.wall_s},
                     {"command_processor_s", finished.processor_s},
                     {"peak_memory_mb", static_cast<double>(finished.peak_kb) / 1024}};
  return record;
}

std::optional<SimulationCost> counted_run(const std::string& mapping, const BenchWay& way,
                                          std::uint64_t packets) {
  const ResultFolder folder;
  const fs::path record = folder.path() / "record.json";
  Words words = run_words(mapping, way, packets, record);
  words.insert(words.end(), way.counted_options.begin(), way.counted_options.end());
  const std::optional<double> instructions = host_instructions(words);
  if (!instructions)
    return std::nullopt;
  return SimulationCost{*instructions,
                        Json::parse(std::ifstream(record)).at("cycles").at("core").get<double>()};
}

Json instructions_a_cycle(const std::string& mapping, const BenchWay& way) {
  const auto instructions =
      instructions_a_cycle(counted_run(mapping, way, 200), counted_run(mapping, way, 600));
  return instructions ? Json(*instructions) : Json(nullptr);
}

Json bench_of(const std::string& mapping, const BenchOptions& options, const fs::path& folder,
              bool callgrind) {
  Json bench{{"mapping", mapping}, {"packets", options.packets}};
  std::set<std::string> states;
  const fs::path page = folder / "report.html";
  for (const BenchWay& way : {kWindows, kLockstep, collecting(page)}) {
    const Json record = timed_run(mapping, way, options.packets, folder);
    if (record.is_null())
      return nullptr;
    bench["core_cycles"] = record.at("cycles").at("core");
    bench[way.name] = record.at("bench");
    const Json instructions = callgrind ? instructions_a_cycle(mapping, way) : Json(nullptr);
    bench[way.name]["host_instructions_per_core_cycle"] = instructions;
    states.insert(record.at("state_hash"));
  }
  bench["report"]["processor_times"] = bench["report"]["command_processor_s"].get<double>() /
                                       bench["windows"]["command_processor_s"].get<double>();
  bench["report"]["page_bytes"] = fs::file_size(page);
  bench["report"]["record_bytes"] = fs::file_size(folder / "record.json");
  bench["same_state"] = states.size() == 1;
  return bench;
}

int bench(const BenchOptions& options) {
  const ResultFolder folder;
  int status = kDone;
  const bool callgrind = !options.no_callgrind && has_callgrind();
  Json result{{"schema", "nplab.bench/1"}, {"callgrind", callgrind}};
  result["start_up_s"] = run_quietly({this_program(), "list"}).wall_s;
  result["runs"] = Json::array();
  for (const std::string& mapping : options.mappings) {
    const Json one = bench_of(mapping, options, folder.path(), callgrind);
    if (one.is_null()) {
      std::cerr << fmt::format("nplab: error: the run of '{}' failed; nplab run {} says why\n",
                               mapping, mapping);
      return kBadInput;
    }
    result["runs"].push_back(one);
    if (!one.at("same_state").get<bool>())
      status = kCheckFailed;
  }
  std::cout << result.dump(2) << '\n';
  return status;
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  auto* command =
      app.add_subcommand("bench", "Measure the simulator's speed on this host, as JSON");
  auto options = std::make_shared<BenchOptions>();
  options->mappings = {"ls", "bv1", "bv2"};
  command->add_option("MAPPING", options->mappings, "mapping files or listed names [ls bv1 bv2]");
  command->add_option("--packets", options->packets, "length of the timed runs [20000]")
      ->type_name("N");
  command->add_flag("--no-callgrind", options->no_callgrind,
                    "do not count host instructions, which takes minutes");
  add_bench_activity_command(*command, status);
  add_bench_builders_command(*command, status);
  add_bench_compiler_command(*command, status);
  command->callback([command, options, &status] {
    if (command->get_subcommands().empty())
      status = bench(*options);
  });
}

}  // namespace nplab::tools
