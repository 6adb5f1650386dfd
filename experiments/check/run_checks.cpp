#include "experiments/check/run_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace nplab::experiments {
namespace {

constexpr std::size_t kMessages = 10;

std::string rule_text(std::optional<std::uint32_t> rule) {
  return rule ? fmt::format("rule {}", *rule) : "no match";
}

}  // namespace

ReferenceChecks::ReferenceChecks(const Experiment& experiment) : experiment_(experiment) {
  const workloads::Workload& workload = experiment.workload;
  if (experiment.updates) {
    versions_.emplace(workload.rules, workload.traffic, experiment.updates->at_start,
                      experiment.updates->changing);
  } else {
    classifier_.emplace(workload.rules);
    prepare(experiment.options.packets == 0 ? workload.traffic.size() : experiment.options.packets);
  }
}

void ReferenceChecks::prepare(std::size_t count) const {
  const workloads::Traffic& traffic = experiment_.workload.traffic;
  while (answers_.size() < std::min(count, traffic.size())) {
    const auto& key = traffic.packet(answers_.size()).key;
    answers_.push_back(key ? classifier_->classify(*key) : std::nullopt);
  }
}

std::optional<workloads::RuleIndex> ReferenceChecks::answer(std::size_t traffic_index) const {
  prepare(traffic_index + 1);
  return answers_.at(traffic_index);
}

void ReferenceChecks::received(const workloads::OfferedPacket& packet, unsigned,
                               simulator::Cycle at) {
  if (versions_)
    in_flight_[packet.sequence].received = at;
}

void ReferenceChecks::complain(std::string message) {
  if (messages_.size() < kMessages)
    messages_.push_back(std::move(message));
}

void ReferenceChecks::verdict(const workloads::OfferedPacket& packet,
                              std::optional<std::uint32_t> rule, simulator::Cycle at) {
  ++classified_;
  if (!rule)
    ++no_match_verdicts_;
  if (versions_)
    return judge_version(packet, rule, at);
  const auto right = answer(packet.traffic_index);
  const auto expected = right ? std::optional(right->value()) : std::nullopt;
  if (rule == expected)
    return;
  ++misclassified_;
  complain_of_verdict(packet, rule, at, rule_text(expected));
}

void ReferenceChecks::judge_version(const workloads::OfferedPacket& packet,
                                    std::optional<std::uint32_t> rule, simulator::Cycle at) {
  InFlight& known = in_flight_[packet.sequence];
  if (rule && *rule < experiment_.workload.rules.size())
    known.verdict = workloads::RuleIndex(*rule);
  const auto from = known.received.number();
  const bool exists = !rule || known.verdict;
  const auto judgement = versions_->judge(packet.traffic_index, known.verdict, from, at.number());
  if (judgement.is_contested)
    ++contested_;
  if (exists && judgement.is_right)
    return;
  ++misclassified_;
  const auto text = [&](std::uint64_t time) {
    const auto answer = versions_->answer_at(packet.traffic_index, time);
    return rule_text(answer ? std::optional(answer->value()) : std::nullopt);
  };
  complain_of_verdict(packet, rule, at,
                      fmt::format("{} when it was received in cycle {}, {} now, and never this",
                                  text(from), from, text(at.number())));
}

void ReferenceChecks::complain_of_verdict(const workloads::OfferedPacket& packet,
                                          std::optional<std::uint32_t> rule, simulator::Cycle at,
                                          const std::string& wanted) {
  complain(fmt::format(
      "packet {} (number {} of the traffic): verdict {} in cycle {}, the reference says {}",
      packet.sequence, packet.traffic_index, rule_text(rule), at.number(), wanted));
}

// Where rules come and go, that of the verdict, which was judged by itself.
std::optional<workloads::RuleIndex> ReferenceChecks::deciding_rule(
    const workloads::OfferedPacket& packet) const {
  if (!versions_)
    return answer(packet.traffic_index);
  const auto known = in_flight_.find(packet.sequence);
  return known == in_flight_.end() ? std::nullopt : known->second.verdict;
}

unsigned ReferenceChecks::arrival_port(const workloads::OfferedPacket& packet) const {
  const auto& own = experiment_.workload.traffic.packet(packet.traffic_index).arrival_port;
  const auto& ports = experiment_.workload.ports_in;
  return own ? own->value() : ports[packet.sequence % ports.size()].value();
}

ReferenceChecks::Fate ReferenceChecks::expected_fate(const workloads::OfferedPacket& packet) const {
  const unsigned same_port = arrival_port(packet);
  const auto rule = deciding_rule(packet);
  if (!rule)
    return {experiment_.placement().no_match == mappings::NoMatch::kAllow, same_port};
  const workloads::Action& action = experiment_.workload.rules.rule(*rule).action;
  if (action.kind() == workloads::Action::Kind::kDeny)
    return {false, 0};
  const bool forwards = action.kind() == workloads::Action::Kind::kForward &&
                        experiment_.placement().egress == mappings::Egress::kByAction;
  return {true, forwards ? action.port() : same_port};
}

void ReferenceChecks::dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
                              simulator::Cycle at) {
  const bool by_rule =
      reason == simulator::DropReason::kDenied || reason == simulator::DropReason::kNoMatch;
  const bool is_wrong = by_rule && expected_fate(packet).is_sent;
  in_flight_.erase(packet.sequence);
  if (!is_wrong)
    return;
  ++misforwarded_;
  complain(fmt::format("packet {}: dropped ({}) in cycle {}, the reference lets it pass",
                       packet.sequence, simulator::name_of(reason), at.number()));
}

void ReferenceChecks::sent(const workloads::OfferedPacket& packet, unsigned port,
                           simulator::Cycle at) {
  const Fate expected = expected_fate(packet);
  in_flight_.erase(packet.sequence);
  if (expected.is_sent && expected.port == port)
    return;
  ++misforwarded_;
  complain(fmt::format("packet {}: sent on port {} in cycle {}, {}", packet.sequence, port,
                       at.number(),
                       expected.is_sent ? fmt::format("the reference says port {}", expected.port)
                                        : std::string("the reference drops it")));
}

}  // namespace nplab::experiments
