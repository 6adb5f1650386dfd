#include "experiments/component/table_updates.h"

#include <utility>
#include <variant>

#include "isa/match/mailbox.h"
#include "mappings/include/readers.h"
#include "mappings/tables/table_updater.h"

namespace nplab::experiments {
namespace {

namespace readers = systemc::readers;
static_assert(systemc::counters::kLongwords == isa::match::kServiceStateWords);
static_assert(readers::kBytes == READERS_BYTES && readers::kEpoch == READERS_EPOCH &&
                  readers::begun(0) == READERS_BEGUN(0) && readers::begun(1) == READERS_BEGUN(1) &&
                  readers::ended(0) == READERS_ENDED(0) && readers::ended(1) == READERS_ENDED(1),
              "engines and hosts agree on the table of readers");

systemc::TableWrite write_of(mappings::TableWrite write) {
  return {memory_name(write.space), write.address, std::move(write.longwords)};
}

systemc::TableWrite read_of(const mappings::TableRead& read) {
  return {memory_name(read.space), read.address, {}};
}

systemc::CounterRead counter_read_of(mappings::CounterRead read) {
  systemc::CounterRead result{{}, read_of(read.outcome), read_of(read.counters)};
  for (mappings::TableWrite& write : read.request)
    result.request.push_back(write_of(std::move(write)));
  return result;
}

systemc::TableChange change_of(mappings::TableChange change) {
  systemc::TableChange result;
  for (mappings::TableWrite& write : change.preparation)
    result.preparation.push_back(write_of(std::move(write)));
  result.link = write_of(std::move(change.link));
  for (auto& reference : change.completion) {
    if (auto* const write = std::get_if<mappings::TableWrite>(&reference))
      result.completion.push_back(write_of(std::move(*write)));
    else
      result.completion.push_back(read_of(std::get<mappings::TableRead>(reference)));
  }
  return result;
}

class Updater final : public systemc::TableUpdater {
 public:
  explicit Updater(std::unique_ptr<mappings::TableUpdater> tables) : tables_(std::move(tables)) {}

  std::optional<systemc::TableChange> insert(std::uint32_t rule) override {
    auto change = tables_->insert(rule);
    return change ? std::optional(change_of(std::move(*change))) : std::nullopt;
  }
  systemc::TableChange erase(std::uint32_t rule) override {
    return change_of(tables_->erase(rule));
  }
  [[nodiscard]] std::vector<systemc::CounterRead> counters(std::uint32_t rule) const override {
    std::vector<systemc::CounterRead> reads;
    for (mappings::CounterRead& read : tables_->counters(rule))
      reads.push_back(counter_read_of(std::move(read)));
    return reads;
  }
  void reclaim() override { tables_->reclaim(); }

 private:
  std::unique_ptr<mappings::TableUpdater> tables_;
};

}  // namespace

const char* memory_name(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "sram";
    case isa::MemorySpace::kSdram: return "sdram";
    case isa::MemorySpace::kScratch: break;
  }
  return "scratch";
}

std::unique_ptr<systemc::TableUpdater> table_updater(const Experiment& experiment) {
  if (!experiment.updates)
    return nullptr;
  return std::make_unique<Updater>(experiment.placed->updater->clone());
}

std::vector<systemc::RuleUpdate> planned_updates(const Experiment& experiment) {
  using Kind = systemc::RuleUpdate::Kind;
  std::vector<systemc::RuleUpdate> planned;
  if (!experiment.updates)
    return planned;
  for (const workloads::RuleUpdate& update : experiment.updates->updates) {
    const bool inserts = update.kind == workloads::RuleUpdate::Kind::kInsert;
    planned.push_back({inserts ? Kind::kInsert : Kind::kDelete, update.rule.value(), update.due});
  }
  return planned;
}

}  // namespace nplab::experiments
