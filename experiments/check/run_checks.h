// What every run is held to: each packet's verdict, fate and port against the reference classifier.
// Where rules come and go, the verdict must be right for some rule set in force between the
// packet's receipt and its verdict, and its fate must be what the rule of the verdict says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "simulator/fbi/frame_tracker.h"
#include "workloads/reference/classifier.h"
#include "workloads/traffic/packet_source.h"
#include "workloads/updates/versioned_reference.h"

namespace nplab::experiments {

class ReferenceChecks final : public simulator::VerdictSink {
 public:
  // Keeps a reference: the experiment outlives the checks.
  explicit ReferenceChecks(const Experiment& experiment);

  // To be notified of rules that come and go; null without updates.
  [[nodiscard]] workloads::VersionedReference* versions() {
    return versions_ ? &*versions_ : nullptr;
  }

  void received(const workloads::OfferedPacket& packet, unsigned port,
                simulator::Cycle at) override;
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               simulator::Cycle at) override;
  void dropped(const workloads::OfferedPacket& packet, simulator::DropReason reason,
               simulator::Cycle at) override;
  void sent(const workloads::OfferedPacket& packet, unsigned port, simulator::Cycle at) override;

  // The reference's rule of a packet of the traffic; without updates.
  [[nodiscard]] std::optional<workloads::RuleIndex> answer(std::size_t traffic_index) const;

  [[nodiscard]] std::uint64_t classified() const { return classified_; }
  [[nodiscard]] std::uint64_t misclassified() const { return misclassified_; }
  [[nodiscard]] std::uint64_t misforwarded() const { return misforwarded_; }
  // Verdicts on packets to which the rule sets in force meanwhile give several answers.
  [[nodiscard]] std::uint64_t contested() const { return contested_; }
  [[nodiscard]] std::uint64_t no_match_verdicts() const { return no_match_verdicts_; }
  // The first wrong verdicts and fates, as sentences.
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  // What the reference says is to become of a packet.
  struct Fate {
    bool is_sent = false;
    unsigned port = 0;
  };
  // With updates: what is known of a packet in flight.
  struct InFlight {
    simulator::Cycle received;
    std::optional<workloads::RuleIndex> verdict;
  };
  void judge_version(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
                     simulator::Cycle at);
  void complain_of_verdict(const workloads::OfferedPacket& packet,
                           std::optional<std::uint32_t> rule, simulator::Cycle at,
                           const std::string& wanted);
  [[nodiscard]] std::optional<workloads::RuleIndex> deciding_rule(
      const workloads::OfferedPacket& packet) const;
  [[nodiscard]] Fate expected_fate(const workloads::OfferedPacket& packet) const;
  [[nodiscard]] unsigned arrival_port(const workloads::OfferedPacket& packet) const;
  void complain(std::string message);
  // Answers the first `count` packets of the traffic.
  void prepare(std::size_t count) const;

  const Experiment& experiment_;
  std::optional<workloads::ReferenceClassifier> classifier_;  // none with updates
  // By traffic index, of the packets that were asked for and those before them.
  mutable std::vector<std::optional<workloads::RuleIndex>> answers_;
  std::optional<workloads::VersionedReference> versions_;  // with updates
  std::unordered_map<std::uint64_t, InFlight> in_flight_;  // with updates, by sequence
  std::uint64_t contested_ = 0;
  std::uint64_t classified_ = 0;
  std::uint64_t misclassified_ = 0;
  std::uint64_t misforwarded_ = 0;
  std::uint64_t no_match_verdicts_ = 0;
  std::vector<std::string> messages_;
};

}  // namespace nplab::experiments
