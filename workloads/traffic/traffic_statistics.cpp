#include "workloads/traffic/traffic_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>

#include "workloads/reference/classifier.h"

namespace nplab::workloads {
namespace {

// IEEE 802.1Q and 802.1ad tags; two bytes of type and two of tag each.
constexpr std::uint64_t kVlanTag = 0x8100, kServiceTag = 0x88A8;
constexpr std::uint64_t kTypeArp = 0x0806, kTypeIpv6 = 0x86DD;
constexpr std::size_t kTagBytes = 4;

void count_datagram(std::span<const std::uint8_t> ip, FrameKinds& kinds) {
  const bool holds_header = ip.size() >= kIpv4HeaderBytes + kFcsBytes;
  const std::size_t header_bytes = holds_header ? 4 * (ip[0] & 15u) : 0;
  const std::size_t length = holds_header ? load_big_endian(ip, 2, 2) : 0;
  if (!holds_header || length < header_bytes || header_bytes < kIpv4HeaderBytes ||
      length + kFcsBytes > ip.size()) {
    ++kinds.short_datagrams;
  }
  if (!holds_header)
    return;
  if (header_bytes > kIpv4HeaderBytes)
    ++kinds.options;
  const std::uint64_t fragment = load_big_endian(ip, 6, 2);
  const bool more = (fragment & 0x2000) != 0;
  if ((fragment & 0x1FFF) != 0)
    ++kinds.later_fragments;
  else if (more)
    ++kinds.first_fragments;
}

void count_kind(const Packet& packet, FrameKinds& kinds) {
  const std::span<const std::uint8_t> frame = packet.frame;
  if (packet.cut_by_capture)
    ++kinds.cut_by_capture;
  std::size_t at = kEthernetTypeOffset;
  std::uint64_t type = load_big_endian(frame, at, 2);
  if (type == kVlanTag || type == kServiceTag)
    ++kinds.vlan;
  while ((type == kVlanTag || type == kServiceTag) && at + kTagBytes + 2 <= frame.size()) {
    at += kTagBytes;
    type = load_big_endian(frame, at, 2);
  }
  if (type == kEthernetTypeIpv4) {
    ++kinds.ipv4;
    count_datagram(frame.subspan(at + 2), kinds);
  } else {
    ++(type == kTypeIpv6 ? kinds.ipv6 : type == kTypeArp ? kinds.arp : kinds.other);
  }
}

FlowStatistics flow_statistics(const Traffic& traffic) {
  FlowStatistics statistics;
  std::map<Key, std::size_t> packets_of;
  std::deque<const Key*> recent;  // the latest that came anew first
  const Key* previous = nullptr;
  for (const Packet& packet : traffic.packets()) {
    if (!packet.key)
      continue;
    ++statistics.keyed;
    const auto flow = packets_of.try_emplace(*packet.key, 0).first;
    ++flow->second;
    const Key* key = &flow->first;
    if (previous == key)
      ++statistics.repeats_previous;
    previous = key;
    if (std::find(recent.begin(), recent.end(), key) != recent.end()) {
      ++statistics.repeats_recent;
      continue;
    }
    recent.push_front(key);
    if (recent.size() > FlowStatistics::kRecent)
      recent.pop_back();
  }
  statistics.flows = packets_of.size();
  for (const auto& [key, count] : packets_of)
    statistics.largest = std::max(statistics.largest, count);
  return statistics;
}

RuleHits rule_hits(const Traffic& traffic, const RuleSet& rules) {
  const ReferenceClassifier classifier(rules);
  RuleHits hits{0, 0, rules.size()};
  std::vector<bool> hit(rules.size());
  for (const Packet& packet : traffic.packets()) {
    const auto rule = packet.key ? classifier.classify(*packet.key) : std::nullopt;
    if (!rule)
      continue;
    ++hits.hits;
    hit[rule->value()] = true;
  }
  hits.rules_hit = static_cast<std::size_t>(std::count(hit.begin(), hit.end(), true));
  return hits;
}

ArrivalStatistics arrival_statistics(const Traffic& traffic, std::span<const std::uint64_t> times) {
  ArrivalStatistics statistics;
  statistics.duration_ns = times.back() - times.front();
  if (times.size() < 2 || statistics.duration_ns == 0)
    return statistics;
  const auto gaps = static_cast<double>(times.size() - 1),
             duration = static_cast<double>(statistics.duration_ns);
  const double mean = duration / gaps;
  double squares = 0, bytes = 0;
  statistics.shortest_ns = statistics.duration_ns;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const std::uint64_t gap = times[i + 1] - times[i];
    statistics.shortest_ns = std::min(statistics.shortest_ns, gap);
    statistics.longest_ns = std::max(statistics.longest_ns, gap);
    squares += (static_cast<double>(gap) - mean) * (static_cast<double>(gap) - mean);
    bytes += static_cast<double>(traffic.packets()[i].frame.size());
  }
  statistics.packets_per_second = gaps / duration * 1e9;
  statistics.mbps = bytes * 8 / duration * 1e3;
  statistics.variation = std::sqrt(squares / gaps) / mean;
  return statistics;
}

}  // namespace

TrafficStatistics statistics_of(const Traffic& traffic, const RuleSet* rules,
                                std::span<const std::uint64_t> times) {
  assert((times.empty() || times.size() == traffic.size()) &&
         "every packet has a time or none has");
  TrafficStatistics statistics;
  statistics.packets = traffic.size();
  for (const Packet& packet : traffic.packets()) {
    statistics.sizes.bytes += packet.frame.size();
    ++statistics.sizes.frames[packet.frame.size()];
    count_kind(packet, statistics.kinds);
  }
  statistics.sizes.smallest = statistics.sizes.frames.begin()->first;
  statistics.sizes.largest = statistics.sizes.frames.rbegin()->first;
  statistics.flows = flow_statistics(traffic);
  if (rules != nullptr)
    statistics.hits = rule_hits(traffic, *rules);
  if (!times.empty())
    statistics.arrival = arrival_statistics(traffic, times);
  return statistics;
}

}  // namespace nplab::workloads
