#include "simulator/memory/memory_unit.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/base/command_text.h"

namespace nplab::simulator {

Cycles MemoryUnit::active_cycles(Cycle end) const {
  Cycles beyond = 0;
  for (const Occupation& occupation : occupations_)
    if (occupation.to > end)
      beyond += occupation.to - std::max(occupation.from, end);
  return statistics_.active_cycles() - beyond;
}

CyclesByWord MemoryUnit::active_by_word(Cycle end) const {
  BusUse use = bus_use_;
  for (const Occupation& occupation : occupations_)
    if (occupation.to > end)
      use.take_back(occupation.user, occupation.to - std::max(occupation.from, end));
  return use.cycles();
}

void MemoryUnit::report_address(const Command& command, std::uint32_t alignment, Cycle at) {
  const bool misaligned = command.address % alignment != 0;
  fault(command, Fault::Kind::kIllegalReference,
        misaligned ? fmt::format("is not aligned to {} bytes", alignment)
                   : fmt::format("is outside the memory of {} bytes", storage_.size()),
        at);
}

void MemoryUnit::fault(const Command& command, Fault::Kind kind, std::string_view message,
                       Cycle at) {
  Fault fault;
  fault.kind = kind;
  fault.at = at;
  fault.thread = command.thread;
  fault.pc = command.pc;
  fault.message = fmt::format("{} {}", to_text(command), message);
  connections_.monitor->fault(std::move(fault));
}

// The end of a reference: its count, the observer, and the data and event of the thread.
void MemoryUnit::answer_thread(const Command& command, std::span<const std::uint32_t> data,
                               unsigned longwords, Cycle at, Cycle done) {
  statistics_.completed(done - command.issued, longwords);
  if (observer_ != nullptr)
    observer_->served(command, longwords, at, done);
  const auto event = static_cast<std::uint16_t>(completion_event(command.unit));
  if (data.empty() && !command.signals)
    return;
  connections_.threads->answer(
      command.thread,
      {command.unit, command.signals ? event : std::uint16_t{0}, command.transfer, data, done});
}

void MemoryUnit::complete(const Command& command, std::span<const std::uint32_t> data,
                          unsigned longwords, Cycle at, Cycle done) {
  if (command.issuer == Issuer::kEngine) [[likely]]
    areas_.count(command.address);
  else if (!notify_sender(command, done))
    return;
  answer_thread(command, data, longwords, at, done);
}

bool MemoryUnit::notify_sender(const Command& command, Cycle done) {
  if (command.issuer == Issuer::kCore)
    return true;
  cache_->served(command, now_, done);
  if (is_line(command))
    return false;
  areas_.count(command.address);
  return true;
}

bool MemoryUnit::admits(const Command& command, Cycle at) {
  const std::uint32_t unit = command.unit == isa::Unit::kSdram ? 8 : 4;
  return check_address(command, unit * command.count, unit, at);
}

void MemoryUnit::complete_cached(const Command& command, std::span<const std::uint32_t> data,
                                 Cycle at, Cycle done) {
  const unsigned longwords = moved_longwords(command.operation, command.count);
  areas_.count(command.address);
  note_read(command, done);
  answer_thread(command, data, longwords, at, done);
}

void MemoryUnit::forget_occupations() {
  std::erase_if(occupations_, [this](const Occupation& past) { return past.to <= now_; });
  many_occupations_ = std::max(many_occupations_, 2 * occupations_.size());
}

void MemoryUnit::hash_common(StateHash& hash) const {
  hash.add(next_decision_);
  hash.add(bus_free_);
  hash.add(storage_.contents_hash());
  statistics_.hash(hash);
}

}  // namespace nplab::simulator
