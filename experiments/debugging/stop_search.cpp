#include "experiments/debugging/stop_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::uint32_t longword_at(const simulator::ChipParts& parts, const MemoryStop& stop) {
  const auto& storage = parts.storage(stop.space);
  return std::uint64_t{stop.address} + 4 <= storage.size() ? storage.peek(stop.address) : 0;
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
      engine.is_wanted.resize(program.image.words.size() + 1, false);
      for (const std::uint32_t word : stop.words)
        engine.is_wanted.at(word) = true;
    }
  }
  for (auto& [number, engine] : engines_) {
    engine.before = view.parts.engines[number]->snapshot();
    engine.executed_before = executed(number, engine, view);
  }
  for (const ChipStop& stop : stops_.chip)
    chip_before_.push_back(chip_state(stop, view));
  for (const MemoryStop& stop : stops_.memory)
    held_.push_back(longword_at(parts_, stop));
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
  for (std::size_t word = 0; word < std::min(counters.words.size(), engine.is_wanted.size());
       ++word)
    if (engine.is_wanted[word])
      executed += counters.words[word].executing;
  return executed;
}

StopSearch::ChipState StopSearch::chip_state(const ChipStop& stop, const View& view) const {
  ChipState state;
  switch (stop.kind) {
    case ChipStop::Kind::kMisclassified:
    case ChipStop::Kind::kVerdict: break;
    case ChipStop::Kind::kEngineIdle: {
      const auto engine = view.parts.engines.at(stop.number)->snapshot();
      state.idle = engine.idle;
      state.idle_for = engine.idle_for;
      break;
    }
    case ChipStop::Kind::kQueueFull:
    case ChipStop::Kind::kEntryTaken:
    case ChipStop::Kind::kEntryPut: {
      const DebugQueue& queue = target_.queues.at(stop.number);
      for (std::size_t i = 0; i < queue.rings; ++i) {
        const simulator::RingCounters& ring = view.rings.at(queue.first_ring + i);
        state.is_full = state.is_full || ring.entries() >= stop.limit;
        state.taken += ring.taken;
        state.put += ring.put;
      }
    }
  }
  return state;
}

// As a sentence, if it has come about between the two states.
std::optional<std::string> StopSearch::came_about(const ChipStop& stop, const ChipState& before,
                                                  const ChipState& after) const {
  const auto queue = [&] { return target_.queues.at(stop.number).name; };
  switch (stop.kind) {
    case ChipStop::Kind::kMisclassified:
    case ChipStop::Kind::kVerdict: break;
    case ChipStop::Kind::kQueueFull:
      if (after.is_full && !before.is_full)
        return fmt::format("queue {} holds {} entries", queue(), stop.limit);
      break;
    case ChipStop::Kind::kEntryTaken:
      if (after.taken != before.taken)
        return fmt::format("an entry was taken from queue {}: {} so far", queue(), after.taken);
      break;
    case ChipStop::Kind::kEntryPut:
      if (after.put != before.put)
        return fmt::format("an entry was put into queue {}: {} so far", queue(), after.put);
      break;
    case ChipStop::Kind::kEngineIdle:
      if (after.idle_for > stop.limit && before.idle_for <= stop.limit)
        return fmt::format("engine {} has idled for {} cycles", stop.number, after.idle_for);
      break;
  }
  return std::nullopt;
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
    for (const WordStop& stop : stops_.words)
      if (stop.engine == number && stop.context.value_or(context) == context &&
          std::binary_search(stop.words.begin(), stop.words.end(), word))
        add({view.now.number() - 1, stop.id, number, context, word, {}});
  }
  engine.before = after;
}

void StopSearch::look_at_queues_and_idleness(const View& view) {
  for (std::size_t i = 0; i < stops_.chip.size(); ++i) {
    const ChipState after = chip_state(stops_.chip[i], view);
    if (auto text = came_about(stops_.chip[i], chip_before_[i], after))
      add({view.now.number(), stops_.chip[i].id, {}, {}, {}, std::move(*text)});
    chip_before_[i] = after;
  }
}

void StopSearch::look_at_cycle(const View& view) {
  for (auto& [number, engine] : engines_)
    look_at_engine(number, engine, view);
  look_at_queues_and_idleness(view);
}

bool StopSearch::may_have_missed(const View& view) const {
  for (const auto& [number, engine] : engines_)
    if (executed(number, engine, view) != engine.executed_before)
      return true;
  for (std::size_t i = 0; i < stops_.chip.size(); ++i) {
    const ChipState &before = chip_before_[i], after = chip_state(stops_.chip[i], view);
    switch (stops_.chip[i].kind) {
      case ChipStop::Kind::kMisclassified:
      case ChipStop::Kind::kVerdict: break;
      case ChipStop::Kind::kQueueFull:
      case ChipStop::Kind::kEntryPut:
        if (after.put != before.put)
          return true;
        break;
      case ChipStop::Kind::kEntryTaken:
        if (after.taken != before.taken)
          return true;
        break;
      case ChipStop::Kind::kEngineIdle:
        if (before.idle_for + (after.idle - before.idle) > stops_.chip[i].limit)
          return true;
    }
  }
  return false;
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

bool StopSearch::matches(std::size_t number, const simulator::Command& command,
                         unsigned longwords) {
  const MemoryStop& stop = stops_.memory[number];
  const std::uint64_t first = command.address & ~std::uint64_t{3};
  const std::uint64_t end = first + 4 * std::max(longwords, 1u);
  if (space_of(command) != stop.space || first >= std::uint64_t{stop.address} + stop.bytes ||
      end <= stop.address)
    return false;
  const bool reads = only_reads(command.operation);
  switch (stop.access) {
    case MemoryAccess::kRead: return reads;
    case MemoryAccess::kWrite: return !reads;
    case MemoryAccess::kReadOrWrite: return true;
    case MemoryAccess::kLock: return command.operation == isa::Operation::kSramReadLock;
    case MemoryAccess::kChange: break;
  }
  const std::uint32_t before = std::exchange(held_[number], longword_at(parts_, stop));
  return before != held_[number];
}

void StopSearch::served(const simulator::Command& command, unsigned longwords, Cycle at, Cycle) {
  const bool by_engine = command.thread.engine.index() < parts_.engines.size();
  for (std::size_t i = 0; i < stops_.memory.size(); ++i) {
    if (!matches(i, command, longwords))
      continue;
    const MemoryStop& stop = stops_.memory[i];
    const char* act = only_reads(command.operation) ? "has read" : "has written";
    add({at.number() + 1, stop.id, command.thread.engine.index(), command.thread.context.index(),
         by_engine ? std::optional<std::uint32_t>(command.pc) : std::nullopt,
         fmt::format("{} {} {:#x}", simulator::to_text(command), act, stop.address)});
  }
}

}  // namespace nplab::experiments
