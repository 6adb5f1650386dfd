#include "simulator/dram/controller.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator::dram {
namespace {

bool same_burst(const Place& a, const Place& b) {
  return a == b;
}

}  // namespace

std::vector<std::string> choice_words(Refresh /*refresh*/) {
  return {"all_bank", "none"};
}

std::vector<std::string> choice_words(WriteDrain /*drain*/) {
  return {"batch", "shared"};
}

Controller::Controller(const Organization& organization, const Ddr4Timing& timing,
                       const ControllerDescription& description,
                       const std::vector<Constraint>& constraints)
    : organization_(organization),
      timing_(timing),
      description_(description),
      scheduler_(description.scheduler, description.window),
      in_order_(scheduler_.in_order()),
      is_shared_(description.write_drain == WriteDrain::kShared && description.window > 1 &&
                 !in_order_),
      page_(description.page),
      device_(organization, constraints),
      hits_(organization.banks_of_channel()),
      refresh_due_(organization.ranks, kNever) {
  assert(organization.banks_of_channel() <= 64 && "banks are bits of a word");
  if (description.refresh == Refresh::kNone)
    return;
  // The ranks' refreshes are spread over the interval.
  for (unsigned rank = 0; rank < organization.ranks; ++rank)
    refresh_due_[rank] = static_cast<Clock>(timing.t_refi) * (rank + 1) / organization.ranks;
}

bool Controller::has_room(bool is_write, unsigned places) const {
  const bool to_writes = is_write && !in_order_;
  const unsigned capacity = to_writes ? description_.write_queue : description_.window;
  const std::size_t taken = to_writes ? writes_.size() : reads_.size() + places_for_writes();
  return taken + std::min(places, capacity) <= capacity;
}

// Of the queue that a batch of writes shares with the reads, for the writes that have not joined
// it. One place is left to reads, or batches that follow one another would keep them out for ever.
std::size_t Controller::places_for_writes() const {
  if (!is_shared_)
    return 0;
  const auto joined = static_cast<std::size_t>(
      std::count_if(reads_.begin(), reads_.end(),
                    [](const Waiting& waiting) { return waiting.request.is_write; }));
  return std::min<std::size_t>(batch_, description_.window - 1 - joined);
}

Controller::Added Controller::add(const DramRequest& request) {
  next_ = std::min(next_, request.arrival);
  const auto of_burst = [&request](const Waiting& waiting) {
    return same_burst(waiting.request.place, request.place);
  };
  if (in_order_) {
    reads_.push_back({request});
    return Added::kWaits;
  }
  if (std::any_of(writes_.begin(), writes_.end(), of_burst)) {
    ++(request.is_write ? counters_.merged_writes : counters_.from_write_queue);
    return Added::kFromWriteQueue;
  }
  if (!request.is_write) {
    reads_.push_back({request});
    return Added::kWaits;
  }
  const bool after_read = std::any_of(reads_.begin(), reads_.end(), of_burst);
  writes_.push_back({request, after_read});
  return Added::kWaits;
}

// A rank whose interval is over takes no further commands but those that close its rows.
std::optional<Step> Controller::step_refresh(Clock now) {
  for (unsigned rank = 0; rank < organization_.ranks; ++rank) {
    if (refresh_due_[rank] > now) {
      next_ = std::min(next_, refresh_due_[rank]);
      continue;
    }
    refreshing_ |= std::uint64_t{1} << rank;
    const Place place{.rank = rank};
    const auto command =
        device_.has_open_rows(rank) ? DramCommand::kPrechargeAll : DramCommand::kRefresh;
    if (const Clock earliest = device_.earliest(command, place); earliest > now) {
      next_ = std::min(next_, earliest);
      continue;
    }
    device_.issue(command, place, now);
    ++counters_.commands[number_of(command)];
    if (command == DramCommand::kRefresh) {
      refresh_due_[rank] += static_cast<Clock>(timing_.t_refi);
      refreshing_ &= ~(std::uint64_t{1} << rank);
    }
    return Step{command, place, std::nullopt};
  }
  return std::nullopt;
}

// An old read; while it waits, the batches that would begin one after another do not.
bool Controller::has_aged_read(Clock now) const {
  const auto oldest = std::find_if(reads_.begin(), reads_.end(), [](const Waiting& waiting) {
    return !waiting.request.is_write;
  });
  return oldest != reads_.end() &&
         now - oldest->request.arrival >= static_cast<Clock>(description_.most_wait);
}

void Controller::choose_direction(Clock now) {
  const auto servable = static_cast<unsigned>(std::count_if(
      writes_.begin(), writes_.end(), [](const Waiting& waiting) { return !waiting.after_read; }));
  batch_ = std::min(batch_, servable);
  const unsigned begins = reads_.empty()
                              ? std::min(description_.write_idle, description_.write_high)
                              : description_.write_high;
  if (batch_ != 0 || writes_.size() < begins || has_aged_read(now))
    return;
  batch_ = std::min(servable, static_cast<unsigned>(writes_.size()) - description_.write_low);
  if (batch_ != 0)
    ++counters_.write_batches;
}

// The batch's writes, as far as there is room, by age.
void Controller::join_reads() {
  for (std::size_t i = 0;
       places_for_writes() != 0 && i < writes_.size() && reads_.size() < description_.window;) {
    if (writes_[i].after_read) {
      ++i;
      continue;
    }
    reads_.push_back(writes_[i]);
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
    --batch_;
  }
}

// Where reads and writes share a queue, those of one burst keep their order.
bool Controller::is_held_by_older(std::size_t position) const {
  const auto end = reads_.begin() + static_cast<std::ptrdiff_t>(position);
  return std::any_of(reads_.begin(), end, [&](const Waiting& older) {
    return same_burst(older.request.place, reads_[position].request.place);
  });
}

// The oldest requests up to as many as the window has that wait for no other: writes that wait for
// reads while a batch is written must not fill the window, or neither would ever go on.
std::size_t Controller::considered(const Queue& queue) const {
  if (in_order_)
    return std::min<std::size_t>(queue.size(), 1);
  const std::size_t most = std::min(queue.size(), kMostConsidered);
  std::size_t end = 0;
  for (unsigned left = description_.window; left != 0 && end < most; ++end)
    left -= queue[end].after_read ? 0 : 1;
  return end;
}

std::uint64_t Controller::banks_wanted(const Queue& queue) const {
  std::uint64_t banks = 0;
  for (std::size_t i = 0; i < considered(queue); ++i)
    banks |= std::uint64_t{1} << organization_.bank_number(queue[i].request.place);
  return banks;
}

// A write that waits for a read keeps no row open: the read may need another.
std::uint64_t Controller::banks_hit(const Queue& queue) const {
  std::uint64_t banks = 0;
  for (std::size_t i = 0; i < considered(queue); ++i)
    if (const Place& place = queue[i].request.place;
        !queue[i].after_read && device_.open_row(place) == place.row)
      banks |= std::uint64_t{1} << organization_.bank_number(place);
  return banks;
}

// Each request's next command: of a bank whose row is open, those for this row; else what opens
// the row of the oldest.
void Controller::find_candidates(const Queue& queue, Wanted wanted, std::uint64_t left_alone,
                                 Clock now, Candidates& candidates) {
  const std::uint64_t hit = banks_hit(queue);
  std::uint64_t passed = 0;              // banks for which an older request wants another row
  std::uint64_t row_asked = left_alone;  // banks whose rows are changed for others
  for (std::size_t i = 0; i < considered(queue); ++i) {
    const Waiting& waiting = queue[i];
    const Place& place = waiting.request.place;
    const unsigned number = organization_.bank_number(place);
    const std::uint64_t bank = std::uint64_t{1} << number;
    // A write that waits for a read opens no row either, or both would change it for ever.
    if ((refreshing_ >> place.rank & 1) != 0 || waiting.after_read)
      continue;
    const auto open = device_.open_row(place);
    const bool worn = hits_[number] >= description_.most_hits;
    DramCommand command = DramCommand::kActivate;
    if (open == place.row) {
      if (wanted == Wanted::kRowsOnly || ((passed & bank) != 0 && worn) ||
          (is_shared_ && is_held_by_older(i)))
        continue;
      command = waiting.request.is_write ? DramCommand::kWrite : DramCommand::kRead;
    } else {
      passed |= bank;
      if ((row_asked & bank) != 0)
        continue;
      row_asked |= bank;
      if (open) {
        if ((hit & bank) != 0 && !worn)
          continue;
        command = DramCommand::kPrecharge;
      }
    }
    const Clock earliest = device_.earliest(command, place);
    if (earliest > now) {
      next_ = std::min(next_, earliest);
      continue;
    }
    candidates.commands[i] = command;
    candidates.ready |= std::uint64_t{1} << i;
    if (open == place.row)
      candidates.columns |= std::uint64_t{1} << i;
  }
}

// What the scheduler may know: requests are numbered by age.
class Controller::RequestView {
 public:
  RequestView(const Candidates& candidates, const Queue& queue)
      : candidates_(candidates), queue_(queue) {}
  [[nodiscard]] std::uint64_t asking() const { return candidates_.ready; }
  [[nodiscard]] std::uint64_t moves_data() const { return candidates_.columns; }
  [[nodiscard]] Cycle since(unsigned request) const {
    return Cycle(static_cast<std::uint64_t>(queue_[request].request.arrival));
  }

 private:
  const Candidates& candidates_;
  const Queue& queue_;
};

Step Controller::step(Clock now) {
  next_ = kNever;
  if (const auto refreshed = step_refresh(now)) {
    next_ = now + 1;
    return *refreshed;
  }
  choose_direction(now);
  if (is_shared_)
    join_reads();
  const bool drains = batch_ != 0 && !is_shared_;
  Queue& current = drains ? writes_ : reads_;
  Queue& other = drains ? reads_ : writes_;
  for (Queue* queue : {&current, &other}) {
    const bool is_current = queue == &current;
    Candidates candidates;
    find_candidates(*queue, is_current ? Wanted::kAnything : Wanted::kRowsOnly,
                    is_current ? 0 : banks_wanted(current), now, candidates);
    if (candidates.ready == 0)
      continue;
    const RequestView requests(candidates, *queue);
    const unsigned chosen = scheduler_.choose(requests);
    scheduler_.served(requests, chosen);
    next_ = now + 1;
    return issue(*queue, chosen, candidates.commands[chosen], now);
  }
  return {};
}

Step Controller::issue(Queue& queue, unsigned position, DramCommand command, Clock now) {
  if (has(kColumns, command))
    return issue_column(queue, position, now);
  Waiting& waiting = queue[position];
  const Place place = waiting.request.place;
  device_.issue(command, place, now);
  ++counters_.commands[number_of(command)];
  if (command == DramCommand::kActivate) {
    waiting.activated = true;
    hits_[organization_.bank_number(place)] = 0;
  } else {
    waiting.conflicted = true;
  }
  return {command, place, std::nullopt};
}

unsigned Controller::further_hits(const DramRequest& request) const {
  unsigned hits = 0;
  const auto same_row = [&request](const Waiting& waiting) {
    Place place = waiting.request.place;
    place.column = request.place.column;
    return place == request.place;
  };
  for (const Queue* queue : {&reads_, &writes_})
    hits += static_cast<unsigned>(
        std::count_if(queue->begin(),
                      queue->begin() + static_cast<std::ptrdiff_t>(considered(*queue)), same_row));
  return hits - 1;  // the request is one of them
}

Step Controller::issue_column(Queue& queue, unsigned position, Clock now) {
  const Waiting waiting = queue[position];
  const DramRequest& request = waiting.request;
  const bool closes = page_.closes({further_hits(request)});
  const auto command = request.is_write ? (closes ? DramCommand::kWriteAuto : DramCommand::kWrite)
                                        : (closes ? DramCommand::kReadAuto : DramCommand::kRead);
  device_.issue(command, request.place, now);
  ++counters_.commands[number_of(command)];
  ++(request.is_write ? counters_.writes : counters_.reads);
  counters_.row_hits += waiting.activated ? 0 : 1;
  counters_.row_conflicts += waiting.activated && waiting.conflicted ? 1 : 0;
  counters_.data_clocks += timing_.burst;
  ++hits_[organization_.bank_number(request.place)];
  queue.erase(queue.begin() + position);
  if (request.is_write && !is_shared_ && batch_ != 0)
    --batch_;
  if (!request.is_write || is_shared_)
    release_writes(request.place);
  const Clock begin = now + static_cast<Clock>(request.is_write ? timing_.cwl : timing_.cl);
  return {command, request.place,
          ServedRequest{request.tag, request.is_write, begin,
                        begin + static_cast<Clock>(timing_.burst)}};
}

// Writes of a burst that nothing before them waits for any more.
void Controller::release_writes(const Place& place) {
  const auto of_burst = [&place](const Waiting& waiting) {
    return same_burst(waiting.request.place, place);
  };
  if (std::any_of(reads_.begin(), reads_.end(), of_burst))
    return;
  for (Waiting& write : writes_)
    if (of_burst(write))
      write.after_read = false;
}

std::size_t Controller::waiting(bool is_write) const {
  const auto is_of_kind = [is_write](const Waiting& waiting) {
    return waiting.request.is_write == is_write;
  };
  std::size_t waiting = 0;
  for (const Queue* queue : {&reads_, &writes_})
    waiting += static_cast<std::size_t>(std::count_if(queue->begin(), queue->end(), is_of_kind));
  return waiting;
}

void Controller::hash(StateHash& hash) const {
  for (const Queue* queue : {&reads_, &writes_}) {
    hash.add(queue->size());
    for (const Waiting& waiting : *queue) {
      hash.add(waiting.request.tag);
      hash.add(static_cast<std::uint64_t>(waiting.request.arrival));
      hash.add((waiting.after_read ? 1 : 0) | (waiting.activated ? 2 : 0) |
               (waiting.conflicted ? 4 : 0));
    }
  }
  hash.add(batch_);
  hash.add_all(hits_);
  hash.add_all(refresh_due_);
  hash.add(refreshing_);
  device_.hash(hash);
  scheduler_.hash(hash);
  counters_.hash(hash);
}

}  // namespace nplab::simulator::dram
