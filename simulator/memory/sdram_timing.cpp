#include "simulator/memory/sdram_timing.h"

#include <algorithm>
#include <limits>

namespace nplab::simulator {
namespace {

using enum SdramCommand;
using enum TimingScope;

// The rules of SDRAM in their usual names. What each figure rests on stands in the chip file.
constexpr TimingRule kSdramTiming[] = {
    {kActivate, kRead, kSameBank, &SdramDescription::t_rcd},
    {kActivate, kWrite, kSameBank, &SdramDescription::t_rcd},
    {kActivate, kPrecharge, kSameBank, &SdramDescription::t_ras},
    {kActivate, kActivate, kSameBank, &SdramDescription::t_rc},
    {kActivate, kActivate, kAnyBank, &SdramDescription::t_rrd},
    {kPrecharge, kActivate, kSameBank, &SdramDescription::t_rp},
    {kPrecharge, kRefresh, kSameBank, &SdramDescription::t_rp},
    {kRefresh, kActivate, kSameBank, &SdramDescription::refresh_cycles},
    {kRefresh, kRefresh, kSameBank, &SdramDescription::refresh_cycles},
};

// Long before reset: nothing follows from it.
constexpr std::int64_t kLongAgo = std::numeric_limits<std::int64_t>::min() / 2;

constexpr unsigned number_of(SdramCommand command) {
  return static_cast<unsigned>(command);
}
constexpr std::int64_t time_of(Cycle at) {
  return static_cast<std::int64_t>(at.number());
}
constexpr Cycle cycle_of(std::int64_t time) {
  return Cycle(static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0)));
}

}  // namespace

SdramTiming::SdramTiming(const SdramDescription& description) : row_to_data_(description.t_rcd) {
  for (const TimingRule& rule : kSdramTiming)
    delays_[number_of(rule.from)].push_back(
        {number_of(rule.to), rule.scope, static_cast<Time>(description.*rule.cycles)});
  for (Times& times : in_bank_)
    times.fill(kLongAgo);
  anywhere_.fill(kLongAgo);
}

SdramTiming::Time SdramTiming::earliest(SdramCommand command, unsigned bank) const {
  return std::max(in_bank_[bank][number_of(command)], anywhere_[number_of(command)]);
}

Cycle SdramTiming::earliest_access(SdramCommand access, unsigned bank, Cycle now) const {
  return cycle_of(std::max({time_of(now), earliest(access, bank),
                            earliest(SdramCommand::kActivate, bank) + row_to_data_}));
}

void SdramTiming::issue(SdramCommand command, unsigned bank, Time at) {
  for (const Delay& delay : delays_[number_of(command)]) {
    Times& times = delay.scope == TimingScope::kSameBank ? in_bank_[bank] : anywhere_;
    times[delay.to] = std::max(times[delay.to], at + delay.cycles);
  }
}

void SdramTiming::access(SdramCommand access, unsigned bank, Cycle begin, Cycle end) {
  issue(SdramCommand::kActivate, bank, time_of(begin) - row_to_data_);
  issue(access, bank, time_of(begin));
  issue(access == SdramCommand::kRead ? SdramCommand::kReadDone : SdramCommand::kWriteDone, bank,
        time_of(end));
  issue(SdramCommand::kPrecharge, bank,
        std::max(time_of(end), earliest(SdramCommand::kPrecharge, bank)));
}

void SdramTiming::refresh(Cycle due) {
  Time at = time_of(due);
  for (unsigned bank = 0; bank < kSdramBanks; ++bank)
    at = std::max(at, earliest(SdramCommand::kRefresh, bank));
  for (unsigned bank = 0; bank < kSdramBanks; ++bank)
    issue(SdramCommand::kRefresh, bank, at);
}

// When each bank is closed, when the data of its next access can begin, and when those of an access
// to any bank can.
void SdramTiming::hash(StateHash& hash) const {
  for (const Times& times : in_bank_)
    hash.add(cycle_of(times[number_of(kRefresh)]));
  for (const Times& times : in_bank_)
    hash.add(cycle_of(times[number_of(kActivate)] + row_to_data_));
  hash.add(cycle_of(anywhere_[number_of(kActivate)] + row_to_data_));
}

}  // namespace nplab::simulator
