#include "tools/output/traffic_statistics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace nplab::tools {
namespace {

using SizesJson = nlohmann::ordered_json;

constexpr std::size_t kSizesShown = 8;  // --json has all

double part_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string counted(const char* label, std::size_t count, std::size_t all) {
  return fmt::format("{:<28}{:>12}  {:5.1f} %\n", label, count, 100 * part_of(count, all));
}

std::string sizes_text(const workloads::SizeStatistics& sizes, std::size_t packets) {
  std::string text = fmt::format("{:<28}{:>12}  {} to {}, mean {:.1f}\n", "frame bytes (with FCS)",
                                 sizes.bytes, sizes.smallest, sizes.largest,
                                 static_cast<double>(sizes.bytes) / static_cast<double>(packets));
  std::vector<std::pair<std::size_t, std::size_t>> frames(sizes.frames.begin(), sizes.frames.end());
  std::stable_sort(frames.begin(), frames.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (std::size_t i = 0; i < frames.size() && i < kSizesShown; ++i) {
    text += counted(fmt::format("  {} bytes", frames[i].first).c_str(), frames[i].second, packets);
  }
  if (frames.size() > kSizesShown)
    text += fmt::format("  and {} more sizes\n", frames.size() - kSizesShown);
  return text;
}

std::string kinds_text(const workloads::FrameKinds& kinds, std::size_t packets) {
  std::string text = counted("IPv4", kinds.ipv4, packets);
  const std::pair<const char*, std::size_t> others[] = {
      {"IPv6", kinds.ipv6},
      {"ARP", kinds.arp},
      {"other types", kinds.other},
      {"with a VLAN tag", kinds.vlan},
      {"IPv4 with options", kinds.options},
      {"first fragments", kinds.first_fragments},
      {"later fragments", kinds.later_fragments},
      {"truncated by the capture", kinds.cut_by_capture},
      {"IPv4 shorter than its length field", kinds.short_datagrams}};
  for (const auto& [label, count] : others) {
    if (count > 0)
      text += counted(label, count, packets);
  }
  return text;
}

std::string flows_text(const workloads::FlowStatistics& flows, std::size_t packets) {
  return counted("with a key", flows.keyed, packets) +
         counted("default path: no match", packets - flows.keyed, packets) +
         fmt::format("{:<28}{:>12}\n", "flows", flows.flows) +
         counted("  packets of the largest", flows.largest, flows.keyed) +
         counted("  repeat the previous packet", flows.repeats_previous, flows.keyed) +
         counted("  repeat one of the last 16", flows.repeats_recent, flows.keyed);
}

std::string arrival_text(const workloads::ArrivalStatistics& arrival) {
  return fmt::format(
      "{:<28}{:>12.6f} s\n{:<28}{:>12.1f} packets/s, {:.3f} Mb/s\n{:<28}{:>12} to {} ns, variation "
      "{:.3f}\n",
      "duration", static_cast<double>(arrival.duration_ns) * 1e-9, "arrival",
      arrival.packets_per_second, arrival.mbps, "between packets", arrival.shortest_ns,
      arrival.longest_ns, arrival.variation);
}

SizesJson flows_json(const workloads::FlowStatistics& flows) {
  return {{"keyed", flows.keyed},
          {"flows", flows.flows},
          {"largest", flows.largest},
          {"repeats_previous", flows.repeats_previous},
          {"repeats_recent", flows.repeats_recent}};
}

}  // namespace

std::string render_traffic_statistics(const workloads::Traffic& traffic,
                                      const workloads::TrafficStatistics& statistics) {
  const std::size_t packets = statistics.packets;
  std::string text = fmt::format("{}: {} packets\n\n", traffic.name(), packets);
  text += sizes_text(statistics.sizes, packets) + kinds_text(statistics.kinds, packets) +
          flows_text(statistics.flows, packets);
  if (statistics.hits) {
    text += counted("match a rule", statistics.hits->hits, packets);
    text += counted("rules matched", statistics.hits->rules_hit, statistics.hits->rules);
  }
  if (statistics.arrival)
    text += arrival_text(*statistics.arrival);
  return text;
}

nlohmann::ordered_json traffic_statistics_json(const workloads::Traffic& traffic,
                                               const workloads::TrafficStatistics& statistics) {
  SizesJson json{{"schema", "nplab.traffic/1"},
                 {"name", traffic.name()},
                 {"sha256", traffic.sha256()},
                 {"packets", statistics.packets}};
  const auto& sizes = statistics.sizes;
  json["sizes"] = {
      {"bytes", sizes.bytes}, {"smallest", sizes.smallest}, {"largest", sizes.largest}};
  json["sizes"]["frames"] = SizesJson::object();
  for (const auto& [bytes, count] : sizes.frames)
    json["sizes"]["frames"][std::to_string(bytes)] = count;
  const auto& kinds = statistics.kinds;
  json["kinds"] = {{"ipv4", kinds.ipv4},
                   {"ipv6", kinds.ipv6},
                   {"arp", kinds.arp},
                   {"other", kinds.other},
                   {"vlan", kinds.vlan},
                   {"options", kinds.options},
                   {"first_fragments", kinds.first_fragments},
                   {"later_fragments", kinds.later_fragments},
                   {"cut_by_capture", kinds.cut_by_capture},
                   {"short_datagrams", kinds.short_datagrams}};
  json["flows"] = flows_json(statistics.flows);
  if (const auto& hits = statistics.hits) {
    json["rules"] = {{"hits", hits->hits}, {"rules_hit", hits->rules_hit}, {"rules", hits->rules}};
  }
  if (const auto& arrival = statistics.arrival) {
    json["arrival"] = {{"duration_ns", arrival->duration_ns},
                       {"packets_per_second", arrival->packets_per_second},
                       {"mbps", arrival->mbps},
                       {"shortest_ns", arrival->shortest_ns},
                       {"longest_ns", arrival->longest_ns},
                       {"variation", arrival->variation}};
  }
  return json;
}

}  // namespace nplab::tools
