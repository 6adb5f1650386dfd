#include "experiments/exploration/exploration_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/prepare/record_names.h"
#include "mappings/files/mapping_writer.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

// The options that simulate the mapping as the search did.
std::string options_text(const ExplorationRequest& request) {
  const ExperimentOptions& options = request.options;
  std::string text;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty())
      text += fmt::format(" --{} {}", option, value);
  };
  add("rules", options.rules);
  for (const std::string& traffic : options.traffic)
    add("traffic", traffic);
  add("workload", options.workload);
  if (options.l4_key)
    add("l4-key", std::string(workloads::name_of(*options.l4_key)));
  std::string ports;
  for (const workloads::PortId port : options.ports_in)
    ports += fmt::format("{}{}", ports.empty() ? "" : ",", port.value());
  add("ports-in", ports);
  if (options.arrival)
    add("arrival", to_string(*options.arrival));
  for (const std::string& one : options.set)
    add("set", "'" + one + "'");
  add("packets", fmt::format("{}", options.packets));
  return text;
}

std::string figures_text(const MappingFigures& figures) {
  return fmt::format("{:.0f} packets/s, latency p50 {:.0f} and p99 {:.0f} cycles, {} engines",
                     figures.packets_per_s, figures.latency_p50_cycles, figures.latency_p99_cycles,
                     figures.engines);
}

Json objectives_json(const MappingFigures& figures) {
  return {{"packets_per_s", figures.packets_per_s},
          {"latency_cycles",
           {{"p50", figures.latency_p50_cycles}, {"p99", figures.latency_p99_cycles}}},
          {"engines", figures.engines}};
}

Json bound_json(const Exploration& found, const MappingFigures& figures) {
  const Bound bound = bound_of(found, figures);
  return {{"resource", bound.resource},
          {"use_pct", bound.use_pct},
          {"gain_if_removed_pct", bound.gain_if_removed_pct}};
}

Json listed_json(const Exploration& found) {
  Json listed = Json::array();
  for (const ListedMapping& one : found.listed) {
    Json json{{"mapping", one.name}};
    if (one.outcome.figures) {
      json["objectives"] = objectives_json(*one.outcome.figures);
      json["bound"] = bound_json(found, *one.outcome.figures);
    } else {
      json["failure"] = one.outcome.failure;
    }
    listed.push_back(std::move(json));
  }
  return listed;
}

}  // namespace

void write_mapping_file(const std::string& file, const ExplorationRequest& request,
                        const Terrain& terrain, const Exploration& found,
                        const SimulatedPoint& point, Diagnostics& diagnostics) {
  mappings::MappingFile mapping = terrain.space.mapping(point.point);
  mapping.name =
      fmt::format("{}-{}", request.algorithm, std::filesystem::path(file).stem().string());
  mapping.summary = fmt::format("{}, found by nplab explore", request.algorithm);
  std::vector<std::string> comments{fmt::format("Found by nplab explore {} (objectives {}).",
                                                request.algorithm, to_string(found.objectives))};
  for (const std::string& choice : terrain.space.choices(point.point))
    comments.push_back("  " + choice);
  comments.push_back("simulated: " + figures_text(point.figures));
  if (point.predicted) {
    comments.push_back(fmt::format("predicted: {:.0f} packets/s, latency p50 {:.0f} cycles",
                                   point.predicted->packets_per_s,
                                   point.predicted->latency_p50_cycles));
  }
  const Bound bound = bound_of(found, point.figures);
  comments.push_back("bound: " + to_string(bound));
  comments.push_back("again: nplab run " + file + options_text(request));
  UnfinishedFile written(file);
  written.stream() << mappings::mapping_text(mapping, comments);
  written.commit(diagnostics);
}

Bound bound_of(const Exploration& found, const MappingFigures& figures) {
  if (!Judge(found.objectives, found.port_rate).reaches_ports(figures))
    return figures.bound;
  return {"ports", 100 * figures.packets_per_s / found.port_rate, 0};
}

std::string exploration_json(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found) {
  Json front = Json::array();
  for (const FoundMapping& one : found.front) {
    Json json{{"mapping", one.file},
              {"objectives", objectives_json(one.point.figures)},
              {"predicted", nullptr},
              {"bound", bound_json(found, one.point.figures)},
              {"choices", terrain.space.choices(one.point.point)}};
    if (const auto& predicted = one.point.predicted)
      json["predicted"] = {{"packets_per_s", predicted->packets_per_s},
                           {"latency_cycles", {{"p50", predicted->latency_p50_cycles}}},
                           {"bound", predicted->bound.resource}};
    front.push_back(std::move(json));
  }
  Json failed = Json::array();
  for (const FailedPoint& point : found.search.failed)
    failed.push_back({{"choices", terrain.space.choices(point.point)}, {"reason", point.reason}});
  std::vector<std::string> objectives;
  for (const Objective objective : found.objectives)
    objectives.push_back(objective_words()[static_cast<std::size_t>(objective)]);
  Json json{{"schema", "nplab.explore/1"},
            {"algorithm", request.algorithm},
            {"chip", terrain.inputs.chip.name},
            {"rules", record_name(terrain.inputs.workload.rules.name())},
            {"seed", request.seed},
            {"objectives", objectives},
            {"space",
             {{"points", found.count.points},
              {"legal", found.count.legal},
              {"checked", found.count.checked}}},
            {"ports", {{"packets_per_s", found.port_rate}, {"reached", found.ports_are_reached}}},
            {"simulated", found.search.runs},
            {"simulated_short", found.search.short_runs},
            {"profiled", found.search.profiles},
            {"packets", {{"full", request.options.packets}, {"short", found.short_packets}}},
            {"predicted", found.search.predicted},
            {"resumed", found.resumed},
            {"listed", listed_json(found)},
            {"front", front},
            {"best", nullptr},
            {"failed", failed}};
  if (!found.front.empty())
    json["best"] = found.front.front().file;
  return json.dump(2) + "\n";
}

}  // namespace nplab::experiments
