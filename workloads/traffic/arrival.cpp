#include "workloads/traffic/arrival.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

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
  Pacer(const Arrival& arrival, const Slot& slot, std::vector<PortId> ports, std::uint64_t seed)
      : arrival_(arrival), slot_(slot), ports_(std::move(ports)), random_(seed) {}

  static void pace(Traffic& traffic, Pacer pacer) {
    traffic.change_packets([pacer = std::make_shared<Pacer>(std::move(pacer))](Packet& packet) {
      packet.extra_gap_bytes = pacer->gap_before_next(packet);
    });
  }

 private:
  struct Clock {
    std::uint64_t wanted = 0;  // both in 2^-16 byte times
    std::uint64_t free = 0;
  };

  // Packets are asked for in order.
  std::uint64_t gap_before_next(const Packet& packet) {
    const PortId turn = ports_[paced_++ % ports_.size()];
    return gap_before(packet, packet.arrival_port.value_or(turn));
  }

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
  std::vector<PortId> ports_;
  std::size_t paced_ = 0;
  Random random_;
  std::map<PortId, Clock> clocks_;
};

Traffic with_arrival(Traffic traffic, const Arrival& arrival, const Slot& slot,
                     const std::vector<PortId>& ports, std::uint64_t seed) {
  assert(!ports.empty() && "traffic arrives on a port");
  Pacer::pace(traffic, Pacer(arrival, slot, ports, seed));
  return traffic;
}

}  // namespace nplab::workloads
