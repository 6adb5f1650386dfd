#include "simulator/match_engine/match_engine.h"

#include <algorithm>
#include <set>

namespace nplab::simulator::match {

MatchEngine::MatchEngine(const MatchDescription& description, isa::match::LookupProgram program,
                         isa::match::TableImage tables, RequestSource* packets,
                         RequestSource* updates, ResultSink& results)
    : program_(std::move(program)),
      wires_(description),
      sessions_(description.sessions),
      action_(program_, description, tables.size(), tables.overflow_used()),
      input_({.released = in(wires_.released),
              .again = in(wires_.again),
              .repeated = in(wires_.repeated),
              .to_hash = out(wires_.to_hash)},
             sessions_, action_, tables.size().home_slots, packets, updates),
      hasher_({.to_hash = in(wires_.to_hash), .to_cache = out(wires_.to_cache)}, sessions_,
              tables.size().home_slots),
      cache_({.to_cache = in(wires_.to_cache),
              .credits = in(wires_.credits),
              .writes = in(wires_.writes),
              .looked_up = out(wires_.looked_up),
              .written = out(wires_.written),
              .confirmed = out(wires_.confirmed),
              .evicted = out(wires_.evicted)},
             sessions_, description),
      memory_({.fetches = ins(wires_.fetches),
               .stores = ins(wires_.stores),
               .fetched = out(wires_.fetched),
               .stored = out(wires_.stored)},
              description, std::move(tables.memory())),
      loads_({.looked_up = in(wires_.looked_up),
              .written = in(wires_.written),
              .checked = in(wires_.checked),
              .fetched = in(wires_.fetched),
              .credits = out(wires_.credits),
              .checks = out(wires_.checks),
              .fetches = outs(wires_.fetches),
              .passes = out(wires_.passes),
              .repeated = out(wires_.repeated)},
             description, memory_.dram().mapping()),
      stores_({.evicted = in(wires_.evicted),
               .checks = in(wires_.checks),
               .stored = in(wires_.stored),
               .checked = out(wires_.checked),
               .stores = outs(wires_.stores)},
              description, memory_.dram().mapping()),
      actions_({.passes = in(wires_.passes),
                .confirmed = in(wires_.confirmed),
                .writes = out(wires_.writes),
                .again = out(wires_.again),
                .released = out(wires_.released)},
               sessions_, action_,
               description.cache.lines != 0 && description.cache.allocation == Allocation::kEvery,
               results),
      modules_{&input_, &hasher_, &cache_, &loads_, &stores_, &memory_, &actions_} {}

// While no session is under way nothing happens before the next request: what is left in the queue
// of stores, and the memory's refreshes, are caught up with.
void MatchEngine::run(Cycle end) {
  while (now_ < end) {
    if (is_idle()) {
      now_ = std::max(now_, std::min(end, input_.next_request()));
      last_progress_ = now_;
      if (now_ == end)
        return;
    }
    const std::uint64_t passes = actions_.counters().passes;
    work_through_cycle();
    if (observer_ != nullptr)
      observer_->cycle_done(*this, now_);
    ++now_;
    if (actions_.counters().passes != passes)
      last_progress_ = now_;
  }
}

void MatchEngine::work_through_cycle() {
  if (runner_ != nullptr)
    return runner_->work_through(now_);
  for (const unsigned module : order_)
    modules_[module]->step(now_);
}

bool MatchEngine::is_idle() const {
  return input_.is_idle() && stores_.is_idle() && loads_.is_idle() && actions_.is_idle() &&
         wires_.are_empty();
}

Entry MatchEngine::rule(Slot slot) const {
  if (const auto line = cache_.line(slot))
    return action_.with_state(slot, *line);
  const Entry* const stored = stores_.line(slot);
  return action_.with_state(slot, stored != nullptr ? *stored : memory_.contents().read(slot));
}

std::vector<Slot> MatchEngine::slots() const {
  std::set<Slot> slots;
  memory_.contents().for_each([&slots](Slot slot, const Entry&) { slots.insert(slot); });
  cache_.for_each([&slots](Slot slot) { slots.insert(slot); });
  return {slots.begin(), slots.end()};
}

void MatchEngine::describe_waiting(std::vector<std::string>& lines) const {
  for (const Module* module : modules_)
    module->describe_waiting(lines);
}

void MatchEngine::hash(StateHash& hash) {
  hash.add(now_);
  for (const Module* module : modules_)
    module->hash(hash);
  action_.hash(hash);
  for (unsigned tag = 0; tag < sessions_.size(); ++tag)
    sessions_[static_cast<Tag>(tag)].hash(hash);
  wires_.for_each([&hash](const char*, const char*, const char*, const auto& port) {
    hash.add(port.size());
    hash.add(port.next());
  });
}

}  // namespace nplab::simulator::match
