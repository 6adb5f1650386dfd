#include "mappings/match-unit/match_rules.h"

#include <algorithm>

namespace nplab::mappings {

using isa::match::Entry;
using isa::match::ServiceCommand;

namespace {

std::pair<isa::match::TupleId, isa::match::Key> home_of(const Entry& entry) {
  return {entry.tuple, entry.key};
}

}  // namespace

MatchRules::MatchRules(std::vector<std::vector<Entry>> entries, TablePlace mailboxes)
    : entries_(std::move(entries)), mailboxes_(mailboxes) {}

void MatchRules::put_in(std::uint32_t rule) {
  for (const Entry& entry : entries_[rule])
    in_force_[home_of(entry)].insert(rule);
}

std::vector<Entry> MatchRules::entries_in_force() const {
  std::vector<Entry> entries;
  for (std::uint32_t rule = 0; rule < entries_.size(); ++rule) {
    for (const Entry& entry : entries_[rule]) {
      const auto rules = in_force_.find(home_of(entry));
      if (rules != in_force_.end() && *rules->second.begin() == rule)
        entries.push_back(entry);
    }
  }
  return entries;
}

std::optional<TableChange> MatchRules::insert(std::uint32_t rule) {
  std::vector<Request> requests;
  for (const Entry& entry : entries_[rule]) {
    std::set<std::uint32_t>& rules = in_force_[home_of(entry)];
    if (rules.empty())
      requests.push_back({ServiceCommand::kInsert, entry});
    else if (rule < *rules.begin())
      requests.push_back({ServiceCommand::kReplace, entry});
    rules.insert(rule);
  }
  if (requests.empty())
    requests.push_back({ServiceCommand::kRead, entries_[rule].front()});
  return change_of(requests);
}

TableChange MatchRules::erase(std::uint32_t rule) {
  std::vector<Request> requests;
  for (const Entry& entry : entries_[rule]) {
    const auto home = in_force_.find(home_of(entry));
    std::set<std::uint32_t>& rules = home->second;
    const bool was_there = *rules.begin() == rule;
    rules.erase(rule);
    if (!was_there)
      continue;
    if (rules.empty()) {
      requests.push_back({ServiceCommand::kErase, entry});
      in_force_.erase(home);
      continue;
    }
    const auto& next = entries_[*rules.begin()];
    requests.push_back({ServiceCommand::kReplace,
                        *std::find_if(next.begin(), next.end(), [&entry](const Entry& other) {
                          return home_of(other) == home_of(entry);
                        })});
  }
  if (requests.empty())
    requests.push_back({ServiceCommand::kRead, entries_[rule].front()});
  return change_of(requests);
}

TableWrite MatchRules::write_at(unsigned offset, std::vector<std::uint32_t> longwords) const {
  return {mailboxes_.space, mailboxes_.base + isa::match::kService + offset, std::move(longwords)};
}

TableRead MatchRules::read_at(unsigned offset) const {
  return {mailboxes_.space, mailboxes_.base + isa::match::kService + offset};
}

std::pair<TableWrite, TableWrite> MatchRules::writes_of(const Request& request) const {
  std::vector<std::uint32_t> longwords(request.entry.key.begin(), request.entry.key.end());
  longwords.insert(longwords.end(), {request.entry.action, request.entry.priority});
  return {
      write_at(isa::match::kServiceRule, std::move(longwords)),
      write_at(isa::match::kServiceCommand, {command_word(request.command, request.entry.tuple)})};
}

// The unit has an entry of the best rule only.
std::vector<CounterRead> MatchRules::counters(std::uint32_t rule) const {
  std::vector<CounterRead> reads;
  for (const Entry& entry : entries_[rule]) {
    const auto rules = in_force_.find(home_of(entry));
    if (rules == in_force_.end() || *rules->second.begin() != rule)
      continue;
    auto [there, command] = writes_of({ServiceCommand::kRead, entry});
    reads.push_back({{std::move(there), std::move(command)},
                     read_at(isa::match::kServiceOutcome),
                     read_at(isa::match::kServiceState)});
  }
  return reads;
}

// Each request is a rule, a command, and the outcome, which comes when the unit is done.
TableChange MatchRules::change_of(const std::vector<Request>& requests) const {
  TableChange change;
  for (const Request& request : requests) {
    auto [rule, command] = writes_of(request);
    if (change.completion.empty()) {
      change.preparation.push_back(std::move(rule));
      change.link = std::move(command);
    } else {
      change.completion.emplace_back(std::move(rule));
      change.completion.emplace_back(std::move(command));
    }
    change.completion.emplace_back(read_at(isa::match::kServiceOutcome));
  }
  return change;
}

}  // namespace nplab::mappings
