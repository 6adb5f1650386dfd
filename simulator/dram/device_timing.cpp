#include "simulator/dram/device_timing.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator::dram {
namespace {

constexpr std::array<Clock, kDramCommands> any_time() {
  std::array<Clock, kDramCommands> clocks{};
  clocks.fill(kLongAgo);
  return clocks;
}

}  // namespace

DeviceTiming::DeviceTiming(const Organization& organization,
                           const std::vector<Constraint>& constraints)
    : organization_(organization),
      channel_(any_time()),
      ranks_(organization.ranks, any_time()),
      groups_(organization.ranks * organization.groups, any_time()),
      banks_(organization.banks_of_channel(), any_time()),
      open_rows_(organization.banks_of_channel()) {
  for (const Constraint& constraint : constraints) {
    if (constraint.count > 1) {
      assert(constraint.scope == Scope::kRank && "a series of commands is counted by rank");
      series_.push_back({constraint, std::vector(organization.ranks,
                                                 std::vector<Clock>(constraint.count, kLongAgo))});
      continue;
    }
    for (unsigned from = 0; from < kDramCommands; ++from)
      for (unsigned to = 0; to < kDramCommands; ++to)
        if (has(constraint.from, static_cast<DramCommand>(from)) &&
            has(constraint.to, static_cast<DramCommand>(to)))
          delays_[from].push_back({to, constraint.scope, static_cast<Clock>(constraint.clocks)});
  }
}

void DeviceTiming::delay(unsigned to, Scope scope, const Place& place, Clock until) {
  const auto raise = [to, until](Clocks& clocks) { clocks[to] = std::max(clocks[to], until); };
  switch (scope) {
    case Scope::kBank: raise(banks_[organization_.bank_number(place)]); break;
    case Scope::kGroup: raise(groups_[group_number(place)]); break;
    case Scope::kRank: raise(ranks_[place.rank]); break;
    case Scope::kChannel: raise(channel_); break;
    case Scope::kOtherRank:
      for (unsigned rank = 0; rank < organization_.ranks; ++rank)
        if (rank != place.rank)
          raise(ranks_[rank]);
      break;
  }
}

void DeviceTiming::issue(DramCommand command, const Place& place, Clock at) {
  assert(allows(command, place, at) && "a command that is not allowed is issued");
  for (const Delay& next : delays_[number_of(command)])
    delay(next.to, next.scope, place, at + next.clocks);
  for (Series& series : series_) {
    if (!has(series.constraint.from, command))
      continue;
    std::vector<Clock>& last = series.last[place.rank];
    std::rotate(last.begin(), last.begin() + 1, last.end());
    last.back() = at;
    for (unsigned to = 0; to < kDramCommands; ++to)
      if (has(series.constraint.to, static_cast<DramCommand>(to)))
        delay(to, Scope::kRank, place, last.front() + static_cast<Clock>(series.constraint.clocks));
  }
  change_rows(command, place);
}

void DeviceTiming::change_rows(DramCommand command, const Place& place) {
  const unsigned bank = organization_.bank_number(place);
  switch (command) {
    case DramCommand::kActivate: open_rows_[bank] = place.row; break;
    case DramCommand::kPrecharge:
    case DramCommand::kReadAuto:
    case DramCommand::kWriteAuto: open_rows_[bank].reset(); break;
    case DramCommand::kPrechargeAll: {
      const auto first = open_rows_.begin() + organization_.bank_number({.rank = place.rank});
      std::fill(first, first + organization_.groups * organization_.banks, std::nullopt);
      break;
    }
    default: break;
  }
}

bool DeviceTiming::has_open_rows(unsigned rank) const {
  const auto first = open_rows_.begin() + organization_.bank_number({.rank = rank});
  return std::any_of(first, first + organization_.groups * organization_.banks,
                     [](const std::optional<unsigned>& row) { return row.has_value(); });
}

bool DeviceTiming::allows(DramCommand command, const Place& place, Clock at) const {
  if (at < earliest(command, place))
    return false;
  switch (command) {
    case DramCommand::kActivate: return !open_row(place);
    case DramCommand::kRefresh: return !has_open_rows(place.rank);
    case DramCommand::kPrecharge:
    case DramCommand::kPrechargeAll: return true;
    default: return open_row(place) == place.row;
  }
}

void DeviceTiming::hash(StateHash& hash) const {
  const auto add = [&hash](const Clocks& clocks) { hash.add_all(clocks); };
  add(channel_);
  std::for_each(ranks_.begin(), ranks_.end(), add);
  std::for_each(groups_.begin(), groups_.end(), add);
  std::for_each(banks_.begin(), banks_.end(), add);
  for (const Series& series : series_)
    for (const std::vector<Clock>& last : series.last)
      hash.add_all(last);
  for (const std::optional<unsigned>& row : open_rows_)
    hash.add(row ? *row + 1 : 0);
}

}  // namespace nplab::simulator::dram
