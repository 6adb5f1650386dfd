// The rules of a match unit that come and go: which requests of the unit's service port put a rule
// in and take it out. Of several rules in force with one tuple and one key the unit has the best.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "isa/match/mailbox.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

class MatchRules final : public TableUpdater {
 public:
  // `entries` of all rules by rule, at least one each; `mailboxes`: where the unit is.
  MatchRules(std::vector<std::vector<isa::match::Entry>> entries, TablePlace mailboxes);

  // Before the run: the rule is in force.
  void put_in(std::uint32_t rule);
  // What the unit has, the best rules first.
  [[nodiscard]] std::vector<isa::match::Entry> entries_in_force() const;

  [[nodiscard]] std::unique_ptr<TableUpdater> clone() const override {
    return std::make_unique<MatchRules>(*this);
  }
  std::optional<TableChange> insert(std::uint32_t rule) override;
  TableChange erase(std::uint32_t rule) override;
  [[nodiscard]] std::vector<CounterRead> counters(std::uint32_t rule) const override;
  // The unit reuses places by itself.
  void reclaim() override {}

 private:
  using Home = std::pair<isa::match::TupleId, isa::match::Key>;
  struct Request {
    isa::match::ServiceCommand command{};
    isa::match::Entry entry;
  };
  [[nodiscard]] TableChange change_of(const std::vector<Request>& requests) const;
  // The references that make a request: a rule, then a command.
  [[nodiscard]] std::pair<TableWrite, TableWrite> writes_of(const Request& request) const;
  [[nodiscard]] TableWrite write_at(unsigned offset, std::vector<std::uint32_t> longwords) const;
  [[nodiscard]] TableRead read_at(unsigned offset) const;

  std::vector<std::vector<isa::match::Entry>> entries_;
  TablePlace mailboxes_;
  std::map<Home, std::set<std::uint32_t>> in_force_;  // by tuple and key: rules
};

}  // namespace nplab::mappings
