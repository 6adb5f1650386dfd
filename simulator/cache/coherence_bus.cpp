#include "simulator/cache/coherence_bus.h"

#include <algorithm>

#include "simulator/base/command_text.h"
#include "simulator/cache/cache_reference.h"

namespace nplab::simulator {

using Kind = Transaction::Kind;

bool CoherenceBus::is_in_flight(std::uint32_t line) const {
  return std::find(in_flight_.begin(), in_flight_.end(), line) != in_flight_.end();
}

bool CoherenceBus::is_grantable(const Transaction& transaction) const {
  switch (transaction.kind) {
    case Kind::kWriteBack: return true;
    case Kind::kFetch:
    case Kind::kOwn: return !is_in_flight(transaction.line);
    case Kind::kForward: break;
  }
  const LineSpan lines = lines_of(transaction.command, line_bytes_);
  for (std::uint32_t line = lines.first; line <= lines.last; ++line)
    if (is_in_flight(line))
      return false;
  return true;
}

Cycle CoherenceBus::next_grant() const {
  Cycle next = Cycle::never();
  for (const Transaction& transaction : waiting_)
    if (is_grantable(transaction))
      next = std::min(next, std::max(transaction.ready, free_));
  return next;
}

std::optional<Transaction> CoherenceBus::grant(Cycle at) {
  if (at < free_)
    return std::nullopt;
  const auto next =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const Transaction& transaction) {
        return transaction.ready <= at && is_grantable(transaction);
      });
  if (next == waiting_.end())
    return std::nullopt;
  const Transaction granted = *next;
  waiting_.erase(next);
  free_ = at + cycles_;
  return granted;
}

void CoherenceBus::land(std::uint32_t line) {
  in_flight_.erase(std::find(in_flight_.begin(), in_flight_.end(), line));
}

void CoherenceBus::hash(StateHash& hash) const {
  for (const Transaction& transaction : waiting_) {
    hash.add(static_cast<std::uint64_t>(transaction.kind));
    hash.add(transaction.cache);
    hash.add(transaction.line);
    add_to(hash, transaction.command);
    hash.add(transaction.ready);
  }
  hash.add(free_);
  hash.add_all(in_flight_);
}

}  // namespace nplab::simulator
