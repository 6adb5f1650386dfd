#include "experiments/match_engine/entry_ledger.h"

#include <algorithm>
#include <set>

namespace nplab::experiments {

namespace match = simulator::match;
using isa::match::Entry;
using isa::match::Key;
using match::Outcome;
using match::RequestKind;

EntryLedger::EntryLedger(const mappings::MatchTables& tables)
    : tables_(tables), by_key_(tables.program.tuples.size()), accounts_(tables.entries.size()) {
  for (Number number = 0; number < tables.entries.size(); ++number) {
    const Entry& entry = tables.entries[number];
    by_key_[entry.tuple - 1u].emplace(entry.key, number);
  }
}

void EntryLedger::Counted::add(const Entry& state) {
  packets += state.packets;
  bytes += state.bytes;
  last_seen = std::max(last_seen, state.last_seen);
}

std::optional<EntryLedger::Number> EntryLedger::number_of(const Entry& entry) const {
  if (entry.tuple == isa::match::kNoTuple || entry.tuple > by_key_.size())
    return std::nullopt;
  const auto& keys = by_key_[entry.tuple - 1u];
  const auto found = keys.find(entry.key);
  return found == keys.end() ? std::nullopt : std::optional(found->second);
}

void EntryLedger::begin_update(Number entry, RequestKind kind) {
  Account& account = accounts_[entry];
  account.is_under_way = true;
  account.is_changing = kind != RequestKind::kReadState;
  account.packets_at_begin = account.expected.packets;
}

bool EntryLedger::end_update(Number entry, const Result& result) {
  Account& account = accounts_[entry];
  account.is_under_way = account.is_changing = false;
  if (result.kind != RequestKind::kReadState)
    account.end = result.ended;
  if (result.kind == RequestKind::kInsert) {
    account.is_in_force = true;
    return result.outcome == Outcome::kInserted;
  }
  // Every packet that had its verdict when the update began is in the counter, or went with it.
  const std::uint64_t packets = account.deleted.packets + result.entry.packets;
  account.most_read = std::max(account.most_read, packets);
  const bool is_right = packets >= account.packets_at_begin && number_of(result.entry) == entry;
  if (result.kind == RequestKind::kReadState)
    return is_right && result.outcome == Outcome::kRead;
  account.is_in_force = false;
  account.deleted.add(result.entry);
  return is_right && result.outcome == Outcome::kErased;
}

bool EntryLedger::count(const Result& result, std::uint32_t bytes) {
  const auto number = number_of(result.entry);
  if (!number)
    return false;
  Counted& expected = accounts_[*number].expected;
  ++expected.packets;
  expected.bytes += bytes;
  expected.last_seen = std::max(expected.last_seen, result.begun.number());
  return true;
}

std::vector<EntryLedger::Number> EntryLedger::matches(const Key& key) const {
  std::vector<Number> numbers;
  for (std::size_t tuple = 0; tuple < by_key_.size(); ++tuple) {
    const auto found =
        by_key_[tuple].find(isa::match::masked(key, tables_.program.tuples[tuple].mask));
    if (found != by_key_[tuple].end())
      numbers.push_back(found->second);
  }
  std::sort(numbers.begin(), numbers.end(), [this](Number a, Number b) {
    return tables_.entries[a].priority > tables_.entries[b].priority;
  });
  return numbers;
}

bool EntryLedger::is_uncertain(Number entry, const Result& lookup) const {
  const Account& account = accounts_[entry];
  return account.is_changing || (account.end && *account.end >= lookup.begun);
}

EntryLedger::Verdict EntryLedger::judge(const std::vector<Number>& matches,
                                        const Result& result) const {
  const bool matched = result.outcome == Outcome::kMatched;
  const auto verdict = matched ? number_of(result.entry) : std::nullopt;
  Verdict right = Verdict::kRight;
  for (const Number entry : matches) {
    const bool uncertain = is_uncertain(entry, result);
    if (uncertain)
      right = Verdict::kRightForOne;
    if (verdict == entry)
      return uncertain || accounts_[entry].is_in_force ? right : Verdict::kWrong;
    // One that was there all the time would have been better.
    if (!uncertain && accounts_[entry].is_in_force)
      return Verdict::kWrong;
  }
  return matched ? Verdict::kWrong : right;
}

std::uint64_t EntryLedger::inexact_rules(const match::MatchEngine& engine) const {
  std::vector<Counted> found(accounts_.size());
  std::set<std::uint32_t> inexact;
  for (const isa::match::Slot slot : engine.slots()) {
    const Entry entry = engine.rule(slot);
    if (entry.tuple == isa::match::kNoTuple)
      continue;
    if (const auto number = number_of(entry))
      found[*number].add(entry);
    else
      inexact.insert(entry.action);
  }
  for (Number number = 0; number < accounts_.size(); ++number) {
    const Account& account = accounts_[number];
    Counted all = found[number];
    all.packets += account.deleted.packets;
    all.bytes += account.deleted.bytes;
    all.last_seen = std::max(all.last_seen, account.deleted.last_seen);
    if (all != account.expected || account.most_read > account.expected.packets)
      inexact.insert(tables_.entries[number].action);
  }
  return inexact.size();
}

}  // namespace nplab::experiments
