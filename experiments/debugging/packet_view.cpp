#include "experiments/debugging/packet_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/debugging/program_lines.h"
#include "experiments/record/word_use.h"
#include "isa/operand_text.h"
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

// Registers that may hold an address, by their codes of isa/description/registers.td.
std::vector<isa::OperandCode> address_registers() {
  constexpr isa::OperandCode kGeneral = 32, kTransfers = 16, kFirstTransfer = 0x200;
  std::vector<isa::OperandCode> codes;
  for (isa::OperandCode code = 0; code < kGeneral; ++code)
    codes.push_back(code);
  for (isa::OperandCode code = 0; code < kTransfers; ++code)
    codes.push_back(static_cast<isa::OperandCode>(kFirstTransfer + code));
  return codes;
}

}  // namespace

json packets_view(const DebugTarget& target, const View& view) {
  json all = json::array();
  for (const auto& facts : view.frames.frames_in_chip())
    all.push_back(facts_json(facts, target));
  return all;
}

json work_view(const json& request, const DebugTarget& target, const View& view) {
  const auto number = request.at("engine").get<unsigned>();
  const simulator::ContextId context(request.at("context").get<unsigned>());
  const simulator::Microengine& engine = *view.parts.engines.at(number);
  json packets = json::array();
  const DebugProgram* program = program_of(target, number);
  const std::uint32_t word = engine.program_counter(context);
  if (program == nullptr || word >= program->uses.size() ||
      program->uses[word] == WordUse::kStarved)
    return packets;
  for (const isa::OperandCode code : address_registers()) {
    const std::uint32_t address = engine.register_value(context, code);
    const auto facts = view.frames.facts_at(address);
    const bool is_known =
        facts && std::any_of(packets.begin(), packets.end(), [&](const json& one) {
          return one.at("packet") == facts->packet.sequence;
        });
    if (!facts || is_known)
      continue;
    packets.push_back(facts_json(*facts, target));
    packets.back()["register"] = isa::operand_text(code);
    packets.back()["address"] = address;
  }
  return packets;
}

}  // namespace nplab::experiments
