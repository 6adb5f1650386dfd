// Loads the match unit (mappings/tables/match_tables.h); in the engines' memory lie the actions
// alone, and with updates the counts of lookups.
#include <fmt/format.h>

#include <utility>

#include "layout.h"
#include "mappings/include/readers.h"
#include "mappings/include/verdict.h"
#include "mappings/match-unit/match_rules.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/match_tables.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

static_assert(MAILBOXES == isa::match::kMailboxes && MAILBOX_BYTES == isa::match::kMailboxBytes &&
                  MAILBOX_ANSWER == isa::match::kMailboxAnswer && NO_MATCH == isa::match::kNoRule,
              "engines and unit agree on the mailboxes");

class MatchUnitBuilder final : public TableBuilder {
 public:
  explicit MatchUnitBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        updates_(inputs.updates),
        readers_bytes_(inputs.parameter("updates") != 0 ? READERS_BYTES : 0),
        most_entries_(inputs.parameter("entries")),
        same_key_(inputs.parameter("refuse_same_key") != 0 ? SameKey::kRefuse : SameKey::kHide) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    tables_ =
        match_tables_of(rules_, static_cast<std::size_t>(most_entries_), same_key_, diagnostics);
    return {{"mailboxes", isa::match::kMailboxRange,
             fmt::format("{} mailboxes x {} bytes + {} of the service port", MAILBOXES,
                         MAILBOX_BYTES, isa::match::kServiceBytes)},
            {"actions", std::uint64_t{rules_.size()} * ACTION_BYTES,
             fmt::format("{} rules x 4 bytes", rules_.size())},
            {"readers", readers_bytes_, "an epoch and two counters for each of two, with updates"}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace actions = places.at("actions");
    TableContents contents;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      contents.image.put_longword(actions.space, actions.base + ACTION_BYTES * rule,
                                  action_word(rules_.rule(workloads::RuleIndex(rule)).action));
    const TablePlace readers = places.at("readers");
    for (std::uint32_t at = 0; at < readers_bytes_; at += 4)
      contents.image.put_longword(readers.space, readers.base + at, 0);
    contents.facts = {{"match_entries", tables_->entries.size()},
                      {"match_hidden_entries", tables_->hidden.size()},
                      {"match_tuples", tables_->program.tuples.size()}};
    isa::match::UnitTables unit{std::move(tables_->program),
                                std::move(tables_->entries),
                                MatchKeyPacking(rules_.fields()).parts(),
                                {}};
    if (updates_ != nullptr)
      contents.updater = leave_out_absent(unit, places.at("mailboxes"));
    contents.match = std::make_shared<const isa::match::UnitTables>(std::move(unit));
    return contents;
  }

 private:
  // Entries of rules that are not in force at the start go to `unit.later`.
  std::shared_ptr<const TableUpdater> leave_out_absent(isa::match::UnitTables& unit,
                                                       const TablePlace& mailboxes) {
    std::vector<std::vector<isa::match::Entry>> by_rule(rules_.size());
    for (const std::vector<isa::match::Entry>& entries : {unit.entries, tables_->hidden})
      for (const isa::match::Entry& entry : entries)
        by_rule[entry.action].push_back(entry);
    MatchRules rules(std::move(by_rule), mailboxes);
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      if (updates_->at_start[rule])
        rules.put_in(rule);
    unit.later = std::exchange(unit.entries, rules.entries_in_force());
    return std::make_shared<const MatchRules>(std::move(rules));
  }

  const workloads::RuleSet& rules_;
  const ExpectedUpdates* updates_;
  const std::uint32_t readers_bytes_;
  const std::int64_t most_entries_;
  const SameKey same_key_;
  std::optional<MatchTables> tables_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_match_unit_builder(const BuildInputs& inputs) {
  return std::make_unique<MatchUnitBuilder>(inputs);
}

}  // namespace nplab::mappings
