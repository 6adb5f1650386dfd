#include "tools/run_checks.h"

#include <fmt/format.h>

namespace nplab::tools {
namespace {

constexpr std::size_t kMessages = 10;

std::string rule_text(std::optional<std::uint32_t> rule) { return rule ? fmt::format("rule {}", *rule) : "no match"; }

}  // namespace

ReferenceChecks::ReferenceChecks(const Experiment& experiment)
    : experiment_(experiment), answers_(workloads::reference_answers(experiment.workload)) {}

void ReferenceChecks::complain(std::string message) {
  if (messages_.size() < kMessages) messages_.push_back(std::move(message));
}

void ReferenceChecks::verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule, simulator::Cycle at) {
  ++classified_;
  if (!rule) ++no_match_verdicts_;
  const auto& answer = answers_.at(packet.traffic_index);
  const auto expected = answer ? std::optional(answer->value()) : std::nullopt;
  if (rule == expected) return;
  ++misclassified_;
  complain(fmt::format("packet {} (number {} of the traffic): verdict {} in cycle {}, the reference says {}", packet.sequence,
                       packet.traffic_index, rule_text(rule), at.number(), rule_text(expected)));
}

unsigned ReferenceChecks::arrival_port(const workloads::OfferedPacket& packet) const {
  const auto& own = experiment_.workload.traffic.packets().at(packet.traffic_index).arrival_port;
  const auto& ports = experiment_.workload.ports_in;
  return own ? own->value() : ports[packet.sequence % ports.size()].value();
}

ReferenceChecks::Fate ReferenceChecks::expected_fate(const workloads::OfferedPacket& packet) const {
  const unsigned same_port = arrival_port(packet);
  const auto& rule = answers_.at(packet.traffic_index);
  if (!rule) return {experiment_.placement.no_match == mappings::NoMatch::allow, same_port};
  const workloads::Action& action = experiment_.workload.rules.rule(*rule).action;
  if (action.kind() == workloads::Action::Kind::deny) return {false, 0};
  const bool forwards = action.kind() == workloads::Action::Kind::forward &&
                        experiment_.placement.egress == mappings::Egress::by_action;
  return {true, forwards ? action.port() : same_port};
}

void ReferenceChecks::dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason, simulator::Cycle at) {
  const bool by_rule = reason == simulator::DropReason::kDenied || reason == simulator::DropReason::kNoMatch;
  if (!by_rule || !expected_fate(packet).is_sent) return;
  ++misforwarded_;
  complain(fmt::format("packet {}: dropped ({}) in cycle {}, the reference lets it pass", packet.sequence,
                       simulator::name_of(reason), at.number()));
}

void ReferenceChecks::sent(const workloads::OfferedPacket& packet, unsigned port, simulator::Cycle at) {
  const Fate expected = expected_fate(packet);
  if (expected.is_sent && expected.port == port) return;
  ++misforwarded_;
  complain(fmt::format("packet {}: sent on port {} in cycle {}, {}", packet.sequence, port, at.number(),
                       expected.is_sent ? fmt::format("the reference says port {}", expected.port)
                                        : std::string("the reference drops it")));
}

}  // namespace nplab::tools
