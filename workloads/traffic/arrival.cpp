#include "workloads/traffic/arrival.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <cmath>
#include <map>

#include "workloads/base/random.h"

namespace nplab::workloads {
namespace {

constexpr unsigned kFractionBits = 16;  // of a byte time

std::optional<double> parse_rate(std::string_view text) {
  double rate = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  if (std::isnan(rate) || rate < kLowestRateMbps || rate > kLineRateMbps)
    return std::nullopt;
  return rate;
}

}  // namespace

std::optional<Arrival> parse_arrival(std::string_view text) {
  if (text == "wire")
    return Arrival{};
  constexpr std::string_view kPoisson = "poisson:";
  const bool poisson = text.starts_with(kPoisson);
  const auto rate = parse_rate(poisson ? text.substr(kPoisson.size()) : text);
  if (!rate)
    return std::nullopt;
  return Arrival{poisson ? Arrival::Process::kPoisson : Arrival::Process::kConstant, *rate};
}

std::string to_string(const Arrival& arrival) {
  if (arrival.process == Arrival::Process::kWire)
    return "wire";
  return fmt::format("{}{}", arrival.process == Arrival::Process::kPoisson ? "poisson:" : "",
                     arrival.rate_mbps);
}

// Carries one clock a port: when the next packet wants to start, and when the wire is free.
class Pacer {
 public:
  Pacer(const Arrival& arrival, const Slot& slot, std::uint64_t seed)
      : arrival_(arrival), slot_(slot), random_(seed) {}

  void pace(Traffic& traffic, const std::vector<PortId>& ports) {
    for (std::size_t i = 0; i < traffic.packets_.size(); ++i) {
      Packet& packet = traffic.packets_[i];
      packet.extra_gap_bytes =
          gap_before(packet, packet.arrival_port.value_or(ports[i % ports.size()]));
    }
  }

 private:
  struct Clock {
    std::uint64_t wanted = 0;  // both in 2^-16 byte times
    std::uint64_t free = 0;
  };

  std::uint64_t gap_before(const Packet& packet, PortId port) {
    if (arrival_.process == Arrival::Process::kWire)
      return 0;
    Clock& clock = clocks_[port];
    const std::uint64_t late = clock.wanted > clock.free ? clock.wanted - clock.free : 0;
    const std::uint64_t gap_bytes = late >> kFractionBits;
    const std::uint64_t slot_bytes = packet.frame.size() + slot_.gap_bytes + slot_.preamble_bytes;
    clock.free += (gap_bytes + slot_bytes) << kFractionBits;
    clock.wanted += distance(packet);
    return gap_bytes;
  }

  // From the start of this packet to the start that the next one wants.
  std::uint64_t distance(const Packet& packet) {
    const double bytes = static_cast<double>(packet.frame.size() + slot_.gap_bytes);
    const double mean_bytes = bytes * kLineRateMbps / arrival_.rate_mbps;
    const auto mean = static_cast<std::uint64_t>(std::floor(mean_bytes * (1 << kFractionBits)));
    return arrival_.process == Arrival::Process::kConstant ? mean : random_.exponential(mean);
  }

  Arrival arrival_;
  Slot slot_;
  Random random_;
  std::map<PortId, Clock> clocks_;
};

Traffic with_arrival(Traffic traffic, const Arrival& arrival, const Slot& slot,
                     const std::vector<PortId>& ports, std::uint64_t seed) {
  assert(!ports.empty() && "traffic arrives on a port");
  Pacer(arrival, slot, seed).pace(traffic, ports);
  return traffic;
}

}  // namespace nplab::workloads
