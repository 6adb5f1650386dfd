#include "simulator/cache/cache.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"

namespace nplab::simulator {

Cache::Cache(unsigned number, const Surroundings& around)
    : number_(number),
      around_(around),
      lines_({around.description.lines, around.description.ways, around.description.replacement,
              around.description.seed + number}) {}

bool Cache::has_room() const {
  return waiting_.size() < around_.description.queue;
}

void Cache::take(const Command& command, Cycle at) {
  waiting_.emplace_back(command, at, around_.description.line_bytes);
  look_up_from(at);
}

Need Cache::need_of(const Command& command) const {
  const CacheDescription& description = around_.description;
  if (is_read(command))
    return Need::kShared;
  if (!is_write(command))
    return Need::kNothing;
  if (description.write == WritePolicy::kThrough)
    return description.write_allocate ? Need::kSharedThenMemory : Need::kNothing;
  if (description.write_allocate)
    return Need::kModified;
  const LineSpan lines = lines_of(command, description.line_bytes);
  for (std::uint32_t line = lines.first; line <= lines.last; ++line)
    if (lines_.state(line) == LineState::kInvalid)
      return Need::kNothing;
  return Need::kModified;
}

bool Cache::may_start(const Command& command, Need need) const {
  for (const CacheReference& before : started_)
    if (before.command.thread == command.thread &&
        (need != Need::kShared || before.need != Need::kShared))
      return false;
  return need == Need::kNothing || !around_.forwarded.any_of(command.thread);
}

void Cache::look_up(Cycle at) {
  look_at_ = Cycle::never();
  Ports ports{around_.description.read_ports, around_.description.write_ports};
  for (CacheReference& reference : started_)
    if (go_on(reference, ports, at) == Progress::kNoPort)
      look_at_ = at + 1;
  finish_ready(at);
  std::vector<ThreadId> held;  // threads whose first reference in the queue cannot start
  for (std::size_t i = 0; i < waiting_.size();) {
    CacheReference reference = waiting_[i];
    if (std::find(held.begin(), held.end(), reference.command.thread) != held.end()) {
      ++i;
      continue;
    }
    Progress progress = Progress::kDone;
    if (const auto again = start(reference, ports, at, progress)) {
      look_up_from(*again);
      held.push_back(reference.command.thread);
      ++i;
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    if (progress == Progress::kNoPort)
      look_at_ = at + 1;
    if (reference.need == Need::kNothing) {
      finish(reference, at);
    } else {
      started_.push_back(reference);
      finish_ready(at);
    }
  }
}

std::optional<Cycle> Cache::start(CacheReference& reference, Ports& ports, Cycle at,
                                  Progress& progress) {
  reference.need = need_of(reference.command);
  if (reference.arrival > at)
    return reference.arrival;
  if (!may_start(reference.command, reference.need)) {
    // A look-up meanwhile must not forget when that is.
    const Cycle done = around_.forwarded.done_of(reference.command.thread);
    return done > at ? done : Cycle::never();
  }
  if (reference.need == Need::kNothing)
    return std::nullopt;
  progress = go_on(reference, ports, at);
  if (reference.looked_up == 0)
    return progress == Progress::kNoPort ? at + 1 : Cycle::never();
  return std::nullopt;
}

void Cache::finish_ready(Cycle at) {
  std::vector<ThreadId> held;
  for (std::size_t i = 0; i < started_.size();) {
    const CacheReference reference = started_[i];
    const ThreadId thread = reference.command.thread;
    if (std::find(held.begin(), held.end(), thread) != held.end() || !reference.is_ready()) {
      held.push_back(thread);
      ++i;
      continue;
    }
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(i));
    finish(reference, at);
    look_up_from(at + 1);
  }
}

Cache::Progress Cache::go_on(CacheReference& reference, Ports& ports, Cycle at) {
  unsigned& port = is_read(reference.command) ? ports.reads : ports.writes;
  while (reference.looked_up < reference.lines) {
    if (port == 0)
      return Progress::kNoPort;
    if (!look_up_line(reference, at))
      return Progress::kWaits;
    --port;
    ++reference.looked_up;
  }
  return Progress::kDone;
}

// Without another cache before the memory, a line that is there may be written.
bool Cache::is_hit(Need need, LineState state) const {
  if (state == LineState::kInvalid)
    return false;
  return need != Need::kModified || state == LineState::kModified || !around_.is_coherent;
}

void Cache::count(const CacheReference& reference, bool hit) {
  if (is_read(reference.command))
    ++(hit ? counters_.read_hits : counters_.read_misses);
  else
    ++(hit ? counters_.write_hits : counters_.write_misses);
  (hit ? around_.by_word.hits : around_.by_word.misses).add(BusUser(reference.command), 1);
}

std::vector<Cache::Miss>::iterator Cache::miss_of(std::uint32_t line) {
  return std::find_if(misses_.begin(), misses_.end(),
                      [line](const Miss& miss) { return miss.line == line; });
}

bool Cache::look_up_line(CacheReference& reference, Cycle at) {
  const std::uint32_t line = reference.first_line + reference.looked_up;
  const bool to_own = reference.need == Need::kModified;
  if (is_hit(reference.need, lines_.state(line))) {
    lines_.use(line);
    count(reference, true);
    return true;
  }
  const auto under_way = miss_of(line);
  if (under_way != misses_.end()) {
    if (to_own && !under_way->to_own && around_.is_coherent)
      return false;
    ++counters_.merged;
  } else {
    if (misses_.size() == around_.description.misses)
      return false;
    misses_.push_back({line, to_own, false});
    around_.exits.request({to_own ? Transaction::Kind::kOwn : Transaction::Kind::kFetch, number_,
                           line, reference.command, at + around_.description.miss_latency});
  }
  count(reference, false);
  reference.missing |= 1u << reference.looked_up;
  return true;
}

void Cache::finish(const CacheReference& reference, Cycle at) {
  if (reference.need == Need::kShared || reference.need == Need::kModified)
    return perform(reference, at);
  if (reference.need == Need::kNothing && is_write(reference.command))
    count_past(reference);
  forward(reference.command, at);
}

// A write that goes to memory whether its lines are here or not.
void Cache::count_past(const CacheReference& reference) {
  for (unsigned i = 0; i < reference.lines; ++i) {
    const std::uint32_t line = reference.first_line + i;
    const bool is_there = lines_.state(line) != LineState::kInvalid;
    count(reference, is_there);
    if (is_there)
      lines_.use(line);
    else
      ++counters_.not_allocated;
  }
}

void Cache::perform(const CacheReference& reference, Cycle at) {
  for (unsigned i = 0;
       reference.need == Need::kModified && !around_.is_coherent && i < reference.lines; ++i) {
    const std::uint32_t line = reference.first_line + i;
    if (lines_.state(line) == LineState::kShared)
      lines_.set_state(line, LineState::kModified);
  }
  ++counters_.references;
  around_.exits.perform(reference.command, at);
}

void Cache::forward(const Command& command, Cycle at) {
  around_.forwarded.add(command.thread);
  Command through = command;
  through.issuer = Issuer::kForwarded;
  around_.exits.request(
      {Transaction::Kind::kForward, number_, 0, through, at + around_.description.miss_latency});
}

void Cache::keep_as_own(std::uint32_t line) {
  lines_.set_state(line, LineState::kModified);
  miss_of(line)->was_held = true;
}

void Cache::lose(std::uint32_t line, Loss loss) {
  if (loss == Loss::kAll)
    ++counters_.invalidated;
  lines_.set_state(line, loss == Loss::kAll ? LineState::kInvalid : LineState::kShared);
}

void Cache::arrive(std::uint32_t line, Cycle at) {
  const auto found = miss_of(line);
  assert(found != misses_.end() && "a line comes that nobody asked for");
  const Miss miss = *found;
  misses_.erase(found);
  if (miss.was_held)
    ++counters_.upgraded;
  else
    insert(miss, at);
  for (CacheReference& reference : started_)
    reference.came(line);
  finish_ready(at);
  look_up_from(at);
}

void Cache::insert(const Miss& miss, Cycle at) {
  ++counters_.fetched;
  const bool is_own = miss.to_own && around_.is_coherent;
  const auto replaced =
      lines_.insert(miss.line, is_own ? LineState::kModified : LineState::kShared);
  if (!replaced)
    return;
  ++counters_.replaced;
  if (replaced->state == LineState::kModified)
    around_.exits.request(
        {Transaction::Kind::kWriteBack, number_, replaced->line, cause_of(miss.line), at});
}

const Command& Cache::cause_of(std::uint32_t line) const {
  const auto cause =
      std::find_if(started_.begin(), started_.end(),
                   [line](const CacheReference& reference) { return reference.waits_for(line); });
  assert(cause != started_.end() && "a line comes for a reference");
  return cause->command;
}

void Cache::hash(StateHash& hash) const {
  lines_.hash(hash);
  counters_.hash(hash);
  for (const CacheReference& reference : waiting_) {
    add_to(hash, reference.command);
    hash.add(reference.arrival);
  }
  for (const CacheReference& reference : started_) {
    add_to(hash, reference.command);
    hash.add(reference.looked_up);
    hash.add(reference.missing);
  }
  for (const Miss& miss : misses_) {
    hash.add(miss.line);
    hash.add(miss.to_own);
    hash.add(miss.was_held);
  }
}

}  // namespace nplab::simulator
