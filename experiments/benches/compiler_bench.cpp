#include "experiments/benches/compiler_bench.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "experiments/benches/code_size_bench.h"
#include "experiments/benches/hand_written_bench.h"
#include "experiments/prepare/experiment.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/simulate.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Those with targets, and what each reads as its publication only for the calibration's sake.
struct BenchMapping {
  const char* name;
  std::vector<std::string> set;
};
const std::vector<BenchMapping>& bench_mappings() {
  static const std::vector<BenchMapping> kMappings = {{"ls", {"parameters.wait_apart=0"}},
                                                      {"bv1", {}}};
  return kMappings;
}
constexpr const char* kLevels[] = {"published", "2", "s"};
constexpr unsigned kFirstClassifier = 1,
                   kLastClassifier = 4;  // engines of the published experiment

ExperimentOptions options_at(const BenchMapping& mapping, const char* level,
                             std::uint64_t packets) {
  ExperimentOptions options;
  // Without the work of the calibration, which is not code that a compiler could improve.
  options.set = {std::string("optimize=") + level, "tuning.receive_work=0",
                 "tuning.transmit_work=0", "tuning.classify_work=0", "tuning.poll_work=0"};
  options.set.insert(options.set.end(), mapping.set.begin(), mapping.set.end());
  options.arrival = LosslessArrival{};
  options.packets = packets;
  return options;
}

// Executed and aborted cycles a classified packet of engines 1 to 4 outside of poll loops, and the
// largest program.
Json cycles_at(const BenchMapping& mapping, const char* level, std::uint64_t packets,
               Diagnostics& diagnostics) {
  const auto experiment =
      prepare_experiment(mapping.name, options_at(mapping, level, packets), diagnostics);
  const auto programs = experiment ? compile_programs(*experiment, diagnostics) : std::nullopt;
  if (!programs)
    return nullptr;
  const IsolatedRun run{mapping.name, [&](const Progress& progress) {
                          Diagnostics found;
                          return simulate({*experiment, *programs, "", progress, std::nullopt},
                                          found);
                        }};
  const auto records = run_isolated({run}, [](double) {}, diagnostics);
  if (!records || records->front().failure || records->front().packets.classified == 0)
    return nullptr;
  std::uint64_t executing = 0, aborted = 0, words = 0;
  for (const reports::Line& line : records->front().lines) {
    if (line.engine < kFirstClassifier || line.engine > kLastClassifier || line.poll)
      continue;
    executing += line.executing;
    aborted += line.aborted;
  }
  for (const reports::Engine& engine : records->front().engines) {
    if (engine.id >= kFirstClassifier && engine.id <= kLastClassifier)
      words = std::max<std::uint64_t>(words, engine.words);
  }
  const auto packets_classified = static_cast<double>(records->front().packets.classified);
  return {{"executed", static_cast<double>(executing) / packets_classified},
          {"aborted", static_cast<double>(aborted) / packets_classified},
          {"words", words}};
}

double cut(double before, double after) {
  return 1 - after / before;
}

Json experiment_table(std::uint64_t packets, Diagnostics& diagnostics) {
  Json table{{"packets", packets}, {"arrival", "lossless"}, {"engines", "1-4, without poll loops"}};
  for (const BenchMapping& mapping : bench_mappings()) {
    Json rows;
    for (const char* level : kLevels) {
      rows[level] = cycles_at(mapping, level, packets, diagnostics);
      if (rows[level].is_null())
        return nullptr;
    }
    const Json &published = rows["published"], &ours = rows["2"];
    const double aborted = published["aborted"],
                 both = published["executed"].get<double>() + aborted;
    rows["cut"] = {{"aborted", cut(aborted, ours["aborted"])},
                   {"executed_and_aborted",
                    cut(both, ours["executed"].get<double>() + ours["aborted"].get<double>())},
                   {"words", cut(published["words"], ours["words"])}};
    table["mappings"][mapping.name] = rows;
  }
  return table;
}

// Seconds to compile all programs of a mapping, the best of three.
Json compile_times(Diagnostics& diagnostics) {
  Json times;
  for (const BenchMapping& mapping : bench_mappings())
    for (const char* level : {"published", "2"}) {
      const auto experiment =
          prepare_experiment(mapping.name, options_at(mapping, level, 1), diagnostics);
      double best = 0;
      for (int round = 0; experiment && round != 3; ++round) {
        const auto started = std::chrono::steady_clock::now();
        if (!compile_programs(*experiment, diagnostics))
          return nullptr;
        const double took =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        best = round == 0 ? took : std::min(best, took);
      }
      times[mapping.name][level] = best;
    }
  return times;
}

}  // namespace

Json bench_compiler(std::uint64_t packets, Diagnostics& diagnostics) {
  Json result{{"schema", "nplab.bench_compiler/1"}};
  result["compile_s"] = compile_times(diagnostics);
  result["code_size"] = bench_code_size(diagnostics);
  result["hand_written"] = bench_hand_written(diagnostics);
  result["published_experiment"] = experiment_table(packets, diagnostics);
  return result;
}

}  // namespace nplab::experiments
