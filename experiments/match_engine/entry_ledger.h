// Accounts of what the match engine answers and counts, entry by entry, kept apart from it: which
// entries are in force, what was counted of each, and what a lookup may have seen of those that
// come and go meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mappings/tables/match_tables.h"
#include "simulator/match_engine/match_engine.h"

namespace nplab::experiments {

class EntryLedger {
 public:
  using Number = std::uint32_t;  // of an entry of the tables
  using Result = simulator::match::Result;

  // All entries are in force at first. The tables outlive it.
  explicit EntryLedger(const mappings::MatchTables& tables);

  // The unit has taken in an update of the entry; one at a time of each.
  void begin_update(Number entry, simulator::match::RequestKind kind);
  // What came of it; false: not what had to come of it.
  [[nodiscard]] bool end_update(Number entry, const Result& result);

  // A lookup has ended that matched, of a packet with so many bytes. False: the tables have no such
  // entry.
  [[nodiscard]] bool count(const Result& result, std::uint32_t bytes);

  // The entries that a key matches, the best first.
  [[nodiscard]] std::vector<Number> matches(const isa::match::Key& key) const;
  // What a lookup of a key with these matches may have found: the best of those in force, or one of
  // those that came or went while it was under way.
  enum class Verdict : std::uint8_t { kRight, kRightForOne, kWrong };
  [[nodiscard]] Verdict judge(const std::vector<Number>& matches, const Result& result) const;

  [[nodiscard]] bool is_in_force(Number entry) const { return accounts_[entry].is_in_force; }
  [[nodiscard]] bool is_under_way(Number entry) const { return accounts_[entry].is_under_way; }
  [[nodiscard]] std::size_t size() const { return accounts_.size(); }

  // Of an idle unit: rules with an entry whose packets, bytes or time stamp, with those that went
  // when it was deleted, are not what was counted.
  [[nodiscard]] std::uint64_t inexact_rules(const simulator::match::MatchEngine& engine) const;

 private:
  struct Counted {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t last_seen = 0;
    friend bool operator==(const Counted&, const Counted&) = default;
    void add(const isa::match::Entry& state);
  };
  struct Account {
    Counted expected;
    Counted deleted;                      // with the entry, whenever it was
    std::uint64_t most_read = 0;          // packets, with those that were deleted before
    std::uint64_t packets_at_begin = 0;   // when the update under way began
    std::optional<simulator::Cycle> end;  // of the last update that changed it
    bool is_in_force = true;
    bool is_under_way = false;  // an update or a read
    bool is_changing = false;   // an update
  };
  struct KeyHash {
    std::size_t operator()(const isa::match::Key& key) const {
      return isa::match::hash_of(isa::match::kNoTuple, key);
    }
  };
  [[nodiscard]] std::optional<Number> number_of(const isa::match::Entry& entry) const;
  // Whether the entry came or went while the lookup was under way.
  [[nodiscard]] bool is_uncertain(Number entry, const Result& lookup) const;

  const mappings::MatchTables& tables_;
  std::vector<std::unordered_map<isa::match::Key, Number, KeyHash>> by_key_;  // of each tuple
  std::vector<Account> accounts_;
};

}  // namespace nplab::experiments
