// What happens between the caches and the memory: the bus, its transactions, lines that come and
// go.
#include <algorithm>
#include <cassert>

#include "simulator/cache/cached_memory.h"

namespace nplab::simulator {
namespace {

struct LineOperations {
  isa::Operation read;
  isa::Operation write;
  std::uint32_t bytes;  // that the unit counts by
};

LineOperations operations_of(isa::Unit unit) {
  using isa::Operation;
  switch (unit) {
    case isa::Unit::kSram: return {Operation::kSramRead, Operation::kSramWrite, 4};
    case isa::Unit::kSdram: return {Operation::kSdramRead, Operation::kSdramWrite, 8};
    default: return {Operation::kScratchRead, Operation::kScratchWrite, 4};
  }
}

// What a forwarded reference does to the memory's contents.
enum class Effect { kNone, kReads, kWrites };
Effect effect_of(isa::Operation operation) {
  using isa::Operation;
  switch (operation) {
    case Operation::kSramUnlock:
    case Operation::kSramPop: return Effect::kNone;  // its address is the memory's
    case Operation::kSramRead:
    case Operation::kSramReadLock:
    case Operation::kSdramRead:
    case Operation::kSdramTFifoWr:
    case Operation::kScratchRead: return Effect::kReads;
    default: return Effect::kWrites;
  }
}

}  // namespace

// One cache alone has no bus to wait for.
void CachedMemory::request(const Transaction& transaction) {
  if (is_coherent_)
    transactions_.push_back(transaction);
  else
    execute(transaction, transaction.ready, 0);
}

bool CachedMemory::is_grantable(const Transaction& transaction) const {
  const auto is_in_flight = [this](std::uint32_t line) {
    return std::find(in_flight_.begin(), in_flight_.end(), line) != in_flight_.end();
  };
  switch (transaction.kind) {
    case Kind::kWriteBack: return true;
    case Kind::kFetch:
    case Kind::kOwn: return !is_in_flight(transaction.line);
    case Kind::kForward: break;
  }
  const auto [first, last] = lines_of(transaction.command);
  for (std::uint32_t line = first; line <= last; ++line)
    if (is_in_flight(line))
      return false;
  return true;
}

// The first that is ready, if the bus is free.
std::optional<std::size_t> CachedMemory::next_transaction(Cycle at) const {
  if (at < bus_free_)
    return std::nullopt;
  for (std::size_t i = 0; i < transactions_.size(); ++i)
    if (transactions_[i].ready <= at && is_grantable(transactions_[i]))
      return i;
  return std::nullopt;
}

void CachedMemory::execute(const Transaction& transaction, Cycle at, Cycles latency) {
  const Command& command = transaction.command;
  switch (transaction.kind) {
    case Kind::kFetch:
    case Kind::kOwn: return fetch(transaction, at, latency);
    case Kind::kWriteBack:
      return write_back(transaction.cache, transaction.line, command, at + latency);
    case Kind::kForward: break;
  }
  // What an engine writes past its cache the cache's own copy gets, too.
  const Effect effect = effect_of(command.operation);
  const bool is_own = command.issuer == Issuer::kForwarded && effect == Effect::kWrites &&
                      command.operation != isa::Operation::kSdramRFifoRd;
  const auto [first, last] = lines_of(command);
  for (std::uint32_t line = first; effect != Effect::kNone && line <= last; ++line)
    take_from_others(is_own ? std::optional(transaction.cache) : std::nullopt, line,
                     effect == Effect::kWrites ? Loss::kAll : Loss::kOwnership, command,
                     at + latency);
  send(command, at + latency);
}

void CachedMemory::fetch(const Transaction& transaction, Cycle at, Cycles latency) {
  const unsigned number = transaction.cache;
  const std::uint32_t line = transaction.line;
  Cache& cache = caches_[number];
  const bool to_own = transaction.kind == Kind::kOwn;
  bool is_supplied = false;
  if (is_coherent_) {
    in_flight_.push_back(line);
    is_supplied = take_from_others(number, line, to_own ? Loss::kAll : Loss::kOwnership,
                                   transaction.command, at + latency);
  }
  // It may have been taken away while the transaction waited; then it comes anew.
  if (cache.lines.state(line) != LineState::kInvalid) {
    cache.lines.set_state(line, LineState::kModified);
    std::find_if(cache.misses.begin(), cache.misses.end(), [line](const Miss& miss) {
      return miss.line == line;
    })->was_held = true;
    return add_arrival({at + latency, number, line});
  }
  if (!is_supplied)
    return send_line(operations_of(transaction.command.unit).read, number, line,
                     transaction.command, at + latency);
  ++cache.counters.from_caches;
  add_arrival({at + latency + description_.intervention_latency, number, line});
}

bool CachedMemory::take_from_others(std::optional<unsigned> keeps, std::uint32_t line, Loss loss,
                                    const Command& cause, Cycle ready) {
  bool was_modified = false;
  for (unsigned number = 0; number < caches_.size(); ++number) {
    Cache& cache = caches_[number];
    const LineState state = cache.lines.state(line);
    if (number == keeps || state == LineState::kInvalid)
      continue;
    if (state == LineState::kModified) {
      was_modified = true;
      write_back(number, line, cause, ready);
    }
    if (loss == Loss::kAll) {
      cache.lines.set_state(line, LineState::kInvalid);
      ++cache.counters.invalidated;
    } else {
      cache.lines.set_state(line, LineState::kShared);
    }
  }
  return was_modified;
}

void CachedMemory::write_back(unsigned cache, std::uint32_t line, const Command& cause,
                              Cycle ready) {
  ++caches_[cache].counters.written_back;
  send_line(operations_of(cause.unit).write, cache, line, cause, ready);
}

void CachedMemory::send_line(isa::Operation operation, unsigned cache, std::uint32_t line,
                             const Command& cause, Cycle ready) {
  const LineOperations operations = operations_of(cause.unit);
  ++(operation == operations.read ? bus_.lines_to_read : bus_.lines_to_write);
  Command command = cause;
  command.operation = operation;
  command.function = 0;
  command.address = line * description_.line_bytes;
  command.count = static_cast<std::uint8_t>(description_.line_bytes / operations.bytes);
  command.tokens = 0;
  command.signals = false;
  command.byte_mask = 0xff;
  command.data = cache;
  command.issuer = Issuer::kCache;
  if (cause.issuer == Issuer::kCore)
    command.thread.engine = kNoEngine;
  send(command, ready);
}

void CachedMemory::send(const Command& command, Cycle ready) {
  outgoing_.push_back({command, ready});
}

// One command per cycle; one without room holds those after it.
void CachedMemory::deliver_outgoing(Cycle at) {
  if (outgoing_.empty() || outgoing_.front().ready > at || way_free_ > at)
    return;
  const Command command = outgoing_.front().command;
  way_free_ = at + 1;
  if (!unit_.has_room(command, at)) {
    way_free_ = std::max(way_free_, unit_.full_before(command));
    return;
  }
  outgoing_.pop_front();
  unit_.deliver(command, at);
}

void CachedMemory::served(const Command& command, Cycle /*at*/, Cycle done) {
  if (command.issuer == Issuer::kForwarded) {
    std::find_if(forwarded_.begin(), forwarded_.end(), [&](const Forwarded& reference) {
      return reference.thread == command.thread && reference.done == Cycle::never();
    })->done = done;
    Cache& cache = caches_[cache_of(command)];
    ++cache.counters.forwarded;
    cache.look_at = std::min(cache.look_at, done);
    return;
  }
  if (command.operation != operations_of(command.unit).read) {
    ++bus_.lines_written;
    return;
  }
  ++bus_.lines_read;
  add_arrival({done, command.data, command.address / description_.line_bytes});
}

void CachedMemory::add_arrival(const Arrival& arrival) {
  const auto later = std::find_if(arrivals_.begin(), arrivals_.end(),
                                  [&](const Arrival& other) { return other.at > arrival.at; });
  arrivals_.insert(later, arrival);
}

void CachedMemory::arrive(const Arrival& arrival, Cycle at) {
  Cache& cache = caches_[arrival.cache];
  const auto found = std::find_if(cache.misses.begin(), cache.misses.end(),
                                  [&](const Miss& miss) { return miss.line == arrival.line; });
  assert(found != cache.misses.end() && "a line comes that nobody asked for");
  const Miss miss = *found;
  cache.misses.erase(found);
  if (is_coherent_)
    in_flight_.erase(std::find(in_flight_.begin(), in_flight_.end(), miss.line));
  if (miss.was_held) {
    ++cache.counters.upgraded;
  } else {
    ++cache.counters.fetched;
    const bool is_own = miss.to_own && is_coherent_;
    const auto replaced =
        cache.lines.insert(miss.line, is_own ? LineState::kModified : LineState::kShared);
    if (replaced)
      ++cache.counters.replaced;
    if (replaced && replaced->state == LineState::kModified)
      request({Kind::kWriteBack, arrival.cache, replaced->line, cause_of(cache, miss.line), at});
  }
  for (Reference& reference : cache.started) {
    const std::uint32_t place = miss.line - reference.first_line;
    if (place < reference.lines)
      reference.missing &= ~(1u << place);
  }
  finish_ready(arrival.cache, at);
  cache.look_at = std::min(cache.look_at, at);
}

// The reference for which the line came.
const Command& CachedMemory::cause_of(const Cache& cache, std::uint32_t line) {
  const auto waits = [line](const Reference& reference) {
    const std::uint32_t place = line - reference.first_line;
    return place < reference.lines && (reference.missing >> place & 1) != 0;
  };
  const auto cause = std::find_if(cache.started.begin(), cache.started.end(), waits);
  assert(cause != cache.started.end() && "a line comes for a reference");
  return cause->command;
}

}  // namespace nplab::simulator
