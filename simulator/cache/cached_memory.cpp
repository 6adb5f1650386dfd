// The way of a reference: queue, look-ups, performance. cache_transactions.cpp has what happens
// between the caches and the memory.
#include "simulator/cache/cached_memory.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"
#include "simulator/memory/reference_effect.h"

namespace nplab::simulator {
namespace {

bool is_read(const Command& command) {
  using isa::Operation;
  return command.operation == Operation::kSramRead || command.operation == Operation::kSdramRead ||
         command.operation == Operation::kScratchRead;
}

// Of an engine, and without effect on a lock.
bool is_write(const Command& command) {
  switch (command.operation) {
    case isa::Operation::kSramWrite: return !has_token(command, isa::Token::kUnlock);
    case isa::Operation::kSramBitWr:
    case isa::Operation::kSdramWrite:
    case isa::Operation::kScratchWrite:
    case isa::Operation::kScratchIncr:
    case isa::Operation::kScratchBitWr: return true;
    default: return false;
  }
}

}  // namespace

CachedMemory::CachedMemory(std::string memory, const CacheDescription& description,
                           unsigned engines, MemoryUnit& unit)
    : memory_(std::move(memory)),
      description_(description),
      unit_(unit),
      is_coherent_(description.sharing == CacheSharing::kPrivate) {
  for (unsigned i = 0; i < (is_coherent_ ? engines : 1); ++i)
    caches_.push_back(Cache{LineArray({description.lines, description.ways, description.replacement,
                                       description.seed + i}),
                            {},
                            {},
                            {},
                            Cycle::never(),
                            {}});
  unit_.put_behind(*this);
}

bool CachedMemory::has_room(const Command& command, Cycle at) {
  run(at);
  return command.issuer == Issuer::kCore ||
         caches_[cache_of(command)].waiting.size() < description_.queue;
}

Cycle CachedMemory::full_before(const Command& command) const {
  if (command.issuer == Issuer::kCore ||
      caches_[cache_of(command)].waiting.size() < description_.queue)
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
  Cache& cache = caches_[cache_of(command)];
  const auto [first, last] = lines_of(command);
  cache.waiting.push_back({command, at, Need::kNothing, first, last - first + 1, 0, 0});
  cache.look_at = std::min(cache.look_at, at);
}

std::pair<std::uint32_t, std::uint32_t> CachedMemory::lines_of(const Command& command) const {
  const bool is_block = command.operation == isa::Operation::kSramPush ||
                        command.operation == isa::Operation::kSramPop;
  const std::uint32_t bytes = is_block ? 4 : std::max(referred_bytes(command), 1u);
  return {command.address / description_.line_bytes,
          (command.address + bytes - 1) / description_.line_bytes};
}

Cycle CachedMemory::next_event() const {
  Cycle next = arrivals_.empty() ? Cycle::never() : arrivals_.front().at;
  for (const Cache& cache : caches_)
    next = std::min(next, cache.look_at);
  for (const Transaction& transaction : transactions_)
    if (is_grantable(transaction))
      next = std::min(next, std::max(transaction.ready, bus_free_));
  if (!outgoing_.empty())
    next = std::min(next, std::max(outgoing_.front().ready, way_free_));
  return next;
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
  std::erase_if(forwarded_, [at](const Forwarded& reference) { return reference.done <= at; });
  while (!arrivals_.empty() && arrivals_.front().at <= at) {
    const Arrival arrival = arrivals_.front();
    arrivals_.erase(arrivals_.begin());
    arrive(arrival, at);
  }
  if (const auto granted = next_transaction(at)) {
    const Transaction transaction = transactions_[*granted];
    transactions_.erase(transactions_.begin() + static_cast<std::ptrdiff_t>(*granted));
    bus_free_ = at + description_.bus_cycles;
    ++bus_.transactions;
    bus_.held_cycles += description_.bus_cycles;
    bus_.waited_cycles += at - transaction.ready;
    execute(transaction, at, description_.bus_latency);
  }
  for (unsigned number = 0; number < caches_.size(); ++number)
    if (caches_[number].look_at <= at)
      look_up(number, at);
  deliver_outgoing(at);
}

CachedMemory::Need CachedMemory::need_of(const Cache& cache, const Command& command) const {
  if (is_read(command))
    return Need::kShared;
  if (!is_write(command))
    return Need::kNothing;
  if (description_.write == WritePolicy::kThrough)
    return description_.write_allocate ? Need::kSharedThenMemory : Need::kNothing;
  if (description_.write_allocate)
    return Need::kModified;
  const auto [first, last] = lines_of(command);
  for (std::uint32_t line = first; line <= last; ++line)
    if (cache.lines.state(line) == LineState::kInvalid)
      return Need::kNothing;
  return Need::kModified;
}

// In the order of its thread.
bool CachedMemory::may_start(const Cache& cache, const Command& command, Need need) const {
  for (const Reference& before : cache.started)
    if (before.command.thread == command.thread &&
        (need != Need::kShared || before.need != Need::kShared))
      return false;
  return need == Need::kNothing ||
         std::none_of(forwarded_.begin(), forwarded_.end(),
                      [&](const Forwarded& before) { return before.thread == command.thread; });
}

Cycle CachedMemory::forwarded_until(ThreadId thread) const {
  Cycle until;
  for (const Forwarded& reference : forwarded_)
    if (reference.thread == thread)
      until = std::max(until, reference.done);
  return until;
}

void CachedMemory::look_up(unsigned number, Cycle at) {
  Cache& cache = caches_[number];
  cache.look_at = Cycle::never();
  Ports ports{description_.read_ports, description_.write_ports};
  for (Reference& reference : cache.started)
    if (go_on(number, reference, ports, at) == Progress::kNoPort)
      cache.look_at = at + 1;
  finish_ready(number, at);
  std::vector<ThreadId> held;  // threads whose first reference in the queue cannot start
  for (std::size_t i = 0; i < cache.waiting.size();) {
    Reference reference = cache.waiting[i];
    const ThreadId thread = reference.command.thread;
    const auto hold = [&](Cycle until) {
      cache.look_at = std::min(cache.look_at, until);
      held.push_back(thread);
      ++i;
    };
    if (std::find(held.begin(), held.end(), thread) != held.end()) {
      ++i;
      continue;
    }
    reference.need = need_of(cache, reference.command);
    if (reference.arrival > at) {
      hold(reference.arrival);
      continue;
    }
    if (!may_start(cache, reference.command, reference.need)) {
      // A look-up meanwhile must not forget when that is.
      const Cycle done = forwarded_until(thread);
      hold(done > at ? done : Cycle::never());
      continue;
    }
    Progress progress = Progress::kDone;
    if (reference.need != Need::kNothing) {
      progress = go_on(number, reference, ports, at);
      if (reference.looked_up == 0) {
        hold(progress == Progress::kNoPort ? at + 1 : Cycle::never());
        continue;
      }
    }
    cache.waiting.erase(cache.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    if (progress == Progress::kNoPort)
      cache.look_at = at + 1;
    if (reference.need == Need::kNothing) {
      finish(number, reference, at);
    } else {
      cache.started.push_back(reference);
      finish_ready(number, at);
    }
  }
}

void CachedMemory::finish_ready(unsigned number, Cycle at) {
  Cache& cache = caches_[number];
  std::vector<ThreadId> held;
  for (std::size_t i = 0; i < cache.started.size();) {
    const Reference reference = cache.started[i];
    const ThreadId thread = reference.command.thread;
    if (std::find(held.begin(), held.end(), thread) != held.end() ||
        reference.looked_up < reference.lines || reference.missing != 0) {
      held.push_back(thread);
      ++i;
      continue;
    }
    cache.started.erase(cache.started.begin() + static_cast<std::ptrdiff_t>(i));
    finish(number, reference, at);
    cache.look_at = std::min(cache.look_at, at + 1);
  }
}

CachedMemory::Progress CachedMemory::go_on(unsigned number, Reference& reference, Ports& ports,
                                           Cycle at) {
  unsigned& port = is_read(reference.command) ? ports.reads : ports.writes;
  while (reference.looked_up < reference.lines) {
    if (port == 0)
      return Progress::kNoPort;
    if (!look_up_line(number, reference, at))
      return Progress::kWaits;
    --port;
    ++reference.looked_up;
  }
  return Progress::kDone;
}

// Without another cache before the memory, a line that is there may be written.
bool CachedMemory::is_hit(Need need, LineState state) const {
  if (state == LineState::kInvalid)
    return false;
  return need != Need::kModified || state == LineState::kModified || !is_coherent_;
}

void CachedMemory::count(Cache& cache, const Reference& reference, bool hit) {
  CacheCounters& counters = cache.counters;
  if (is_read(reference.command))
    ++(hit ? counters.read_hits : counters.read_misses);
  else
    ++(hit ? counters.write_hits : counters.write_misses);
  (hit ? hits_by_word_ : misses_by_word_).add(BusUser(reference.command), 1);
}

bool CachedMemory::look_up_line(unsigned number, Reference& reference, Cycle at) {
  Cache& cache = caches_[number];
  const std::uint32_t line = reference.first_line + reference.looked_up;
  const bool to_own = reference.need == Need::kModified;
  if (is_hit(reference.need, cache.lines.state(line))) {
    cache.lines.use(line);
    count(cache, reference, true);
    return true;
  }
  const auto under_way = std::find_if(cache.misses.begin(), cache.misses.end(),
                                      [line](const Miss& miss) { return miss.line == line; });
  if (under_way != cache.misses.end()) {
    if (to_own && !under_way->to_own && is_coherent_)
      return false;
    ++cache.counters.merged;
  } else {
    if (cache.misses.size() == description_.misses)
      return false;
    cache.misses.push_back({line, to_own, false});
    request({to_own ? Kind::kOwn : Kind::kFetch, number, line, reference.command,
             at + description_.miss_latency});
  }
  count(cache, reference, false);
  reference.missing |= 1u << reference.looked_up;
  return true;
}

void CachedMemory::finish(unsigned number, const Reference& reference, Cycle at) {
  if (reference.need == Need::kShared || reference.need == Need::kModified)
    return perform_here(caches_[number], reference, at);
  if (reference.need == Need::kNothing && is_write(reference.command)) {
    Cache& cache = caches_[number];
    for (unsigned i = 0; i < reference.lines; ++i) {
      const std::uint32_t line = reference.first_line + i;
      const bool is_there = cache.lines.state(line) != LineState::kInvalid;
      count(cache, reference, is_there);
      if (is_there)
        cache.lines.use(line);
      else
        ++cache.counters.not_allocated;
    }
  }
  forward(number, reference.command, at);
}

void CachedMemory::perform_here(Cache& cache, const Reference& reference, Cycle at) {
  const Command& command = reference.command;
  for (unsigned i = 0; reference.need == Need::kModified && !is_coherent_ && i < reference.lines;
       ++i) {
    const std::uint32_t line = reference.first_line + i;
    if (cache.lines.state(line) == LineState::kShared)
      cache.lines.set_state(line, LineState::kModified);
  }
  Burst burst;
  const auto data = perform(command, unit_.storage(), *threads_, at, burst);
  const Cycles latency = is_read(command) ? description_.read_latency : description_.write_latency;
  ++cache.counters.references;
  unit_.complete_cached(command, data, at, at + latency);
}

void CachedMemory::forward(unsigned number, const Command& command, Cycle at) {
  forwarded_.push_back({command.thread});
  Command through = command;
  through.issuer = Issuer::kForwarded;
  request({Kind::kForward, number, 0, through, at + description_.miss_latency});
}

QueuedReferences CachedMemory::queued_references() const {
  QueuedReferences queued;
  for (const Cache& cache : caches_) {
    for (const Reference& reference : cache.waiting)
      queued.add(reference.command);
    for (const Reference& reference : cache.started)
      queued.add(reference.command);
  }
  for (const Transaction& transaction : transactions_)
    if (transaction.kind == Kind::kForward)
      queued.add(transaction.command);
  for (const Outgoing& outgoing : outgoing_)
    if (outgoing.command.issuer != Issuer::kCache)
      queued.add(outgoing.command);
  return queued;
}

void CachedMemory::describe_waiting(std::vector<std::string>& lines) const {
  const auto add = [&](const char* where, const Command& command) {
    lines.push_back(memory_ + " cache, " + where + ": " + to_text(command));
  };
  for (const Cache& cache : caches_) {
    for (const Reference& reference : cache.waiting)
      add("queue", reference.command);
    for (const Reference& reference : cache.started)
      add("waits for lines", reference.command);
  }
  for (const Transaction& transaction : transactions_)
    add("waits for the bus", transaction.command);
  for (const Outgoing& outgoing : outgoing_)
    add("on its way to memory", outgoing.command);
}

void CachedMemory::hash(StateHash& hash) const {
  for (const Cache& cache : caches_) {
    cache.lines.hash(hash);
    cache.counters.hash(hash);
    for (const Reference& reference : cache.waiting) {
      add_to(hash, reference.command);
      hash.add(reference.arrival);
    }
    for (const Reference& reference : cache.started) {
      add_to(hash, reference.command);
      hash.add(reference.looked_up);
      hash.add(reference.missing);
    }
    for (const Miss& miss : cache.misses) {
      hash.add(miss.line);
      hash.add(miss.to_own);
      hash.add(miss.was_held);
    }
  }
  for (const Transaction& transaction : transactions_) {
    hash.add(static_cast<std::uint64_t>(transaction.kind));
    hash.add(transaction.cache);
    hash.add(transaction.line);
    add_to(hash, transaction.command);
    hash.add(transaction.ready);
  }
  hash.add(bus_free_);
  hash.add_all(in_flight_);
  for (const Arrival& arrival : arrivals_) {
    hash.add(arrival.at);
    hash.add(arrival.cache);
    hash.add(arrival.line);
  }
  for (const Outgoing& outgoing : outgoing_) {
    add_to(hash, outgoing.command);
    hash.add(outgoing.ready);
  }
  hash.add(forwarded_.size());
  for (const Forwarded& reference : forwarded_) {
    hash.add(reference.thread.place());
    hash.add(reference.done);
  }
  bus_.hash(hash);
}

}  // namespace nplab::simulator
