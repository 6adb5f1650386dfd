// Both sides of a match engine that a workload is sent to: packets come as soon as they are taken,
// rule updates and counter reads with a given share on the service port, and every answer is
// checked.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "experiments/match_engine/entry_ledger.h"
#include "workloads/workload.h"

namespace nplab::experiments {

// In which order the workload's packets come: as they are, or as they were drawn once, each as
// often. What locality gives is the difference. The default first.
enum class PacketOrder : std::uint8_t { kRecorded, kShuffled };
std::vector<std::string> choice_words(PacketOrder order);

struct MatchTraffic {
  std::uint64_t packets = 100'000;  // the workload's are repeated as often as that takes
  PacketOrder order{};
  unsigned update_percent = 0;  // of all requests
  std::uint64_t seed = 1;       // of the order, and of the entries that are updated
};

struct MatchAnswers {
  std::uint64_t packets = 0;
  std::uint64_t matched = 0;
  std::uint64_t misclassified = 0;
  std::optional<std::uint64_t> first_misclassified;
  std::uint64_t contested = 0;  // packets with several right answers, of rules that came or went
  std::uint64_t inserts = 0;
  std::uint64_t deletes = 0;
  std::uint64_t counter_reads = 0;
  std::uint64_t wrong_updates = 0;
  std::uint64_t references = 0;
  simulator::Cycles latency = 0;  // of all packets
  simulator::Cycle last;          // verdict
};

class MatchDesk final : public simulator::match::ResultSink {
 public:
  // All outlive it.
  MatchDesk(const workloads::Workload& workload, const mappings::MatchTables& tables,
            const MatchTraffic& traffic);
  MatchDesk(const MatchDesk&) = delete;
  MatchDesk& operator=(const MatchDesk&) = delete;

  [[nodiscard]] simulator::match::RequestSource& packets() { return packets_; }
  // Null: none are asked for.
  [[nodiscard]] simulator::match::RequestSource* updates() {
    return traffic_.update_percent == 0 ? nullptr : &updates_;
  }
  void finished(const simulator::match::Result& result) override;

  [[nodiscard]] bool is_over() const { return left_ == 0; }
  [[nodiscard]] double share_taken() const;
  [[nodiscard]] const MatchAnswers& answers() const { return totals_; }
  [[nodiscard]] const EntryLedger& ledger() const { return ledger_; }

 private:
  using Request = simulator::match::Request;

  // Packets one after the other.
  class Packets final : public simulator::match::RequestSource {
   public:
    explicit Packets(MatchDesk& desk) : desk_(desk) {}
    [[nodiscard]] simulator::Cycle next() const override;
    [[nodiscard]] const Request& front() const override { return desk_.packet_; }
    void pop() override;

   private:
    MatchDesk& desk_;
  };
  // The next when so many packets have been taken that it is due.
  class Updates final : public simulator::match::RequestSource {
   public:
    explicit Updates(MatchDesk& desk) : desk_(desk) {}
    [[nodiscard]] simulator::Cycle next() const override;
    [[nodiscard]] const Request& front() const override { return *desk_.update_; }
    void pop() override;

   private:
    MatchDesk& desk_;
  };

  void draw_packet();
  void draw_update();
  [[nodiscard]] Request update_of(EntryLedger::Number entry,
                                  simulator::match::RequestKind kind) const;
  void check_lookup(const simulator::match::Result& result);
  void check_update(const simulator::match::Result& result);
  [[nodiscard]] bool is_right(const simulator::match::Result& result, std::size_t index);
  [[nodiscard]] std::uint32_t bytes_of(std::size_t index) const;
  // Of the traffic's packets: the one that comes so.
  [[nodiscard]] std::size_t index_of(std::uint64_t number) const;

  const workloads::Workload& workload_;
  const mappings::MatchTables& tables_;
  MatchTraffic traffic_;
  mappings::MatchKeyPacking packing_;
  std::vector<std::optional<workloads::RuleIndex>> expected_;
  EntryLedger ledger_;
  std::vector<std::optional<std::vector<EntryLedger::Number>>>
      matches_;  // of the traffic's packets
  Packets packets_{*this};
  Updates updates_{*this};
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;  // none: as they are
  std::uint64_t left_;
  Request packet_;
  std::uint64_t taken_ = 0;  // packets
  std::uint64_t updates_taken_ = 0;
  std::optional<Request> update_;            // none: all entries are under way
  bool deleted_last_ = false;                // the last one did; else counters were read
  std::deque<EntryLedger::Number> deleted_;  // the oldest first
  MatchAnswers totals_;
};

}  // namespace nplab::experiments
