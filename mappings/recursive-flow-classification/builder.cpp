// Builds the tables of recursive flow classification (layout.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "layout.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "reduction.h"

namespace nplab::mappings {
namespace {

using rfc::Classes;

class ReductionBuilder final : public TableBuilder {
 public:
  explicit ReductionBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        phases_(static_cast<unsigned>(inputs.parameter("phases"))),
        most_entries_(static_cast<std::uint64_t>(inputs.parameter("most_entries"))),
        plan_(rfc::make_plan(rules_.fields(), phases_)) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    rfc::Excess excess;
    auto reduction = rfc::reduce(rules_, phases_, {most_entries_}, excess);
    if (!reduction) {
      report_excess(excess, diagnostics);
      return {};
    }
    tables_ = std::move(*reduction);
    return {size_of("chunks", tables_.chunks),
            size_of("groups", tables_.groups),
            size_of("pairs", tables_.pairs),
            {"matches", tables_.matches.size() * ENTRY_BYTES,
             fmt::format("{} combinations of {} classes x {} bytes", tables_.matches.size(),
                         fmt::join(class_counts(last_parts()), " x "), ENTRY_BYTES)},
            {"actions", std::uint64_t{rules_.size()} * ACTION_BYTES,
             fmt::format("{} rules x {} bytes", rules_.size(), ACTION_BYTES)}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace& matches = places.at("matches");
    write_phase(places.at("chunks"), tables_.chunks, plan_.groups,
                tables_of(places.at("groups"), tables_.groups));
    if (tables_.pairs.empty()) {
      write_phase(places.at("groups"), tables_.groups, {all(tables_.groups.size())},
                  {matches.base});
    } else {
      write_phase(places.at("groups"), tables_.groups, plan_.pairs,
                  tables_of(places.at("pairs"), tables_.pairs));
      write_phase(places.at("pairs"), tables_.pairs, {all(tables_.pairs.size())}, {matches.base});
    }
    write_matches(matches);
    write_actions(places.at("actions"));
    return {std::move(image_), {{"classes", most_classes()}, {"table_entries", entries_}}};
  }

 private:
  using Addresses = std::vector<std::uint32_t>;

  static std::vector<std::size_t> all(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = i;
    return numbers;
  }

  static std::vector<std::size_t> class_counts(const std::vector<Classes>& parts) {
    std::vector<std::size_t> counts;
    for (const Classes& part : parts)
      counts.push_back(part.boxes.size());
    return counts;
  }

  [[nodiscard]] const std::vector<Classes>& last_parts() const {
    return tables_.pairs.empty() ? tables_.groups : tables_.pairs;
  }

  [[nodiscard]] std::size_t most_classes() const {
    std::size_t most = 0;
    for (const auto* parts : {&tables_.chunks, &tables_.groups, &tables_.pairs}) {
      for (const std::size_t count : class_counts(*parts))
        most = std::max(most, count);
    }
    return most;
  }

  static TableSize size_of(const char* table, const std::vector<Classes>& parts) {
    std::vector<std::size_t> entries;
    std::uint64_t sum = 0;
    for (const Classes& part : parts) {
      entries.push_back(part.class_of.size());
      sum += part.class_of.size();
    }
    return {table, sum * ENTRY_BYTES,
            parts.empty()
                ? "not used: the groups are combined at once"
                : fmt::format("{} entries x {} bytes", fmt::join(entries, " + "), ENTRY_BYTES)};
  }

  void report_excess(const rfc::Excess& excess, Diagnostics& diagnostics) const {
    const std::string table = excess.phase == 0
                                  ? "the tables of phase 0"
                                  : fmt::format("a table of phase {}, {} classes,", excess.phase,
                                                fmt::join(excess.classes, " x "));
    const std::string cause =
        excess.cause == rfc::Excess::Cause::kMemory
            ? fmt::format("{} needs more than 1 GiB of sets of rules while it is built", table)
            : fmt::format("{} exceeds what is left of {} entries", table, most_entries_);
    diagnostics.error({rules_.name(), 0, 0},
                      fmt::format("the rule set is too large: {} rules, and {}; the parameter "
                                  "most_entries allows more entries, and the other number of "
                                  "phases may need fewer",
                                  rules_.size(), cause));
  }

  // Where each of the tables begins, one after another.
  static Addresses tables_of(const TablePlace& place, const std::vector<Classes>& tables) {
    Addresses bases;
    std::uint32_t at = place.base;
    for (const Classes& table : tables) {
      bases.push_back(at);
      at += static_cast<std::uint32_t>(table.class_of.size()) * ENTRY_BYTES;
    }
    return bases;
  }

  // The tables of one phase. Those in sets[i] lead to the table at next[i], whose index is made of
  // their classes, the first one's weighing most.
  void write_phase(const TablePlace& place, const std::vector<Classes>& tables,
                   const std::vector<std::vector<std::size_t>>& sets, const Addresses& next) {
    const Addresses bases = tables_of(place, tables);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::uint32_t weight = ENTRY_BYTES;
      for (std::size_t j = sets[i].size(); j-- > 0;) {
        const Classes& table = tables[sets[i][j]];
        write_table({place.space, bases[sets[i][j]]}, table, weight, j == 0 ? next[i] : 0);
        weight *= static_cast<std::uint32_t>(table.boxes.size());
      }
    }
  }

  void write_table(const TablePlace& place, const Classes& table, std::uint32_t weight,
                   std::uint32_t base) {
    for (std::uint32_t i = 0; i < table.class_of.size(); ++i)
      put(place, i, base + table.class_of[i] * weight);
  }

  void write_matches(const TablePlace& place) {
    for (std::uint32_t i = 0; i < tables_.matches.size(); ++i)
      put(place, i, tables_.matches[i]);
  }

  void write_actions(const TablePlace& place) {
    for (std::uint32_t i = 0; i < rules_.size(); ++i)
      image_.put_longword(place.space, place.base + ACTION_BYTES * i,
                          action_word(rules_.rules()[i].action));
  }

  void put(const TablePlace& place, std::uint32_t index, std::uint32_t value) {
    image_.put_longword(place.space, place.base + ENTRY_BYTES * index, value);
    ++entries_;
  }

  const workloads::RuleSet& rules_;
  const unsigned phases_;
  const std::uint64_t most_entries_;
  const rfc::Plan plan_;
  rfc::Reduction tables_;
  std::uint64_t entries_ = 0;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_recursive_flow_classification_builder(
    const BuildInputs& inputs) {
  return std::make_unique<ReductionBuilder>(inputs);
}

}  // namespace nplab::mappings
