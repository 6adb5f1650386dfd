#include "simulator/cache/cached_memory.h"

#include <algorithm>
#include <utility>

#include "simulator/base/command_text.h"
#include "simulator/memory/reference_effect.h"

namespace nplab::simulator {
namespace {

using Kind = Transaction::Kind;

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

CachedMemory::CachedMemory(std::string memory, const CacheDescription& description,
                           unsigned engines, MemoryUnit& unit)
    : memory_(std::move(memory)),
      description_(description),
      unit_(unit),
      is_coherent_(description.sharing == CacheSharing::kPrivate),
      bus_(description.bus_cycles, description.line_bytes),
      way_(unit) {
  for (unsigned i = 0; i < (is_coherent_ ? engines : 1); ++i)
    caches_.emplace_back(
        i, Cache::Surroundings{description_, is_coherent_, *this, forwarded_, by_word_});
  unit_.put_behind(*this);
}

bool CachedMemory::has_room(const Command& command, Cycle at) {
  run(at);
  return command.issuer == Issuer::kCore || caches_[cache_of(command)].has_room();
}

Cycle CachedMemory::full_before(const Command& command) const {
  if (command.issuer == Issuer::kCore || caches_[cache_of(command)].has_room())
    return Cycle();
  return std::min(next_event(), unit_.next_decision()) + 1;
}

// The cache's queue is charged to the queue of the memory that the command is for.
UnitQueue::Refusal CachedMemory::refusal(const Command& command) const {
  return {unit_.refusal(command).queue, full_before(command)};
}

void CachedMemory::deliver(const Command& command, Cycle at) {
  if (command.issuer == Issuer::kCore)
    return request({Kind::kForward, 0, 0, command, at});
  if ((is_read(command) || is_write(command)) && !unit_.admits(command, at))
    return;
  caches_[cache_of(command)].take(command, at);
}

Cycle CachedMemory::next_event() const {
  Cycle next = arrivals_.empty() ? Cycle::never() : arrivals_.front().at;
  for (const Cache& cache : caches_)
    next = std::min(next, cache.next_look_up());
  return std::min({next, bus_.next_grant(), way_.next_delivery()});
}

// Caches and memory take turns in the order of their cycles: what either does reaches the other in
// a later one.
void CachedMemory::run(Cycle horizon) {
  for (;;) {
    const Cycle own = next_event();
    if (unit_.next_decision() < std::min(own, horizon)) {
      unit_.run(unit_.next_decision() + 1);
      continue;
    }
    if (own >= horizon)
      return;
    process(own);
  }
}

Cycle CachedMemory::earliest_answer(Cycle arrival) const {
  const Cycle sooner = std::min(arrival, next_event());
  return std::min(sooner + std::min(description_.read_latency, description_.write_latency),
                  unit_.earliest_answer(sooner));
}

void CachedMemory::process(Cycle at) {
  forwarded_.forget_done(at);
  while (!arrivals_.empty() && arrivals_.front().at <= at) {
    const Arrival arrival = arrivals_.front();
    arrivals_.erase(arrivals_.begin());
    if (is_coherent_)
      bus_.land(arrival.line);
    caches_[arrival.cache].arrive(arrival.line, at);
  }
  if (const auto granted = bus_.grant(at)) {
    ++counters_.transactions;
    counters_.held_cycles += description_.bus_cycles;
    counters_.waited_cycles += at - granted->ready;
    execute(*granted, at, description_.bus_latency);
  }
  for (Cache& cache : caches_)
    if (cache.next_look_up() <= at)
      cache.look_up(at);
  way_.deliver(at);
}

// One cache alone has no bus to wait for.
void CachedMemory::request(const Transaction& transaction) {
  if (is_coherent_)
    bus_.add(transaction);
  else
    execute(transaction, transaction.ready, 0);
}

void CachedMemory::perform(const Command& command, Cycle at) {
  Burst burst;
  const auto data = simulator::perform(command, unit_.storage(), *threads_, at, burst);
  const Cycles latency = is_read(command) ? description_.read_latency : description_.write_latency;
  unit_.complete_cached(command, data, at, at + latency);
}

void CachedMemory::execute(const Transaction& transaction, Cycle at, Cycles latency) {
  switch (transaction.kind) {
    case Kind::kFetch:
    case Kind::kOwn: return fetch(transaction, at, latency);
    case Kind::kWriteBack:
      return write_back(transaction.cache, transaction.line, transaction.command, at + latency);
    case Kind::kForward: return forward(transaction, at + latency);
  }
}

void CachedMemory::fetch(const Transaction& transaction, Cycle at, Cycles latency) {
  const unsigned number = transaction.cache;
  const std::uint32_t line = transaction.line;
  Cache& cache = caches_[number];
  bool is_supplied = false;
  if (is_coherent_) {
    bus_.take_off(line);
    const auto loss = transaction.kind == Kind::kOwn ? Cache::Loss::kAll : Cache::Loss::kOwnership;
    is_supplied = take_from_others(number, line, loss, transaction.command, at + latency);
  }
  // It may have been taken away while the transaction waited; then it comes anew.
  if (cache.state(line) != LineState::kInvalid) {
    cache.keep_as_own(line);
    return add_arrival({at + latency, number, line});
  }
  if (!is_supplied)
    return send_line(operations_of(transaction.command.unit).read, number, line,
                     transaction.command, at + latency);
  ++cache.counters().from_caches;
  add_arrival({at + latency + description_.intervention_latency, number, line});
}

// What an engine writes past its cache the cache's own copy gets, too.
void CachedMemory::forward(const Transaction& transaction, Cycle ready) {
  const Command& command = transaction.command;
  const Effect effect = effect_of(command.operation);
  const bool is_own = command.issuer == Issuer::kForwarded && effect == Effect::kWrites &&
                      command.operation != isa::Operation::kSdramRFifoRd;
  const auto keeps = is_own ? std::optional(transaction.cache) : std::nullopt;
  const auto loss = effect == Effect::kWrites ? Cache::Loss::kAll : Cache::Loss::kOwnership;
  const LineSpan lines = lines_of(command, description_.line_bytes);
  for (std::uint32_t line = lines.first; effect != Effect::kNone && line <= lines.last; ++line)
    take_from_others(keeps, line, loss, command, ready);
  way_.send(command, ready);
}

bool CachedMemory::take_from_others(std::optional<unsigned> keeps, std::uint32_t line,
                                    Cache::Loss loss, const Command& cause, Cycle ready) {
  bool was_modified = false;
  for (unsigned number = 0; number < caches_.size(); ++number) {
    Cache& cache = caches_[number];
    const LineState state = cache.state(line);
    if (number == keeps || state == LineState::kInvalid)
      continue;
    if (state == LineState::kModified) {
      was_modified = true;
      write_back(number, line, cause, ready);
    }
    cache.lose(line, loss);
  }
  return was_modified;
}

void CachedMemory::write_back(unsigned cache, std::uint32_t line, const Command& cause,
                              Cycle ready) {
  ++caches_[cache].counters().written_back;
  send_line(operations_of(cause.unit).write, cache, line, cause, ready);
}

void CachedMemory::send_line(isa::Operation operation, unsigned cache, std::uint32_t line,
                             const Command& cause, Cycle ready) {
  const LineOperations operations = operations_of(cause.unit);
  ++(operation == operations.read ? counters_.lines_to_read : counters_.lines_to_write);
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
  way_.send(command, ready);
}

void CachedMemory::served(const Command& command, Cycle /*at*/, Cycle done) {
  if (command.issuer == Issuer::kForwarded) {
    forwarded_.served(command.thread, done);
    Cache& cache = caches_[cache_of(command)];
    ++cache.counters().forwarded;
    cache.look_up_from(done);
    return;
  }
  if (command.operation != operations_of(command.unit).read) {
    ++counters_.lines_written;
    return;
  }
  ++counters_.lines_read;
  add_arrival({done, command.data, command.address / description_.line_bytes});
}

void CachedMemory::add_arrival(const Arrival& arrival) {
  const auto later = std::find_if(arrivals_.begin(), arrivals_.end(),
                                  [&](const Arrival& other) { return other.at > arrival.at; });
  arrivals_.insert(later, arrival);
}

QueuedReferences CachedMemory::queued_references() const {
  QueuedReferences queued;
  for (const Cache& cache : caches_) {
    for (const CacheReference& reference : cache.waiting())
      queued.add(reference.command);
    for (const CacheReference& reference : cache.started())
      queued.add(reference.command);
  }
  for (const Transaction& transaction : bus_.waiting())
    if (transaction.kind == Kind::kForward)
      queued.add(transaction.command);
  for (const MemoryWay::Outgoing& outgoing : way_.outgoing())
    if (outgoing.command.issuer != Issuer::kCache)
      queued.add(outgoing.command);
  return queued;
}

void CachedMemory::describe_waiting(std::vector<std::string>& lines) const {
  const auto add = [&](const char* where, const Command& command) {
    lines.push_back(memory_ + " cache, " + where + ": " + to_text(command));
  };
  for (const Cache& cache : caches_) {
    for (const CacheReference& reference : cache.waiting())
      add("queue", reference.command);
    for (const CacheReference& reference : cache.started())
      add("waits for lines", reference.command);
  }
  for (const Transaction& transaction : bus_.waiting())
    add("waits for the bus", transaction.command);
  for (const MemoryWay::Outgoing& outgoing : way_.outgoing())
    add("on its way to memory", outgoing.command);
}

void CachedMemory::hash(StateHash& hash) const {
  for (const Cache& cache : caches_)
    cache.hash(hash);
  bus_.hash(hash);
  for (const Arrival& arrival : arrivals_) {
    hash.add(arrival.at);
    hash.add(arrival.cache);
    hash.add(arrival.line);
  }
  way_.hash(hash);
  forwarded_.hash(hash);
  counters_.hash(hash);
}

}  // namespace nplab::simulator
