#include "experiments/prediction/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "experiments/prediction/operating_point.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::experiments {
namespace {

using mappings::Placement;
using mappings::StageRole;

constexpr double kPercent = 100;
constexpr double kGapBytes = 12;  // that rates count beside the frame

double engine_use(const OperatingPoint& point, std::size_t engine) {
  const StationUse& use = point.network.engines[point.class_of_engine[engine]];
  return std::min(1.0, use.busy());
}

ResourceUse resource_use(std::string name, const StationUse& use) {
  return {std::move(name), kPercent * std::min(1.0, use.busy()),
          kPercent * std::min(1.0, use.useful), kPercent * std::min(1.0, use.polling),
          kPercent * std::min(1.0, use.aborted)};
}

// Engines whose threads run the same stages.
std::vector<std::set<std::size_t>> engine_groups(const Placement& placement) {
  std::map<std::size_t, std::set<std::size_t>> stages;
  for (std::size_t s = 0; s < placement.stages.size(); ++s) {
    for (const auto place : placement.stages[s].threads)
      stages[place.engine].insert(s);
  }
  std::map<std::set<std::size_t>, std::set<std::size_t>> groups;
  for (const auto& [engine, runs] : stages)
    groups[runs].insert(engine);
  std::vector<std::set<std::size_t>> engines;
  for (const auto& [runs, group] : groups)
    engines.push_back(group);
  std::sort(engines.begin(), engines.end());
  return engines;
}

std::string name_of(const std::set<std::size_t>& engines) {
  std::string name = "engine";
  for (auto at = engines.begin(); at != engines.end();) {
    auto last = at;
    while (std::next(last) != engines.end() && *std::next(last) == *last + 1)
      ++last;
    if (at != engines.begin())
      name += ",";
    name += last == at ? fmt::format("{}", *at) : fmt::format("{}-{}", *at, *last);
    at = std::next(last);
  }
  return name;
}

FreedResource freed_engines(const std::set<std::size_t>& engines) {
  FreedResource freed;
  freed.engines = engines;
  return freed;
}
FreedResource freed_unit(std::size_t unit) {
  FreedResource freed;
  freed.unit = unit;
  return freed;
}
FreedResource freed_ports() {
  FreedResource freed;
  freed.ports = true;
  return freed;
}

class PlacementModel {
 public:
  PlacementModel(const AlgorithmProfile& profile, const PredictionInputs& inputs)
      : profile_(profile), inputs_(inputs), point_(find_operating_point(profile, inputs)) {}

  Prediction predict(PredictionDetail detail) const {
    const double hz = static_cast<double>(inputs_.chip.clock.core_hz);
    const double megabits = 8 * (profile_.frame_bytes + kGapBytes) * hz / 1e6;
    Prediction prediction;
    prediction.mapping = inputs_.placement.mapping;
    prediction.packets_per_s = point_.finished * hz;
    prediction.receive_mbps = point_.received * megabits;
    prediction.transmit_mbps = point_.finished * profile_.sent_share * megabits;
    prediction.latency_p50_cycles = latency();
    prediction.uses = uses();
    prediction.stages = stages();
    if (detail == PredictionDetail::kBound)
      prediction.bound = bound();
    return prediction;
  }

 private:
  // Of a packet that is sent: with its waiting in queues by Little's law where they are full, else
  // as in a queue with as many servers as the stage has threads (Sakasegawa, 1977). A thread that
  // waits for its turn at a queue that is not full has no packet yet.
  [[nodiscard]] double latency() const {
    const Placement& placement = inputs_.placement;
    const auto filled = filled_queues(inputs_, point_, port_rates(profile_, inputs_).offered);
    double cycles = 0, packets = 0, most = std::numeric_limits<double>::max();
    for (std::size_t s = 0; s < placement.stages.size(); ++s) {
      const mappings::Stage& stage = placement.stages[s];
      if (stage.role == StageRole::kReceive)
        continue;
      const bool waits_in_full = std::any_of(stage.inputs.begin(), stage.inputs.end(),
                                             [&](std::size_t input) { return filled[input]; });
      cycles += waits_in_full ? point_.response[s] : latency_of(s);
      for (const std::size_t input : stage.inputs) {
        if (!filled[input])
          continue;
        const double entries = entries_of(placement.queues[input]);
        packets += entries;
        // All that follows has an entry of it.
        if (placement.queues[input].release == mappings::QueueRelease::kEndOfPacket)
          most = std::min(most, entries);
      }
    }
    packets = std::min(packets, static_cast<double>(placement.buffers.count));
    if (point_.finished <= 0)
      return cycles;
    return std::min(cycles + packets / point_.finished, most / point_.finished);
  }

  [[nodiscard]] double latency_of(std::size_t stage) const {
    const double response = point_.response[stage] - point_.taking[stage];
    const double threads = static_cast<double>(inputs_.placement.stages[stage].threads.size());
    const double load = std::min(point_.load[stage] * response / point_.response[stage], kFullLoad);
    return response *
           (1 + std::pow(load, std::sqrt(2 * (threads + 1)) - 1) / (1 - load) / 2 / threads);
  }

  static double entries_of(const mappings::Queue& queue) {
    return static_cast<double>(queue.instances.size() * queue.entries);
  }

  [[nodiscard]] std::vector<ResourceUse> uses() const {
    std::vector<ResourceUse> uses;
    for (const auto& engines : engine_groups(inputs_.placement)) {
      for (const std::size_t engine : engines)
        uses.push_back(resource_use(fmt::format("engine{}", engine),
                                    point_.network.engines[point_.class_of_engine[engine]]));
    }
    for (const std::size_t u : {kSram, kSdram, kScratch})
      uses.push_back(resource_use(kUnitNames[u], point_.network.units[u]));
    const PortRates rates = port_rates(profile_, inputs_);
    const double in = kPercent * point_.received / rates.line_in;
    const double out = kPercent * point_.finished * profile_.sent_share / rates.line_out;
    uses.push_back({"ports_in", in, in});
    uses.push_back({"ports_out", out, out});
    return uses;
  }

  [[nodiscard]] std::vector<PredictedStage> stages() const {
    std::vector<PredictedStage> stages;
    for (std::size_t s = 0; s < inputs_.placement.stages.size(); ++s) {
      const mappings::Stage& stage = inputs_.placement.stages[s];
      stages.push_back({stage.name, stage.threads.size(), point_.work[s], point_.response[s],
                        kPercent * point_.load[s]});
    }
    return stages;
  }

  [[nodiscard]] double gain(const FreedResource& freed) const {
    const double without = find_operating_point(profile_, inputs_, freed).finished;
    return point_.finished > 0 ? kPercent * (without / point_.finished - 1) : 0;
  }

  [[nodiscard]] PredictedBound bound() const {
    std::vector<PredictedBound> bounds;
    for (const auto& engines : engine_groups(inputs_.placement)) {
      double use = 0;
      for (const std::size_t engine : engines)
        use += engine_use(point_, engine) / static_cast<double>(engines.size());
      bounds.push_back({name_of(engines), kPercent * use, gain(freed_engines(engines))});
    }
    for (const std::size_t u : {kSram, kSdram, kScratch}) {
      const StationUse& use = point_.network.units[u];
      bounds.push_back({kUnitNames[u], kPercent * std::min(1.0, use.busy()), gain(freed_unit(u))});
    }
    const PortRates rates = port_rates(profile_, inputs_);
    const double in = point_.received / rates.line_in;
    const double out = point_.finished * profile_.sent_share / rates.line_out;
    bounds.push_back(
        {in >= out ? "ports_in" : "ports_out", kPercent * std::max(in, out), gain(freed_ports())});
    return *std::max_element(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) {
      return a.gain_if_removed_pct < b.gain_if_removed_pct;
    });
  }

  const AlgorithmProfile& profile_;
  const PredictionInputs& inputs_;
  const OperatingPoint point_;
};

}  // namespace

bool can_predict(const Experiment& experiment, Diagnostics& diagnostics) {
  const auto errors = diagnostics.errors().size();
  for (const mappings::Stage& stage : experiment.placement().stages) {
    if (stage.role == StageRole::kProgram)
      diagnostics.error({experiment.mapping.file, 0, 0},
                        fmt::format("stage '{}' is a program written by hand, whose demands are "
                                    "not known part by part; simulate it with `nplab run`",
                                    stage.name));
  }
  if (experiment.updates)
    diagnostics.error({experiment.mapping.file, 0, 0},
                      "the model does not include rule updates; leave --updates out");
  const simulator::ChipDescription& chip = experiment.chip;
  if (chip.sram.cache || chip.sdram.cache || chip.scratch.cache)
    diagnostics.error(
        {experiment.mapping.file, 0, 0},
        fmt::format("the model does not include caches, which chip '{}' has; simulate "
                    "it with `nplab run`, or predict it on a chip without",
                    chip.name));
  if (chip.sdram.model != simulator::SdramModel::kIxp1200)
    diagnostics.error(
        {experiment.mapping.file, 0, 0},
        fmt::format("the model does not include DDR4, which chip '{}' has; simulate it with "
                    "`nplab run`, or predict it on a chip with 'sdram.model: ixp1200'",
                    chip.name));
  if (experiment.match)
    diagnostics.error({experiment.mapping.file, 0, 0},
                      fmt::format("the model does not include the match unit of chip '{}'; "
                                  "simulate it with `nplab run`",
                                  chip.name));
  for (const auto& device : simulator::sram_devices(chip.sram))
    if (device)
      diagnostics.error({experiment.mapping.file, 0, 0},
                        fmt::format("the model does not include the device '{}' on the SRAM bus of "
                                    "chip '{}'; simulate it with `nplab run --unit {}=FILE.so`",
                                    device->name, chip.name, device->name));
  return diagnostics.errors().size() == errors;
}

Prediction predict(const AlgorithmProfile& profile, const PredictionInputs& inputs,
                   PredictionDetail detail) {
  return PlacementModel(profile, inputs).predict(detail);
}

Prediction predict(const AlgorithmProfile& profile, const Experiment& placement,
                   PredictionDetail detail) {
  return predict(profile,
                 PredictionInputs{placement.placement(), placement.chip, placement.workload,
                                  placement.lossless},
                 detail);
}

}  // namespace nplab::experiments
