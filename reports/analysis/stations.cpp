#include "reports/analysis/stations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace nplab::reports {
namespace {

constexpr const char* kEngine = "engine";
constexpr const char* kStart = "start_receive";  // a wait for traffic, not for work on it

bool overlap(const std::set<Count>& a, const std::set<Count>& b) {
  return std::any_of(a.begin(), a.end(), [&](Count engine) { return b.contains(engine); });
}

std::set<Count> engines_of(const StageRecord& stage) {
  std::set<Count> engines;
  for (const ThreadName& thread : stage.threads)
    engines.insert(thread.engine);
  return engines;
}

// Packets that a stage took from its queues: what several stages bring for one packet counts once.
double packets_of(const RunRecord& record, const StageRecord& stage) {
  const Packets& packets = record.packets;
  if (stage.role == "receive")
    return static_cast<double>(packets.received);
  std::map<std::string, double> taken;  // by the stage that they came from
  for (const QueueRecord& queue : record.queues)
    if (queue.to == stage.name)
      taken[queue.from] += static_cast<double>(queue.dequeued);
  double most = 0;
  for (const auto& [from, count] : taken)
    most = std::max(most, count);
  return most;
}

void add_line(const Line& line, Station& station) {
  station.executing += static_cast<double>(line.executing + line.stalled);
  station.aborted += static_cast<double>(line.aborted);
  for (const auto& [cause, cycles] : line.waiting_on) {
    const auto memory = std::find(kMemoryNames.begin(), kMemoryNames.end(), cause);
    if (memory != kMemoryNames.end())
      station.waits[static_cast<std::size_t>(memory - kMemoryNames.begin())] +=
          static_cast<double>(cycles);
    else if (cause != kStart)
      station.other_waits += static_cast<double>(cycles);
  }
  for (std::size_t i = 0; i < kMemoryNames.size(); ++i)
    station.bus[i] += static_cast<double>(count_of(line.bus_cycles, kMemoryNames[i]));
}

// Of the time spent on looks for work, a packet's share is its own look: one reference each.
void add_looks(const RunRecord& record, Station& station) {
  double looks = 0, cycles = 0, waits = 0;
  for (const Line& line : record.lines) {
    if (!station.engines.contains(line.engine) || line.work != "starved")
      continue;
    looks += static_cast<double>(sum_of(line.references));
    cycles += static_cast<double>(line.executing + line.aborted + line.stalled);
    waits += static_cast<double>(line.waiting);
  }
  if (looks == 0)
    return;
  const double share = std::min(1.0, station.packets / looks);
  station.look_cycles = cycles * share;
  station.look_waits = waits * share;
}

// Threads wait for the pipeline for work and for polling alike.
void add_ready(const RunRecord& record, Station& station) {
  double all = 0, ready = 0;
  for (const Engine& engine : record.engines) {
    if (!station.engines.contains(engine.id))
      continue;
    all += static_cast<double>(engine.cycles.executing + engine.cycles.aborted +
                               engine.cycles.stalled);
    for (const Thread& thread : engine.threads)
      ready += static_cast<double>(thread.ready);
  }
  if (all > 0)
    station.ready = ready * (station.executing + station.aborted + station.look_cycles) / all;
}

std::optional<Count> number(std::string_view text) {
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool is_range(const std::set<Count>& engines) {
  return engines.size() > 1 && *engines.rbegin() - *engines.begin() + 1 == engines.size();
}

}  // namespace

const MemoryRecord& memory_named(const Memory& memory, std::size_t index) {
  const std::array<const MemoryRecord*, kMemoryNames.size()> units = {&memory.sram, &memory.sdram,
                                                                      &memory.scratch};
  return *units.at(index);
}

std::string Station::resource() const {
  if (is_range(engines))
    return fmt::format("{}{}-{}", kEngine, *engines.begin(), *engines.rbegin());
  return fmt::format("{}{}", kEngine, fmt::join(engines, ","));
}

std::string Station::label() const {
  const std::string names = fmt::format("{}", fmt::join(stages, " and "));
  if (engines.size() == 1)
    return fmt::format("engine {}, {}", *engines.begin(), names);
  if (is_range(engines))
    return fmt::format("engines {} to {}, {}", *engines.begin(), *engines.rbegin(), names);
  return fmt::format("engines {}, {}", fmt::join(engines, ", "), names);
}

std::vector<Station> stations_of(const RunRecord& record) {
  std::vector<Station> stations;
  for (const StageRecord& stage : record.stages) {
    Station station;
    station.engines = engines_of(stage);
    for (auto other = stations.begin(); other != stations.end();) {
      if (!overlap(other->engines, station.engines)) {
        ++other;
        continue;
      }
      station.stages.insert(station.stages.end(), other->stages.begin(), other->stages.end());
      station.engines.insert(other->engines.begin(), other->engines.end());
      station.receives = station.receives || other->receives;
      station.threads += other->threads;
      station.packets = std::max(station.packets, other->packets);
      other = stations.erase(other);
    }
    station.stages.push_back(stage.name);
    station.receives = station.receives || stage.role == "receive";
    station.threads += static_cast<double>(stage.threads.size());
    station.packets = std::max(station.packets, packets_of(record, stage));
    stations.push_back(std::move(station));
  }
  for (Station& station : stations) {
    for (const Line& line : record.lines)
      if (station.engines.contains(line.engine) && line.work == "useful")
        add_line(line, station);
    add_looks(record, station);
    add_ready(record, station);
  }
  return stations;
}

std::set<Count> engines_named(const std::string& resource) {
  if (!resource.starts_with(kEngine))
    return {};
  std::set<Count> engines;
  std::string_view rest = std::string_view(resource).substr(std::string_view(kEngine).size());
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = number(part.substr(0, std::min(dash, part.size())));
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 63)
      return {};
    for (Count engine = *first; engine <= *last; ++engine)
      engines.insert(engine);
    if (comma == rest.size())
      return engines;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace nplab::reports
