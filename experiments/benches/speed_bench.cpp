#include "experiments/benches/speed_bench.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "experiments/benches/simulation_cost.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

// Lengths of the runs whose host instructions are counted.
constexpr std::uint64_t kFewPackets = 200, kManyPackets = 600;

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

Words run_words(const std::string& program, const std::string& mapping, const BenchWay& way,
                std::uint64_t packets, const fs::path& record) {
  Words words{program, "run", mapping, "--packets", std::to_string(packets), "--quiet"};
  words.insert(words.end(), {"--json", record.string()});
  words.insert(words.end(), way.options.begin(), way.options.end());
  return words;
}

// Of one mapping, in every way.
class MappingBench {
 public:
  MappingBench(const SpeedBenchOptions& options, const std::string& mapping, const fs::path& folder,
               Diagnostics& diagnostics)
      : options_(options), mapping_(mapping), folder_(folder), diagnostics_(diagnostics) {}

  Json measure() {
    Json bench{{"mapping", mapping_}, {"packets", options_.packets}};
    std::set<std::string> states;
    const fs::path page = folder_ / "report.html";
    for (const BenchWay& way : {kWindows, kLockstep, collecting(page)}) {
      const Json record = timed_run(way);
      if (record.is_null())
        return nullptr;
      bench["core_cycles"] = record.at("cycles").at("core");
      bench[way.name] = record.at("bench");
      const auto instructions = counted_instructions(way);
      bench[way.name]["host_instructions_per_core_cycle"] =
          instructions ? Json(*instructions) : Json(nullptr);
      states.insert(record.at("state_hash"));
    }
    bench["report"]["processor_times"] = bench["report"]["command_processor_s"].get<double>() /
                                         bench["windows"]["command_processor_s"].get<double>();
    bench["report"]["page_bytes"] = fs::file_size(page);
    bench["report"]["record_bytes"] = fs::file_size(record_file());
    bench["same_state"] = states.size() == 1;
    return bench;
  }

 private:
  [[nodiscard]] fs::path record_file() const { return folder_ / "record.json"; }

  // The record of one timed run, with what the host needed for it as `bench`; null when it failed.
  Json timed_run(const BenchWay& way) {
    const auto finished = run_successfully(
        {.command = run_words(options_.program, mapping_, way, options_.packets, record_file())},
        diagnostics_);
    if (!finished)
      return nullptr;
    Json record = Json::parse(std::ifstream(record_file()));
    record["bench"] = {{"core_cycles_per_s", record.at("host").at("core_cycles_per_s")},
                       {"instructions_per_s", record.at("host").at("instructions_per_s")},
                       {"command_wall_s", finished->wall_s},
                       {"command_processor_s", finished->processor_s},
                       {"peak_memory_mb", static_cast<double>(finished->peak_kb) / 1024}};
    return record;
  }

  // Per core cycle; nothing when they are not counted.
  std::optional<double> counted_instructions(const BenchWay& way) {
    if (!options_.count_instructions)
      return std::nullopt;
    const auto shorter = counted_run(way, kFewPackets);
    const auto longer = shorter ? counted_run(way, kManyPackets) : std::nullopt;
    return instructions_per_cycle(shorter, longer);
  }

  std::optional<SimulationCost> counted_run(const BenchWay& way, std::uint64_t packets) {
    const fs::path record = folder_ / "counted.json";
    Words words = run_words(options_.program, mapping_, way, packets, record);
    words.insert(words.end(), way.counted_options.begin(), way.counted_options.end());
    const auto instructions = host_instructions(words, "/dev/null", diagnostics_);
    if (!instructions)
      return std::nullopt;
    const Json counted = Json::parse(std::ifstream(record));
    return SimulationCost{*instructions, counted.at("cycles").at("core").get<double>()};
  }

  const SpeedBenchOptions& options_;
  const std::string& mapping_;
  const fs::path& folder_;
  Diagnostics& diagnostics_;
};

}  // namespace

Json bench_speed(const SpeedBenchOptions& options, Diagnostics& diagnostics) {
  const auto folder = TemporaryFolder::create("nplab-bench", diagnostics);
  SpeedBenchOptions chosen = options;
  chosen.count_instructions = options.count_instructions && has_callgrind();
  const auto start_up =
      folder ? run_successfully({.command = {options.program, "list"}}, diagnostics) : std::nullopt;
  if (!start_up)
    return nullptr;
  Json result{{"schema", "nplab.bench/1"}, {"callgrind", chosen.count_instructions}};
  result["start_up_s"] = start_up->wall_s;
  result["runs"] = Json::array();
  for (const std::string& mapping : options.mappings) {
    const Json one = MappingBench(chosen, mapping, folder->path(), diagnostics).measure();
    if (one.is_null())
      return nullptr;
    result["runs"].push_back(one);
  }
  return result;
}

}  // namespace nplab::experiments
