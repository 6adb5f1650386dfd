#include "experiments/core_processor/control_plane.h"

#include <algorithm>
#include <cassert>

#include "mappings/include/readers.h"

namespace nplab::experiments {
namespace {

// Each update is compared with those that may not be settled yet: not too many.
constexpr std::size_t kMostUnsettled = 256;

}  // namespace

using simulator::CoreReference;
using simulator::Cycle;
using workloads::RuleUpdate;

bool need_wait_between(const RuleUpdate& earlier, const RuleUpdate& later) {
  const bool inserted = earlier.kind == RuleUpdate::Kind::kInsert;
  const bool inserts = later.kind == RuleUpdate::Kind::kInsert;
  if (inserted != inserts)
    return inserted;
  return inserts ? later.rule >= earlier.rule : later.rule <= earlier.rule;
}

mappings::TablePlace readers_place(const mappings::Placement& placement) {
  const auto& tables = placement.tables;
  const auto readers = std::find_if(tables.begin(), tables.end(),
                                    [](const auto& table) { return table.name == "readers"; });
  assert(readers != tables.end() && "an algorithm that takes updates has a table of readers");
  return {readers->space, readers->base};
}

std::optional<mappings::TablePlace> flow_version_place(const mappings::Placement& placement) {
  for (const mappings::TablePlacement& table : placement.tables) {
    if (table.name == "flow_version")
      return mappings::TablePlace{table.space, table.base};
  }
  return std::nullopt;
}

ControlPlane::ControlPlane(const workloads::RuleUpdates& updates,
                           std::unique_ptr<mappings::TableUpdater> tables,
                           const mappings::TablePlace& readers,
                           workloads::VersionedReference& reference,
                           const std::optional<mappings::TablePlace>& flow_version)
    : plan_(updates),
      tables_(std::move(tables)),
      readers_(readers),
      reference_(reference),
      flow_version_(flow_version) {}

bool ControlPlane::overlap(workloads::RuleIndex a, workloads::RuleIndex b) const {
  const auto& ranges = plan_.rules.rule(a).ranges;
  const auto& others = plan_.rules.rule(b).ranges;
  for (std::size_t f = 0; f < ranges.size(); ++f) {
    if (ranges[f].high < others[f].low || others[f].high < ranges[f].low)
      return false;
  }
  return true;
}

bool ControlPlane::must_wait(const RuleUpdate& update) const {
  if (unsettled_.size() == kMostUnsettled)
    return true;
  return std::any_of(unsettled_.begin(), unsettled_.end(), [&](std::size_t other) {
    const RuleUpdate& earlier = plan_.updates[other];
    return need_wait_between(earlier, update) && overlap(earlier.rule, update.rule);
  });
}

simulator::CoreProgram::Step ControlPlane::next(Cycle now) {
  switch (phase_) {
    case Phase::kTakeUp: return take_up(now);
    case Phase::kPrepare: return write(now, change_.preparation[next_preparation_]);
    case Phase::kOpen:
    case Phase::kClose: return write_version(now);
    case Phase::kLink: return write(now, change_.link);
    case Phase::kComplete: return complete(now);
    case Phase::kFlip:
      return write(now, {readers_.space, readers_.base + READERS_EPOCH, {1 - epoch_}});
    case Phase::kLook:
    case Phase::kLookAgain: break;
  }
  return read_readers(std::max(now, not_before_));
}

simulator::CoreProgram::Step ControlPlane::take_up(Cycle now) {
  if (next_update_ == plan_.updates.size())
    return {};
  const RuleUpdate& update = plan_.updates[next_update_];
  if (!is_taken_up_) {
    taken_up_ = std::max(now, Cycle(update.due));
    is_taken_up_ = true;
  }
  const Cycle from = std::max(now, taken_up_ + plan_.pace.work_cycles);
  const bool inserts = update.kind == RuleUpdate::Kind::kInsert;
  auto change = must_wait(update) ? std::nullopt
                : inserts         ? tables_->insert(update.rule.value())
                                  : std::optional(tables_->erase(update.rule.value()));
  if (!change) {
    assert(!unsettled_.empty() && "after a wait there is memory for the rules in force");
    phase_ = Phase::kLook;
    waits_from_ = from;
    return read_readers(from);
  }
  change_ = std::move(*change);
  next_preparation_ = 0;
  const Phase linking = flow_version_ ? Phase::kOpen : Phase::kLink;
  phase_ = change_.preparation.empty() ? linking : Phase::kPrepare;
  return next(from);
}

simulator::CoreProgram::Step ControlPlane::write(Cycle at, const mappings::TableWrite& write) {
  assert(write.longwords.size() <= CoreReference::kMostLongwords && "a write is one reference");
  Step step{at,
            {CoreReference::Direction::kWrite,
             write.space,
             write.address,
             static_cast<unsigned>(write.longwords.size()),
             {}}};
  std::copy(write.longwords.begin(), write.longwords.end(), step.reference.longwords.begin());
  ++counters_.references;
  counters_.longwords_written += write.longwords.size();
  return step;
}

// Odd while a link is written: a lookup that began before is over with what it read, and one that
// begins now leaves the cache alone. So no verdict of before is used after (a sequence lock).
simulator::CoreProgram::Step ControlPlane::write_version(Cycle at) {
  return write(at, {flow_version_->space, flow_version_->base, {++version_}});
}

simulator::CoreProgram::Step ControlPlane::complete(Cycle at) {
  const auto& reference = change_.completion[next_completion_];
  if (const auto* written = std::get_if<mappings::TableWrite>(&reference))
    return write(at, *written);
  const auto& read = std::get<mappings::TableRead>(reference);
  ++counters_.references;
  return {at, {CoreReference::Direction::kRead, read.space, read.address, 1, {}}};
}

simulator::CoreProgram::Step ControlPlane::read_readers(Cycle at) {
  ++counters_.references;
  return {at,
          {CoreReference::Direction::kRead, readers_.space, readers_.base, READERS_BYTES / 4, {}}};
}

void ControlPlane::written(Cycle at) {
  if (phase_ != Phase::kLink)
    return;
  const RuleUpdate& update = plan_.updates[next_update_];
  reference_.begin_change(update.rule, at.number());
  if (change_.completion.empty())
    reference_.end_change(update.rule, at.number());
  if (counters_.inserts + counters_.deletes == 0)
    counters_.first = at;
  ++(update.kind == RuleUpdate::Kind::kInsert ? counters_.inserts : counters_.deletes);
  counters_.last = at;
  counters_.total_latency += at - taken_up_;
  counters_.greatest_latency = std::max(counters_.greatest_latency, at - taken_up_);
}

void ControlPlane::completed(std::span<const std::uint32_t> longwords, Cycle at) {
  switch (phase_) {
    case Phase::kTakeUp: break;
    case Phase::kPrepare:
      if (++next_preparation_ == change_.preparation.size())
        phase_ = flow_version_ ? Phase::kOpen : Phase::kLink;
      break;
    case Phase::kOpen: phase_ = Phase::kLink; break;
    case Phase::kLink: go_on_after(0, at); break;
    case Phase::kComplete: go_on_after(next_completion_ + 1, at); break;
    case Phase::kClose: end_update(); break;
    case Phase::kFlip:
      epoch_ = 1 - epoch_;
      phase_ = Phase::kLookAgain;
      not_before_ = at;
      break;
    case Phase::kLook:
    case Phase::kLookAgain: look_at_readers(longwords, at); break;
  }
}

void ControlPlane::go_on_after(std::size_t completed, Cycle at) {
  next_completion_ = completed;
  if (completed < change_.completion.size()) {
    phase_ = Phase::kComplete;
    return;
  }
  if (completed != 0)
    reference_.end_change(plan_.updates[next_update_].rule, at.number());
  if (!flow_version_)
    return end_update();
  phase_ = Phase::kClose;
}

void ControlPlane::end_update() {
  unsettled_.push_back(next_update_++);
  is_taken_up_ = false;
  phase_ = Phase::kTakeUp;
}

// A lookup takes the epoch and counts itself in some time later, maybe in one that is no longer in
// use: so both are waited for, first the one not in use, into which few more can come.
void ControlPlane::look_at_readers(std::span<const std::uint32_t> readers, Cycle at) {
  const auto is_empty = [&](std::uint32_t epoch) {
    return readers[READERS_BEGUN(epoch) / 4] == readers[READERS_ENDED(epoch) / 4];
  };
  const bool unused_is_empty = is_empty(1 - epoch_);
  not_before_ = at + plan_.pace.poll_cycles;
  if (!unused_is_empty)
    return;
  if (phase_ == Phase::kLookAgain || is_empty(epoch_))
    return end_wait(at);
  phase_ = Phase::kFlip;
}

void ControlPlane::end_wait(Cycle at) {
  ++counters_.waits;
  counters_.wait_cycles += at - waits_from_;
  unsettled_.clear();
  tables_->reclaim();
  phase_ = Phase::kTakeUp;
}

}  // namespace nplab::experiments
