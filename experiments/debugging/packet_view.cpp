#include "experiments/debugging/packet_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/debugging/packet_holders.h"
#include "workloads/packets/frame.h"

namespace nplab::experiments {
namespace {

using nlohmann::json;
using simulator::FrameTracker;
using View = simulator::RunVisitor::View;
using Bytes = std::span<const std::uint8_t>;

std::string address_text(Bytes frame, std::size_t offset) {
  return fmt::format("{}.{}.{}.{}", frame[offset], frame[offset + 1], frame[offset + 2],
                     frame[offset + 3]);
}

bool has_ports(std::uint8_t protocol) {
  return protocol == workloads::kProtocolTcp || protocol == workloads::kProtocolUdp ||
         protocol == workloads::kProtocolSctp;
}

// Of an Ethernet frame, of which every one has at least 64 bytes (RFC 791, RFC 768).
json header_fields(Bytes frame) {
  using workloads::load_big_endian;
  constexpr std::size_t kIp = workloads::kEthernetHeaderBytes;
  json fields = json::array();
  const auto add = [&](const char* name, std::string value) {
    fields.push_back({name, std::move(value)});
  };
  add("frame bytes", fmt::format("{}", frame.size()));
  const auto type = load_big_endian(frame, workloads::kEthernetTypeOffset, 2);
  if (type != workloads::kEthernetTypeIpv4) {
    add("Ethernet type", fmt::format("{:#06x}", type));
    return fields;
  }
  const std::uint8_t protocol = frame[kIp + 9];
  const std::size_t payload = kIp + std::size_t{4} * (frame[kIp] & 0xfu);
  add("source", address_text(frame, kIp + 12));
  add("destination", address_text(frame, kIp + 16));
  add("protocol", fmt::format("{}", protocol));
  if (has_ports(protocol) && payload + 4 <= frame.size()) {
    add("source port", fmt::format("{}", load_big_endian(frame, payload, 2)));
    add("destination port", fmt::format("{}", load_big_endian(frame, payload + 2, 2)));
  }
  return fields;
}

json facts_json(const FrameTracker::FrameFacts& facts, const DebugTarget& target) {
  json one = {{"packet", facts.packet.sequence},
              {"port", facts.port},
              {"verdict", facts.has_verdict},
              {"header", header_fields(facts.packet.frame)}};
  one["received"] = facts.received ? json(facts.received->number()) : json();
  one["rule"] = facts.rule ? json(*facts.rule) : json();
  one["forward_port"] = facts.forward_port ? json(*facts.forward_port) : json();
  if (target.expected_rule) {
    const auto rule = target.expected_rule(facts.packet.traffic_index);
    one["expected"] = rule ? json(*rule) : json();
  }
  return one;
}

}  // namespace

json packets_view(const DebugTarget& target, const View& view) {
  json all = json::array();
  for (const auto& facts : view.frames.frames_in_chip())
    all.push_back(facts_json(facts, target));
  return all;
}

json work_view(const json& request, const DebugTarget& target, const View& view) {
  json packets = json::array();
  for (const HeldPacket& held :
       held_packets(target, view, request.at("engine").get<unsigned>(),
                    simulator::ContextId(request.at("context").get<unsigned>()))) {
    const auto facts = view.frames.facts_at(held.address);
    if (!facts)
      continue;
    packets.push_back(facts_json(*facts, target));
    packets.back()["place"] = held.place;
    packets.back()["address"] = held.address;
  }
  return packets;
}

}  // namespace nplab::experiments
