#include "simulator/match_engine/action_pipeline.h"

#include <fmt/format.h>
#include <algorithm>
#include <cassert>

namespace nplab::simulator::match {

ActionPipeline::ActionPipeline(const Ends& ends, SessionStorage& sessions, Action& action,
                               bool fills_cache, ResultSink& results)
    : ends_(ends),
      sessions_(sessions),
      action_(action),
      fills_cache_(fills_cache),
      results_(results) {}

bool ActionPipeline::is_idle() const {
  return unconfirmed_.empty() &&
         std::none_of(stages_.begin(), stages_.end(), [](const auto& stage) { return stage; });
}

// From the last stage to the first: each moves on where the one after it is free.
void ActionPipeline::step(Cycle now) {
  if (ends_.confirmed.empty() && ends_.passes.empty() && is_idle())
    return;
  take_confirmations(now);
  confirm(now);
  for (unsigned stage = kConfirm; stage-- > kWrite + 1;)
    advance(stage);
  if (!write(now)) {
    ++counters_.held_cycles;
    return;
  }
  advance(kWrite);
  update();
  for (unsigned stage = kWrite; stage-- > kReceive;)
    advance(stage);
  if (ends_.passes.front(now) != nullptr)
    stages_[kReceive] = Stage{ends_.passes.take(now), {}, 0};
}

void ActionPipeline::advance(unsigned from) {
  if (!stages_[from] || stages_[from + 1])
    return;
  stages_[from + 1] = stages_[from];
  stages_[from].reset();
}

// A confirmed line is in the cache and in the load queue's places; here it goes to the sessions
// that left the load queue before.
void ActionPipeline::take_confirmations(Cycle now) {
  if (ends_.confirmed.front(now) == nullptr)
    return;
  const LineWrite write = ends_.confirmed.take(now);
  const auto supply = [&write](Pass& pass) {
    if (pass.slot == write.slot)
      pass.line = write.line;
  };
  ends_.passes.for_each_sent_before(now, supply);
  for (unsigned stage = kReceive; stage <= kUpdate; ++stage)
    if (stages_[stage])
      supply(stages_[stage]->pass);
  if (!write.is_changed)
    return;
  assert(!unconfirmed_.empty() && unconfirmed_.front().number == write.number &&
         "lines are confirmed in the order in which they were written");
  unconfirmed_.erase(unconfirmed_.begin());
}

void ActionPipeline::update() {
  if (!stages_[kUpdate])
    return;
  Stage& stage = *stages_[kUpdate];
  const auto newest =
      std::find_if(unconfirmed_.rbegin(), unconfirmed_.rend(),
                   [&stage](const Unconfirmed& one) { return one.slot == stage.pass.slot; });
  if (newest != unconfirmed_.rend()) {
    stage.pass.line = newest->line;
    ++counters_.forwarded;
  }
  stage.acted = action_.act(sessions_[stage.pass.tag], stage.pass.line);
  if (stage.acted.changes_line) {
    stage.number = next_number_++;
    unconfirmed_.push_back({stage.pass.slot, stage.pass.line, stage.number});
  }
  ++counters_.passes;
}

// False: the cache has no room.
bool ActionPipeline::write(Cycle now) {
  if (!stages_[kWrite])
    return true;
  const Stage& stage = *stages_[kWrite];
  const bool is_changed = stage.acted.changes_line;
  if (!is_changed && (!fills_cache_ || !stage.pass.from_memory))
    return true;
  if (!ends_.writes.has_room(now))
    return false;
  ends_.writes.send({stage.pass.slot, stage.pass.line, is_changed, stage.number}, now);
  return true;
}

void ActionPipeline::confirm(Cycle now) {
  if (!stages_[kConfirm])
    return;
  const Stage stage = *stages_[kConfirm];
  stages_[kConfirm].reset();
  Session& session = sessions_[stage.pass.tag];
  if (stage.acted.then == Then::kAgain)
    return ends_.again.send(stage.pass.tag, now);
  const bool is_lookup = session.request.kind == RequestKind::kLookup;
  ++(is_lookup ? counters_.finished_lookups : counters_.finished_updates);
  counters_.matches += is_lookup && stage.acted.outcome == Outcome::kMatched ? 1 : 0;
  results_.finished({session.request.kind, session.request.number, stage.acted.outcome,
                     stage.acted.entry, session.request.arrival, now, session.references});
  ends_.released.send(stage.pass.tag, now);
}

void ActionPipeline::describe_waiting(std::vector<std::string>& lines) const {
  static constexpr std::array<const char*, kActionStages> kNames = {
      "receive", "compare", "update", "write", "forward", "forward", "forward", "confirm"};
  for (unsigned i = 0; i < kActionStages; ++i)
    if (stages_[i])
      lines.push_back(fmt::format("action pipeline: tag {} with slot {} is in stage {} ({})",
                                  stages_[i]->pass.tag, stages_[i]->pass.slot, i + 1, kNames[i]));
}

void ActionPipeline::hash(StateHash& hash) const {
  for (const auto& stage : stages_) {
    hash.add(stage ? stage->pass.tag + 1u : 0u);
    if (stage)
      hash.add_all(std::array<std::uint64_t, 2>{stage->pass.slot, stage->pass.line.packets});
  }
  for (const Unconfirmed& one : unconfirmed_)
    hash.add_all(std::array<std::uint64_t, 3>{one.slot, one.line.packets, one.number});
  counters_.hash(hash);
}

}  // namespace nplab::simulator::match
