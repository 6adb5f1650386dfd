#include "experiments/debugging/stop_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/base/command_text.h"
#include "simulator/memory/reference_effect.h"

namespace nplab::experiments {
namespace {

using simulator::Cycle;

std::optional<isa::MemorySpace> space_of(const simulator::Command& command) {
  switch (command.unit) {
    case isa::Unit::kSram: return isa::MemorySpace::kSram;
    case isa::Unit::kSdram: return isa::MemorySpace::kSdram;
    case isa::Unit::kScratch: return isa::MemorySpace::kScratch;
    default: return std::nullopt;
  }
}

bool only_reads(isa::Operation operation) {
  using Operation = isa::Operation;
  return operation == Operation::kSramRead || operation == Operation::kSramReadLock ||
         operation == Operation::kScratchRead || operation == Operation::kSdramRead ||
         operation == Operation::kSdramTFifoWr;
}

}  // namespace

StopSearch::StopSearch(const DebugTarget& target, StopPoints stops, Order order, Bounds bounds,
                       const View& view)
    : target_(target),
      stops_(std::move(stops)),
      order_(order),
      parts_(view.parts),
      bounds_(bounds) {
  for (const DebugProgram& program : target.programs) {
    for (const WordStop& stop : stops_.words) {
      if (stop.engine != program.engine)
        continue;
      Engine& engine = engines_[stop.engine];
      for (unsigned context = 0; context < simulator::kMostContexts; ++context) {
        auto& ids = engine.stop_at[context];
        ids.resize(program.image.words.size() + 1, -1);
        if (stop.context.value_or(context) != context)
          continue;
        for (const std::uint32_t word : stop.words)
          ids.at(word) = stop.id;
      }
    }
  }
  for (auto& [number, engine] : engines_) {
    engine.before = view.parts.engines[number]->snapshot();
    engine.executed_before = executed(number, engine, view);
  }
  for (const ChipStop& stop : stops_.chip)
    full_before_.push_back(is_full(stop, view));
  if (!stops_.memory.empty())
    observe(this);
}

StopSearch::~StopSearch() {
  if (!stops_.memory.empty())
    observe(nullptr);
}

void StopSearch::observe(simulator::ReferenceObserver* observer) const {
  parts_.sram->observe(observer);
  parts_.sdram->observe(observer);
  parts_.scratch->observe(observer);
}

// How often the words were executed, of which some may only be stops of certain contexts.
std::uint64_t StopSearch::executed(unsigned number, const Engine& engine, const View& view) const {
  const auto counters = view.parts.engines[number]->counters();
  std::uint64_t executed = 0;
  for (std::size_t word = 0; word < std::min(counters.words.size(), engine.stop_at[0].size());
       ++word) {
    const bool wanted = std::any_of(engine.stop_at.begin(), engine.stop_at.end(),
                                    [word](const auto& ids) { return ids[word] >= 0; });
    if (wanted)
      executed += counters.words[word].executing;
  }
  return executed;
}

bool StopSearch::is_full(const ChipStop& stop, const View& view) const {
  if (stop.kind != ChipStop::Kind::kQueueFull)
    return false;
  const DebugQueue& queue = target_.queues.at(stop.number);
  for (std::size_t i = 0; i < queue.rings; ++i)
    if (view.rings.at(queue.first_ring + i).entries() >= stop.entries)
      return true;
  return false;
}

void StopSearch::add(Hit hit) {
  if (hit.at <= bounds_.after || hit.at >= bounds_.before)
    return;
  if (!hits_.empty() && hit.at != hits_.front().at) {
    const bool is_earlier = hit.at < hits_.front().at;
    if (is_earlier != (order_ == Order::kFirst))
      return;
    hits_.clear();
  }
  hits_.push_back(std::move(hit));
}

void StopSearch::look_at_engine(unsigned number, Engine& engine, const View& view) {
  const simulator::EngineSnapshot after = view.parts.engines[number]->snapshot();
  if (simulator::slot_use(engine.before, after) == simulator::SlotUse::kExecuted) {
    const unsigned context = after.context.index();
    const std::uint32_t word = engine.before.contexts[context].word;
    const auto& ids = engine.stop_at[context];
    if (word < ids.size() && ids[word] >= 0)
      add({view.now.number() - 1, ids[word], number, context, word, {}});
  }
  engine.before = after;
}

void StopSearch::look_at_queues(const View& view) {
  for (std::size_t i = 0; i < stops_.chip.size(); ++i) {
    const ChipStop& stop = stops_.chip[i];
    const bool full = is_full(stop, view);
    if (full && !full_before_[i]) {
      const DebugQueue& queue = target_.queues.at(stop.number);
      add({view.now.number(),
           stop.id,
           {},
           {},
           {},
           fmt::format("queue {} holds {} entries", queue.name, stop.entries)});
    }
    full_before_[i] = full;
  }
}

void StopSearch::look_at_cycle(const View& view) {
  for (auto& [number, engine] : engines_)
    look_at_engine(number, engine, view);
  look_at_queues(view);
}

bool StopSearch::may_have_missed(const View& view) const {
  const bool queues = std::any_of(stops_.chip.begin(), stops_.chip.end(), [](const ChipStop& stop) {
    return stop.kind == ChipStop::Kind::kQueueFull;
  });
  return queues || std::any_of(engines_.begin(), engines_.end(), [&](const auto& entry) {
           return executed(entry.first, entry.second, view) != entry.second.executed_before;
         });
}

void StopSearch::judged(std::uint64_t packet, const std::string& complaint,
                        simulator::ThreadId thread, Cycle at) {
  const unsigned engine = thread.engine.index(), context = thread.context.index();
  for (const ChipStop& stop : stops_.chip) {
    const bool wrong = stop.kind == ChipStop::Kind::kMisclassified && !complaint.empty();
    const bool reached = stop.kind == ChipStop::Kind::kVerdict && stop.number == packet;
    if (wrong)
      add({at.number() + 1, stop.id, engine, context, {}, complaint});
    if (reached)
      add({at.number() + 1,
           stop.id,
           engine,
           context,
           {},
           fmt::format("packet {} has its verdict", packet)});
  }
}

void StopSearch::served(const simulator::Command& command, unsigned longwords, Cycle at, Cycle) {
  const auto space = space_of(command);
  const bool reads = only_reads(command.operation);
  const std::uint64_t first = command.address & ~std::uint64_t{3};
  const std::uint64_t end = first + 4 * std::max(longwords, 1u);
  for (const MemoryStop& stop : stops_.memory) {
    if (space != stop.space || (reads ? !stop.reads : !stop.writes) ||
        first >= std::uint64_t{stop.address} + stop.bytes || end <= stop.address)
      continue;
    const bool by_engine = command.thread.engine.index() < parts_.engines.size();
    add({at.number() + 1, stop.id, command.thread.engine.index(), command.thread.context.index(),
         by_engine ? std::optional<std::uint32_t>(command.pc) : std::nullopt,
         fmt::format("{} {} {:#x}", simulator::to_text(command), reads ? "has read" : "has written",
                     stop.address)});
  }
}

}  // namespace nplab::experiments
