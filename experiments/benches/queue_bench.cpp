#include "experiments/benches/queue_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/data_files.h"
#include "experiments/queues/queue_traffic.h"

namespace nplab::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kQueueEngines = 8;           // 16 producers and 16 consumers, four of an engine
constexpr std::uint32_t kEntries = 128;         // of a ring, as in the published mappings
constexpr std::uint32_t kWithoutEnd = 900'000;  // entries of a producer: more than it can put
constexpr simulator::Cycles kRateCycles = 200'000;
constexpr simulator::Cycles kMostCycles = 5'000'000;

struct Topology {
  const char* name;
  unsigned producers;
  unsigned consumers;
};
constexpr Topology kTopologies[] = {
    {"1:1", 1, 1}, {"4:4", 4, 4}, {"4:16", 4, 16}, {"16:4", 16, 4}, {"16:16", 16, 16}};

struct Shape {
  const char* sync;
  mappings::QueueSync value;
  mappings::LockPrimitive primitive;
  const char* primitive_name;
  mappings::QueueWait wait;
};
constexpr Shape kShapes[] = {
    {"auto", mappings::QueueSync::kAuto, mappings::LockPrimitive::kTestAndSet, "test_and_set",
     mappings::QueueWait::kPoll},
    {"auto", mappings::QueueSync::kAuto, mappings::LockPrimitive::kTestAndSet, "test_and_set",
     mappings::QueueWait::kSignal},
    {"auto", mappings::QueueSync::kAuto, mappings::LockPrimitive::kLockCam, "lock_cam",
     mappings::QueueWait::kPoll},
    {"memory_lock", mappings::QueueSync::kMemoryLock, mappings::LockPrimitive::kTestAndSet,
     "test_and_set", mappings::QueueWait::kPoll}};

std::vector<mappings::ThreadPlace> threads(unsigned first_engine, unsigned count) {
  std::vector<mappings::ThreadPlace> places;
  for (unsigned i = 0; i < count; ++i)
    places.push_back({first_engine + i / 4, i % 4});
  return places;
}

const simulator::MemoryCounters& counters_of(const simulator::SimulationResult& run,
                                             isa::MemorySpace memory) {
  return memory == isa::MemorySpace::kSram ? run.sram : run.scratch;
}

simulator::Cycles busy_cycles(const simulator::SimulationResult& run) {
  simulator::Cycles cycles = 0;
  for (const simulator::EngineCounters& engine : run.engines)
    cycles += engine.executing + engine.aborted + engine.stalled;
  return cycles;
}

struct Row {
  double references = 0, bus_cycles = 0, engine_cycles = 0;  // of a hand-over
  double entries_per_s = 0;
};

// The costs are those of a run less those of the same threads that hand nothing over.
std::optional<Row> measure(QueueTraffic traffic, const simulator::ChipDescription& chip,
                           Diagnostics& diagnostics) {
  traffic.fills_first = true;
  traffic.handed_over = kEntries / static_cast<std::uint32_t>(traffic.producers.size());
  const auto with = run_queue_traffic(traffic, chip, kMostCycles, diagnostics);
  traffic.handed_over = 0;
  const auto without = run_queue_traffic(traffic, chip, kMostCycles, diagnostics);
  traffic.fills_first = false;
  traffic.handed_over = kWithoutEnd;
  const auto endless = run_queue_traffic(traffic, chip, kRateCycles, diagnostics);
  if (!with || !without || !endless)
    return std::nullopt;
  const auto difference = [](auto more, auto less) {
    return (static_cast<double>(more) - static_cast<double>(less)) / kEntries;
  };
  const auto& memory = counters_of(with->run, traffic.memory);
  const auto& idle = counters_of(without->run, traffic.memory);
  Row row;
  row.references = difference(memory.references, idle.references);
  row.bus_cycles = difference(memory.active_cycles, idle.active_cycles);
  row.engine_cycles = difference(busy_cycles(with->run), busy_cycles(without->run));
  row.entries_per_s = static_cast<double>(endless->taken.size()) /
                      static_cast<double>(kRateCycles) * static_cast<double>(chip.clock.core_hz);
  return row;
}

double rounded(double value) {
  return std::round(value * 100) / 100;
}

bool is_measured(const Shape& shape, const Topology& topology, isa::MemorySpace memory) {
  if (shape.primitive != mappings::LockPrimitive::kLockCam)
    return true;
  return memory == isa::MemorySpace::kSram && std::max(topology.producers, topology.consumers) > 4;
}

std::optional<simulator::ChipDescription> read_bench_chip(const std::string& name,
                                                          Diagnostics& diagnostics) {
  const auto path = find_data_file(DataKind::kChip, name, without_lines("--chip"), diagnostics);
  const auto text = path ? read_chip_text(*path, diagnostics) : std::nullopt;
  auto chip = text ? simulator::read_chip(text->root, diagnostics) : std::nullopt;
  if (chip)
    chip->engine.engines = std::max(chip->engine.engines, kQueueEngines);
  return chip;
}

}  // namespace

Json bench_queues(const std::string& chip_name, const BenchProgress& progress,
                  Diagnostics& diagnostics) {
  const auto chip = read_bench_chip(chip_name, diagnostics);
  if (!chip)
    return nullptr;
  Json queues = Json::array();
  double done = 0;
  const double all = 2.0 * std::size(kTopologies) * std::size(kShapes) * 2;
  for (const auto& [memory, memory_name] : {std::pair(isa::MemorySpace::kSram, "sram"),
                                            std::pair(isa::MemorySpace::kScratch, "scratch")}) {
    for (const Topology& topology : kTopologies) {
      for (const Shape& shape : kShapes) {
        for (const std::uint32_t longwords : {2u, 5u}) {
          progress(fmt::format("{} in {}", topology.name, memory_name), done++ / all);
          if (!is_measured(shape, topology, memory))
            continue;
          QueueTraffic traffic;
          traffic.producers = threads(0, topology.producers);
          traffic.consumers = threads(kQueueEngines / 2, topology.consumers);
          traffic.sync = shape.value;
          traffic.primitive = shape.primitive;
          traffic.wait = shape.wait;
          traffic.memory = memory;
          traffic.entries = kEntries;
          traffic.entry_longwords = longwords;
          const auto row = measure(traffic, *chip, diagnostics);
          if (!row)
            return nullptr;
          queues.push_back({{"sync", shape.sync},
                            {"primitive", shape.primitive_name},
                            {"memory", memory_name},
                            {"topology", topology.name},
                            {"entry_longwords", longwords},
                            {"wait", shape.wait == mappings::QueueWait::kPoll ? "poll" : "signal"},
                            {"references", rounded(row->references)},
                            {"bus_cycles", rounded(row->bus_cycles)},
                            {"engine_cycles", rounded(row->engine_cycles)},
                            {"entries_per_s", std::round(row->entries_per_s)}});
        }
      }
    }
  }
  return {{"schema", "nplab.bench_queues/1"},
          {"chip", chip->name},
          {"engines", chip->engine.engines},
          {"entries", kEntries},
          {"queues", std::move(queues)}};
}

}  // namespace nplab::experiments
