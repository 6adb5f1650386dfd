// nplab bench: how fast the simulator is on this host. Every run is a process of its own, as a user would start it.
#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/bench_builders.h"
#include "tools/bench_compiler.h"
#include "tools/command_line.h"
#include "tools/data_directory.h"

namespace nplab::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

struct BenchOptions {
  Words mappings;
  std::uint64_t packets = 20000;
  bool no_callgrind = false;
};

struct Finished {
  int status = 0;
  double wall_s = 0;
  double processor_s = 0;
  std::int64_t peak_kb = 0;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Runs a program, found as a shell would; its output goes to a file, its messages nowhere.
Finished run_quietly(Words words, const fs::path& output = "/dev/null") {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto started = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open("/dev/null", O_WRONLY), 2);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  Finished finished;
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  finished.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  finished.processor_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  finished.peak_kb = usage.ru_maxrss;
  return finished;
}

// A folder for records that is removed at the end.
class RecordFolder {
 public:
  RecordFolder() {
    std::string name = (fs::temp_directory_path() / "nplab-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~RecordFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string program() {
  return (program_directory() / "nplab").string();
}

// A way to simulate, by its name in the result, and the options that choose it.
struct BenchWay {
  std::string name;
  Words options;
};

const BenchWay kWindows{"windows", {"--mode", "windows"}};
const BenchWay kLockstep{"lockstep", {"--mode", "lockstep"}};

// What a report in HTML needs is collected too. The cycles that it shows one by one are the same at every length, so
// that they fall out of differences.
BenchWay collecting(const fs::path& page) {
  return {"report", {"--mode", "windows", "--html", page.string(), "--timeline", "0-1999"}};
}

Words run_words(const std::string& mapping, const BenchWay& way, std::uint64_t packets, const fs::path& record) {
  Words words{program(), "run", mapping, "--packets", std::to_string(packets), "--quiet", "--json", record.string()};
  words.insert(words.end(), way.options.begin(), way.options.end());
  return words;
}

// The record of one timed run, with what the host needed for it as `bench`; null when it failed.
Json timed_run(const std::string& mapping, const BenchWay& way, std::uint64_t packets, const fs::path& folder) {
  const fs::path file = folder / "record.json";
  const Finished finished = run_quietly(run_words(mapping, way, packets, file));
  if (finished.status != kDone) return nullptr;
  Json record = Json::parse(std::ifstream(file));
  record["bench"] = {{"core_cycles_per_s", record.at("host").at("core_cycles_per_s")},
                     {"instructions_per_s", record.at("host").at("instructions_per_s")},
                     {"command_wall_s", finished.wall_s},
                     {"command_processor_s", finished.processor_s},
                     {"peak_memory_mb", static_cast<double>(finished.peak_kb) / 1024}};
  return record;
}

bool has_callgrind() {
  return run_quietly({"valgrind", "--tool=callgrind", "--version"}).status == 0;
}

// Host instructions inside the simulation and its core cycles.
struct Count {
  double instructions = 0;
  double cycles = 0;
};

// Host instructions inside the simulation that a command makes, with its output in a file. The simulation may run in a
// child of the command; each process leaves a profile of its own.
std::optional<double> counted(const Words& command, const fs::path& output = "/dev/null") {
  const RecordFolder folder;
  Words words{"valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=nplab::simulator::simulate(*",
              fmt::format("--callgrind-out-file={}/profile.%p", folder.path().string())};
  words.insert(words.end(), command.begin(), command.end());
  if (run_quietly(words, output).status != kDone) return std::nullopt;
  double instructions = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    std::ifstream profile(entry.path());
    for (std::string line; std::getline(profile, line);)
      if (line.starts_with("totals: ")) instructions = std::max(instructions, std::stod(line.substr(8)));
  }
  return instructions;
}

std::optional<Count> counted_run(const std::string& mapping, const BenchWay& way, std::uint64_t packets) {
  const RecordFolder folder;
  const fs::path record = folder.path() / "record.json";
  const std::optional<double> instructions = counted(run_words(mapping, way, packets, record));
  if (!instructions) return std::nullopt;
  return Count{*instructions, Json::parse(std::ifstream(record)).at("cycles").at("core").get<double>()};
}

// By the difference of two lengths, which takes out loading and collecting.
Json instructions_a_cycle(const std::optional<Count>& shorter, const std::optional<Count>& longer) {
  if (!shorter || !longer || longer->instructions <= shorter->instructions) return nullptr;
  return (longer->instructions - shorter->instructions) / (longer->cycles - shorter->cycles);
}

// Work and references to memory that keep an engine of four threads busy.
constexpr const char* kBusyProgram = R"(#include <microengine.h>
int main(void) {
  __sram u32* table = (__sram u32*)0x1000;
  u32 sum = 0;
  for (u32 round = 0; round < ROUNDS; round++) {
    sum += sram_read(table);
    for (u32 i = 0; i < 8; i++) sum = (sum << 1) ^ round;
  }
  return sum == 12345;
}
)";

std::optional<Count> counted_busy(unsigned engines, unsigned rounds) {
  const RecordFolder folder;
  const fs::path source = folder.path() / "busy.c", outcome = folder.path() / "outcome.json";
  std::ofstream(source) << kBusyProgram;
  const std::optional<double> instructions =
      counted({program(), "exec", source, "--chip", "cmp", "--engines", std::to_string(engines), "--threads", "4", "-D",
               fmt::format("ROUNDS={}", rounds), "--json"},
              outcome);
  if (!instructions) return std::nullopt;
  return Count{*instructions, Json::parse(std::ifstream(outcome)).at("cycles").at("total").get<double>()};
}

// Whether work follows activity: the same program on all eight engines of the multiprocessor, and on a quarter of them.
Json bench_activity() {
  const auto with = [](unsigned engines) {
    return instructions_a_cycle(counted_busy(engines, 500), counted_busy(engines, 1500));
  };
  const Json all = with(8), quarter = with(2);
  const bool counted = !all.is_null() && !quarter.is_null();
  return {{"engines", 8},
          {"host_instructions_per_core_cycle", {{"engines_busy_100_pct", all}, {"engines_busy_25_pct", quarter}}},
          {"ratio", counted ? Json(all.get<double>() / quarter.get<double>()) : Json(nullptr)}};
}

Json bench_of(const std::string& mapping, const BenchOptions& options, const fs::path& folder, bool callgrind) {
  Json bench{{"mapping", mapping}, {"packets", options.packets}};
  std::set<std::string> states;
  const fs::path page = folder / "report.html";
  for (const BenchWay& way : {kWindows, kLockstep, collecting(page)}) {
    const Json record = timed_run(mapping, way, options.packets, folder);
    if (record.is_null()) return nullptr;
    bench["core_cycles"] = record.at("cycles").at("core");
    bench[way.name] = record.at("bench");
    Json& instructions = bench[way.name]["host_instructions_per_core_cycle"];
    if (callgrind) instructions = instructions_a_cycle(counted_run(mapping, way, 200), counted_run(mapping, way, 600));
    states.insert(record.at("state_hash"));
  }
  bench["report"]["page_bytes"] = fs::file_size(page);
  bench["report"]["record_bytes"] = fs::file_size(folder / "record.json");
  bench["same_state"] = states.size() == 1;
  return bench;
}

int bench(const BenchOptions& options) {
  const RecordFolder folder;
  int status = kDone;
  const bool callgrind = !options.no_callgrind && has_callgrind();
  Json result{{"schema", "nplab.bench/1"}, {"callgrind", callgrind}};
  result["start_up_s"] = run_quietly({program(), "list"}).wall_s;
  result["runs"] = Json::array();
  for (const std::string& mapping : options.mappings) {
    const Json one = bench_of(mapping, options, folder.path(), callgrind);
    if (one.is_null()) {
      std::cerr << fmt::format("nplab: error: the run of '{}' failed; nplab run {} says why\n", mapping, mapping);
      return kBadInput;
    }
    result["runs"].push_back(one);
    if (!one.at("same_state").get<bool>()) status = kCheckFailed;
  }
  if (callgrind) result["activity"] = bench_activity();
  std::cout << result.dump(2) << '\n';
  return status;
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("bench", "Measure the simulator's speed on this host, as JSON");
  auto options = std::make_shared<BenchOptions>();
  options->mappings = {"ls", "bv1", "bv2"};
  command->add_option("MAPPING", options->mappings, "mapping files or listed names [ls bv1 bv2]");
  command->add_option("--packets", options->packets, "length of the timed runs [20000]")->type_name("N");
  command->add_flag("--no-callgrind", options->no_callgrind, "do not count host instructions, which takes minutes");
  add_bench_builders_command(*command, status);
  add_bench_compiler_command(*command, status);
  command->callback([command, options, &status] {
    if (command->get_subcommands().empty()) status = bench(*options);
  });
}

}  // namespace nplab::tools
