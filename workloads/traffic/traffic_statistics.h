// What traffic is made of: sizes, kinds of frames, flows, locality, arrival, and what rules make of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/rules/rule_set.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

// Frames by what they carry; a frame counts in every part that holds for it.
struct FrameKinds {
  std::size_t ipv4 = 0, ipv6 = 0, arp = 0,
              other = 0;    // after VLAN tags, if any; these four add up to all frames
  std::size_t vlan = 0;     // carry at least one tag
  std::size_t options = 0;  // IPv4 with options
  std::size_t first_fragments = 0, later_fragments = 0;
  std::size_t cut_by_capture = 0;   // the capture kept fewer bytes than there were
  std::size_t short_datagrams = 0;  // IPv4 whose length says more than the frame holds, or under 20
};

struct SizeStatistics {
  std::size_t bytes = 0;  // of all frames, with check sequence
  std::size_t smallest = 0, largest = 0;
  std::map<std::size_t, std::size_t> frames;  // by size
};

// Headers of packets that have a key.
struct FlowStatistics {
  std::size_t keyed = 0;             // the others take the default path: no match
  std::size_t flows = 0;             // different keys
  std::size_t largest = 0;           // packets of the most frequent
  std::size_t repeats_previous = 0;  // packets whose header is the previous packet's
  std::size_t repeats_recent =
      0;  // ... is one of the last 16 that came when they were no such repeat
  static constexpr std::size_t kRecent = 16;
};

struct RuleHits {
  std::size_t hits = 0;  // packets that match a rule
  std::size_t rules_hit = 0;
  std::size_t rules = 0;
};

struct ArrivalStatistics {
  std::uint64_t duration_ns = 0;  // from the first packet to the last
  double packets_per_second = 0;  // over the gaps; 0 when all come at once
  double mbps = 0;                // of frames with check sequence, the last left out
  std::uint64_t shortest_ns = 0, longest_ns = 0;  // between two packets
  double variation = 0;  // standard deviation of those times over their mean: 0 constant, 1
                         // Poisson, more in bursts
};

struct TrafficStatistics {
  std::size_t packets = 0;
  SizeStatistics sizes;
  FrameKinds kinds;
  FlowStatistics flows;
  std::optional<RuleHits> hits;              // when there are rules
  std::optional<ArrivalStatistics> arrival;  // when there are times
};

// `traffic` has its keys. `times`, in nanoseconds, one a packet, do not decrease; none: there are
// no times.
TrafficStatistics statistics_of(const Traffic& traffic, const RuleSet* rules,
                                std::span<const std::uint64_t> times);

// When each packet of a capture came, in nanoseconds since the first; where a capture's clock steps
// back, as the packet before.
std::vector<std::uint64_t> capture_times(const InputFile& file, Diagnostics& diagnostics);

}  // namespace nplab::workloads
