#include "reports/analysis/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reports/analysis/derive.h"
#include "reports/analysis/stations.h"

namespace nplab::reports {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kNoGain = 0.5;   // percent: less is none
constexpr std::size_t kSram = 0;  // of kMemoryNames
constexpr const char* kMatch = "match";
constexpr double kFasterMatch = 8;  // times as fast is a match unit that is freed (what_if.h)

// Resources that cost nothing.
struct Freed {
  std::set<Count> engines;
  std::array<bool, kMemoryNames.size()> memories{};
  bool ports = false;
  bool match = false;
  bool polling = false;
  bool aborts = false;
};

// False when the name is unknown.
bool free_resource(const std::string& name, Freed& freed) {
  const auto memory = std::find(kMemoryNames.begin(), kMemoryNames.end(), name);
  if (memory != kMemoryNames.end())
    return freed.memories[static_cast<std::size_t>(memory - kMemoryNames.begin())] = true;
  for (const auto& [known, flag] :
       {std::pair{"ports", &Freed::ports}, std::pair{"ports_in", &Freed::ports},
        std::pair{"ports_out", &Freed::ports}, std::pair{kMatch, &Freed::match},
        std::pair{"polling", &Freed::polling}, std::pair{"aborts", &Freed::aborts}})
    if (name == known)
      return freed.*flag = true;
  const std::set<Count> engines = engines_named(name);
  freed.engines.insert(engines.begin(), engines.end());
  return !engines.empty();
}

class Capacities {
 public:
  explicit Capacities(const RunRecord& record)
      : record_(record), cycles_(static_cast<double>(record.cycles.core)) {
    stations_ = stations_of(record);
    std::erase_if(stations_, [](const Station& s) { return s.packets == 0; });
    for (std::size_t i = 0; i < kMemoryNames.size(); ++i) {
      const MemoryRecord& memory = memory_named(record.memory, i);
      if (memory.latency_cycles.total > 0 && memory.delay_cycles)
        delay_share_[i] = std::min(1.0, static_cast<double>(*memory.delay_cycles) /
                                            static_cast<double>(memory.latency_cycles.total));
    }
    find_match_waits();
    find_first();
  }

  [[nodiscard]] const std::vector<Station>& stations() const { return stations_; }
  [[nodiscard]] bool empty() const { return stations_.empty(); }
  // The station that limits first; nothing when ports or memories do.
  [[nodiscard]] const Station* first_station() const { return first_; }

  // Packets over the run, at most.
  [[nodiscard]] double packets(const Freed& freed) const {
    double least = std::min({ports_in(freed), ports_out(freed), match(freed)});
    for (std::size_t i = 0; i < kMemoryNames.size(); ++i)
      least = std::min(least, memory(i, freed));
    for (const Station& station : stations_)
      least = std::min(least, effective(station, freed));
    return least;
  }

  [[nodiscard]] double gain_pct(const Freed& freed) const {
    const double now = packets({});
    return now > 0 && now < kNoLimit ? 100 * (packets(freed) / now - 1) : 0;
  }

 private:
  // Without what the station spends on polling.
  [[nodiscard]] double capacity(const Station& station, const Freed& freed) const {
    const auto freed_engines = static_cast<double>(
        std::count_if(station.engines.begin(), station.engines.end(),
                      [&](Count engine) { return freed.engines.contains(engine); }));
    const double share = freed_engines / static_cast<double>(station.engines.size());
    double with = 0, without = 0;
    if (share < 1)
      with = pipeline_capacity(station, freed, Pipeline::kTakesCycles);
    if (share > 0)
      without = pipeline_capacity(station, freed, Pipeline::kFree);
    return (share < 1 ? (1 - share) * with : 0) + (share > 0 ? share * without : 0);
  }

  enum class Pipeline { kTakesCycles, kFree };
  [[nodiscard]] double pipeline_capacity(const Station& station, const Freed& freed,
                                         Pipeline pipeline) const {
    double waits = station.other_waits + station.look_waits;
    for (std::size_t i = 0; i < kMemoryNames.size(); ++i) {
      const double answers = station.waits[i] * match_share_[i];
      waits += (station.waits[i] - answers) * (freed.memories[i] ? 1 - delay_share_[i] : 1) +
               answers / (freed.match ? kFasterMatch : 1);
    }
    if (pipeline == Pipeline::kFree)
      return waits == 0 ? kNoLimit : station.packets * station.threads * cycles_ / waits;
    const double before = station.executing + station.aborted + station.look_cycles;
    const double taken = station.executing + (freed.aborts ? 0 : station.aborted) +
                         (freed.polling ? 0 : station.look_cycles);
    if (taken == 0)
      return kNoLimit;
    const double thread_time = waits + taken + station.ready * taken / before;
    return station.packets * cycles_ *
           std::min(station.threads / thread_time,
                    static_cast<double>(station.engines.size()) / taken);
  }

  // With it. A station at its limit still polls, and how much of its time is left for packets shows
  // where one is at its limit: the first station, and the receiving one when ports lose packets.
  // For the others the first one's share stands.
  [[nodiscard]] double effective(const Station& station, const Freed& freed) const {
    const double most = capacity(station, freed);
    // The receiving one's looks are for traffic, and it is at its limit although it looks.
    const bool waits_for_packets = station.receives && loses_at_ports();
    if ((freed.polling && !waits_for_packets) || frees_all_engines(station, freed))
      return most;
    const bool at_limit = &station == first_ || waits_for_packets;
    const Station* like = at_limit ? &station : first_;
    return like == nullptr ? most : most * used_share(*like);
  }
  [[nodiscard]] double used_share(const Station& station) const {
    return std::min(1.0, station.packets / capacity(station, {}));
  }
  [[nodiscard]] bool loses_at_ports() const {
    return percentage(record_.packets.missed_by_media, record_.packets.offered) > kNoGain;
  }

  static bool frees_all_engines(const Station& station, const Freed& freed) {
    return std::all_of(station.engines.begin(), station.engines.end(),
                       [&](Count engine) { return freed.engines.contains(engine); });
  }

  [[nodiscard]] double memory(std::size_t i, const Freed& freed) const {
    double cycles_per_packet = 0;
    for (const Station& station : stations_)
      cycles_per_packet += station.bus[i] / station.packets;
    return freed.memories[i] || cycles_per_packet == 0 ? kNoLimit : cycles_ / cycles_per_packet;
  }

  [[nodiscard]] double ports_in(const Freed& freed) const {
    const bool waits_for_room = record_.options.arrival == "lossless";
    return freed.ports || waits_for_room ? kNoLimit : static_cast<double>(record_.packets.offered);
  }

  [[nodiscard]] double ports_out(const Freed& freed) const {
    double most = 0;  // of the line rate
    for (const Port& port : record_.ports)
      if (port.line_mbps && *port.line_mbps > 0)
        most = std::max(most, port.rates_mbps.transmit / *port.line_mbps);
    return freed.ports || most == 0 ? kNoLimit : static_cast<double>(record_.packets.sent) / most;
  }

  // The match unit's, in lookups, of which a packet takes one.
  [[nodiscard]] double match(const Freed& freed) const {
    if (freed.match || !record_.match || record_.match->use_pct <= 0)
      return kNoLimit;
    return static_cast<double>(record_.match->lookups) * 100 / record_.match->use_pct;
  }

  // How much of the waits for SRAM are waits for the match unit's answers. Simplified: all stations
  // have the same share, since those that ask the unit wait for SRAM the most by far when it
  // counts.
  void find_match_waits() {
    double waits = 0;
    for (const Station& station : stations_)
      waits += station.waits[kSram];
    if (record_.match && waits > 0)
      match_share_[kSram] =
          std::min(1.0, static_cast<double>(record_.match->read_wait_cycles) / waits);
  }

  void find_first() {
    double least = std::min({ports_in({}), ports_out({}), match({})});
    for (std::size_t i = 0; i < kMemoryNames.size(); ++i)
      least = std::min(least, memory(i, {}));
    for (const Station& station : stations_) {
      if (capacity(station, {}) >= least)
        continue;
      least = capacity(station, {});
      first_ = &station;
    }
  }

  const RunRecord& record_;
  double cycles_;
  std::vector<Station> stations_;
  ByMemory delay_share_{};  // of a reference's latency, for want of the bus
  ByMemory match_share_{};  // of the waits for a memory, for the match unit's answers
  const Station* first_ = nullptr;
};

ResourceUse use_of(const Engine& engine, const std::string& label) {
  ResourceUse use{"engine" + std::to_string(engine.id), label, 0, 0, 0};
  use.busy_pct = engine.executing_pct + engine.aborted_pct + engine.stalled_pct;
  use.useful_pct = engine.useful_pct.value_or(0);
  use.polling_pct = engine.polling_pct.value_or(0);
  return use;
}

ResourceUse use_of(const Station& station, const RunRecord& record) {
  ResourceUse use{station.resource(), station.label(), 0, 0, 0};
  const auto engines = static_cast<double>(station.engines.size());
  for (const Engine& engine : record.engines) {
    if (!station.engines.contains(engine.id))
      continue;
    const ResourceUse one = use_of(engine, "");
    use.busy_pct += one.busy_pct / engines;
    use.useful_pct += one.useful_pct / engines;
    use.polling_pct += one.polling_pct / engines;
  }
  return use;
}

std::vector<ResourceUse> shared_uses(const RunRecord& record) {
  std::vector<ResourceUse> uses;
  const std::array labels = {"SRAM bus", "SDRAM bus", "scratch bus"};
  for (std::size_t i = 0; i < kMemoryNames.size(); ++i) {
    const MemoryRecord& memory = memory_named(record.memory, i);
    uses.push_back({kMemoryNames[i], labels[i], memory.active_pct, memory.useful_pct.value_or(0),
                    memory.polling_pct.value_or(0)});
  }
  if (record.match)
    uses.push_back({kMatch, fmt::format("match unit, {}", record.match->busiest),
                    record.match->use_pct, record.match->use_pct, 0});
  double in = 0, out = 0, ports = 0;
  for (const Port& port : record.ports) {
    if (!port.line_mbps || *port.line_mbps <= 0)
      continue;
    ++ports;
    in += 100 * port.rates_mbps.receive / *port.line_mbps;
    out = std::max(out, 100 * port.rates_mbps.transmit / *port.line_mbps);
  }
  if (ports > 0) {
    uses.push_back({"ports_in", "ports in", in / ports, in / ports, 0});
    uses.push_back({"ports_out", "busiest port out", out, out, 0});
  }
  return uses;
}

// Both directions, which one line rate limits.
ResourceUse use_of_ports(const std::vector<ResourceUse>& uses) {
  ResourceUse ports{"ports", "ports and offered traffic", 0, 0, 0};
  for (const ResourceUse& use : uses) {
    if (!use.resource.starts_with("ports"))
      continue;
    ports.busy_pct = std::max(ports.busy_pct, use.busy_pct);
    ports.useful_pct = ports.busy_pct;
  }
  return ports;
}

// Of the resources, the one that gives most when it is freed besides `freed`.
Bound greatest(const std::vector<ResourceUse>& resources, const Capacities& capacities,
               const Freed& freed) {
  Bound best;
  double most = capacities.gain_pct(freed) + kNoGain;
  for (const ResourceUse& use : resources) {
    if (use.resource == "ports_in" || use.resource == "ports_out")
      continue;  // one wire: they get faster together
    Freed more = freed;
    free_resource(use.resource, more);
    const double gain = capacities.gain_pct(more);
    if (gain > most) {
      most = gain;
      best = {use, gain};
    }
  }
  return best;
}

}  // namespace

std::optional<Bounds> bounds_of(const RunRecord& record) {
  if (record.failure || record.lines.empty() || record.packets.received == 0 ||
      !record.memory.sram.work_cycles)
    return std::nullopt;
  const Capacities capacities(record);
  if (capacities.empty())
    return std::nullopt;
  std::vector<ResourceUse> candidates;
  Bounds bounds;
  for (const Station& station : capacities.stations()) {
    candidates.push_back(use_of(station, record));
    for (const Engine& engine : record.engines)
      if (station.engines.contains(engine.id))
        bounds.uses.push_back(use_of(engine, candidates.back().label));
  }
  const auto shared = shared_uses(record);
  candidates.insert(candidates.end(), shared.begin(), shared.end());
  bounds.uses.insert(bounds.uses.end(), shared.begin(), shared.end());
  const ResourceUse ports = use_of_ports(shared);
  candidates.push_back(ports);
  bounds.first = greatest(candidates, capacities, {});
  // Resources in balance: none gives anything alone.
  if (bounds.first.use.resource.empty())
    bounds.first = {
        capacities.first_station() != nullptr ? use_of(*capacities.first_station(), record) : ports,
        0};
  Freed freed;
  free_resource(bounds.first.use.resource, freed);
  if (const Bound next = greatest(candidates, capacities, freed); !next.use.resource.empty())
    bounds.next = next;
  return bounds;
}

std::optional<double> estimated_gain(const RunRecord& record, const std::string& resource) {
  Freed freed;
  if (!bounds_of(record) || !free_resource(resource, freed))
    return std::nullopt;
  return Capacities(record).gain_pct(freed);
}

}  // namespace nplab::reports
