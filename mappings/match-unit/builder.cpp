// Loads the match unit (mappings/tables/match_tables.h); in the engines' memory lie the actions
// alone.
#include <fmt/format.h>

#include "layout.h"
#include "mappings/include/verdict.h"
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
        most_entries_(inputs.parameter("entries")),
        same_key_(inputs.parameter("refuse_same_key") != 0 ? SameKey::kRefuse : SameKey::kHide) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    tables_ =
        match_tables_of(rules_, static_cast<std::size_t>(most_entries_), same_key_, diagnostics);
    return {{"mailboxes", isa::match::kMailboxRange,
             fmt::format("{} mailboxes x {} bytes", MAILBOXES, MAILBOX_BYTES)},
            {"actions", std::uint64_t{rules_.size()} * ACTION_BYTES,
             fmt::format("{} rules x 4 bytes", rules_.size())}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace actions = places.at("actions");
    TableContents contents;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      contents.image.put_longword(actions.space, actions.base + ACTION_BYTES * rule,
                                  action_word(rules_.rule(workloads::RuleIndex(rule)).action));
    contents.facts = {{"match_entries", tables_->entries.size()},
                      {"match_hidden_entries", tables_->hidden},
                      {"match_tuples", tables_->program.tuples.size()}};
    contents.match = std::make_shared<const isa::match::UnitTables>(
        isa::match::UnitTables{std::move(tables_->program), std::move(tables_->entries),
                               MatchKeyPacking(rules_.fields()).parts()});
    return contents;
  }

 private:
  const workloads::RuleSet& rules_;
  const std::int64_t most_entries_;
  const SameKey same_key_;
  std::optional<MatchTables> tables_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_match_unit_builder(const BuildInputs& inputs) {
  return std::make_unique<MatchUnitBuilder>(inputs);
}

}  // namespace nplab::mappings
