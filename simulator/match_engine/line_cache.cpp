#include "simulator/match_engine/line_cache.h"

#include <fmt/format.h>

namespace nplab::simulator::match {

LineCache::LineCache(const Ends& ends, SessionStorage& sessions,
                     const MatchDescription& description)
    : ends_(ends),
      sessions_(sessions),
      allocates_unchanged_(description.cache.allocation == Allocation::kEvery),
      contents_(description.cache.lines),
      credits_(description.load_queue) {
  if (description.cache.lines != 0)
    lines_.emplace(LineArray::Geometry{description.cache.lines, description.cache.ways,
                                       description.cache.replacement, 0});
}

std::optional<Entry> LineCache::line(Slot slot) const {
  const auto place = lines_ ? lines_->place_of(slot) : std::nullopt;
  return place ? std::optional(contents_[*place]) : std::nullopt;
}

// A look-up sees the writes of earlier cycles.
void LineCache::step(Cycle now) {
  while (ends_.credits.front(now) != nullptr) {
    ends_.credits.take(now);
    ++credits_;
  }
  look_up(now);
  write(now);
}

void LineCache::look_up(Cycle now) {
  if (ends_.to_cache.front(now) == nullptr)
    return;
  if (credits_ == 0) {
    ++counters_.cycles_without_load;
    return;
  }
  --credits_;
  const Tag tag = ends_.to_cache.take(now);
  const Slot slot = sessions_[tag].slot;
  const auto found = line(slot);
  if (found)
    lines_->use(slot);
  ++(found ? counters_.hits : counters_.misses);
  ends_.looked_up.send({tag, slot, found, false}, now);
}

void LineCache::write(Cycle now) {
  const LineWrite* const write = ends_.writes.front(now);
  if (write == nullptr)
    return;
  if (!put(*write, now)) {
    ++counters_.cycles_without_store;
    return;
  }
  ++(write->is_changed ? counters_.writes : counters_.fills);
  ends_.written.send(*write, now);
  ends_.confirmed.send(*write, now);
  ends_.writes.take(now);
}

bool LineCache::put(const LineWrite& write, Cycle now) {
  const LineState state = write.is_changed ? LineState::kModified : LineState::kShared;
  if (!lines_) {
    if (!write.is_changed)
      return true;
    if (!ends_.evicted.has_room(now))
      return false;
    evict(write.slot, write.line, now);
    return true;
  }
  if (const auto place = lines_->place_of(write.slot)) {
    contents_[*place] = write.line;
    if (write.is_changed)
      lines_->set_state(write.slot, state);
    return true;
  }
  if (!write.is_changed && !allocates_unchanged_)
    return true;
  if (!ends_.evicted.has_room(now))
    return false;
  const auto replaced = lines_->insert(write.slot, state);
  Entry& content = contents_[lines_->place_of(write.slot).value()];
  if (replaced) {
    ++counters_.replaced;
    if (replaced->state == LineState::kModified)
      evict(replaced->line, content, now);
  }
  content = write.line;
  return true;
}

void LineCache::evict(Slot slot, const Entry& line, Cycle now) {
  ++counters_.written_back;
  ends_.evicted.send({slot, line, 0}, now);
}

void LineCache::describe_waiting(std::vector<std::string>& lines) const {
  if (!ends_.to_cache.empty() && credits_ == 0)
    lines.push_back("cache: a look-up waits for a place of the load queue");
  if (!ends_.writes.empty())
    lines.push_back(fmt::format("cache: {} writes wait", ends_.writes.size()));
}

void LineCache::hash(StateHash& hash) const {
  if (lines_)
    lines_->hash(hash);
  hash.add(credits_);
  counters_.hash(hash);
}

}  // namespace nplab::simulator::match
