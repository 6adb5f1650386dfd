// Arrival: how much silence stands between packets on the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/packets/port_id.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

// What a frame takes on the wire beside its own bytes, in byte times.
struct Slot {
  unsigned gap_bytes = 12;
  unsigned preamble_bytes = 0;
};

struct Arrival {
  enum class Process {
    kWire,      // back to back
    kConstant,  // equal distances
    kPoisson,   // exponentially distributed distances; what the wire cannot carry yet waits
  };
  Process process = Process::kWire;
  double rate_mbps = 0;  // offered on each port, counting frame and gap, in Mb/s; unless wire
};

inline constexpr double kLineRateMbps = 100;  // of the media ports; byte times are counted at it
inline constexpr double kLowestRateMbps = 0.1;
inline constexpr const char* kArrivalHelp =
    "wire, a rate in Mb/s per port (0.1 to 100), or poisson:RATE";

// `wire`, `40`, `poisson:40`; a rate lies in 0.1 to 100.
std::optional<Arrival> parse_arrival(std::string_view text);
// As parse_arrival reads it.
std::string to_string(const Arrival& arrival);

// The same traffic with its extra gaps set anew. Packets without a port of their own take turns
// over `ports`. Times are kept in 1/65536 of a byte time, so a constant rate is met over the run
// though gaps are whole bytes.
Traffic with_arrival(Traffic traffic, const Arrival& arrival, const Slot& slot,
                     const std::vector<PortId>& ports, std::uint64_t seed);

}  // namespace nplab::workloads
