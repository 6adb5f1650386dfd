#include "simulator/dram/trace_checker.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace nplab::simulator::dram {
namespace {

constexpr Clock kMostPostponed = 8;  // refreshes [R: JESD79-4]

bool in_scope(Scope scope, const IssuedCommand& first, const IssuedCommand& second) {
  const Place &a = first.place, &b = second.place;
  switch (scope) {
    case Scope::kChannel: return true;
    case Scope::kOtherRank: return a.rank != b.rank;
    case Scope::kRank: return a.rank == b.rank;
    case Scope::kGroup: return a.rank == b.rank && a.group == b.group;
    case Scope::kBank: return a.rank == b.rank && a.group == b.group && a.bank == b.bank;
  }
  return false;
}

std::string text(const IssuedCommand& command) {
  const Place& place = command.place;
  return fmt::format("{} to channel {}, rank {}, group {}, bank {} in clock {}",
                     name_of(command.command), command.channel, place.rank, place.group, place.bank,
                     command.at);
}

// The commands of one channel.
class ChannelCheck {
 public:
  ChannelCheck(const CheckedMemory& memory, std::vector<Violation>& found)
      : memory_(memory), found_(found) {}

  void check(std::size_t position, const IssuedCommand& command) {
    position_ = position;
    if (!past_.empty() && command.at < past_.back().at)
      report("order", command, "comes after a later command in the list");
    for (const Constraint& constraint : memory_.constraints)
      if (has(constraint.to, command.command))
        check_constraint(constraint, command);
    check_banks(command);
    check_bus(command);
    past_.push_back(command);
  }

  // No rank waited too long for a refresh up to the last command.
  void check_end(std::size_t position) {
    if (!memory_.refreshed || past_.empty())
      return;
    position_ = position;
    for (unsigned rank = 0; rank < memory_.organization.ranks; ++rank) {
      IssuedCommand end = past_.back();
      end.place = {.rank = rank};
      check_refresh(end);
    }
  }

 private:
  using Bank = std::tuple<unsigned, unsigned, unsigned>;

  void report(std::string rule, const IssuedCommand& command, const std::string& what) {
    found_.push_back({position_, std::move(rule), fmt::format("{}: {}", text(command), what)});
  }

  // Looks back for the n-th last command that counts.
  void check_constraint(const Constraint& constraint, const IssuedCommand& command) {
    unsigned found = 0;
    for (std::size_t i = past_.size(); i-- > 0;) {
      const IssuedCommand& before = past_[i];
      if (before.at + static_cast<Clock>(constraint.clocks) <= command.at)
        return;  // long enough ago, as are all before it
      if (!has(constraint.from, before.command) || !in_scope(constraint.scope, before, command))
        continue;
      if (++found < constraint.count)
        continue;
      report(constraint.name, command,
             fmt::format("{} clocks after {}, not {}", command.at - before.at, text(before),
                         constraint.clocks));
      return;
    }
  }

  void check_banks(const IssuedCommand& command) {
    const Place& place = command.place;
    const Bank bank{place.rank, place.group, place.bank};
    const auto open = rows_.find(bank);
    const auto of_rank = [&](const auto& entry) { return std::get<0>(entry.first) == place.rank; };
    switch (command.command) {
      case DramCommand::kActivate:
        if (open != rows_.end())
          report("bank is open", command, fmt::format("row {} is open", open->second));
        rows_[bank] = place.row;
        break;
      case DramCommand::kPrecharge: rows_.erase(bank); break;
      case DramCommand::kPrechargeAll: std::erase_if(rows_, of_rank); break;
      case DramCommand::kRefresh:
        if (std::any_of(rows_.begin(), rows_.end(), of_rank))
          report("refresh of open banks", command, "a row of the rank is open");
        check_refresh(command);
        ++refreshes_[place.rank];
        break;
      default:
        if (open == rows_.end() || open->second != place.row)
          report("row is not open", command, fmt::format("row {} is not open", place.row));
        if (command.command == DramCommand::kReadAuto || command.command == DramCommand::kWriteAuto)
          rows_.erase(bank);
    }
  }

  // Data of two bursts never share the bus.
  void check_bus(const IssuedCommand& command) {
    if (!has(kColumns, command.command))
      return;
    const Clock begin =
        command.at + (has(kReads, command.command) ? memory_.timing.cl : memory_.timing.cwl);
    if (begin < bus_free_)
      report("data bus", command,
             fmt::format("data begin in clock {}, the bus is free from {}", begin, bus_free_));
    bus_free_ = std::max(bus_free_, begin + static_cast<Clock>(memory_.timing.burst));
  }

  void check_refresh(const IssuedCommand& command) {
    if (!memory_.refreshed)
      return;
    const Clock due = command.at / static_cast<Clock>(memory_.timing.t_refi);
    if (due - refreshes_[command.place.rank] > kMostPostponed + 1)
      report("tREFI", command,
             fmt::format("{} refreshes were due and {} came", due, refreshes_[command.place.rank]));
  }

  const CheckedMemory& memory_;
  std::vector<Violation>& found_;
  std::size_t position_ = 0;
  std::vector<IssuedCommand> past_;
  std::map<Bank, unsigned> rows_;
  std::map<unsigned, Clock> refreshes_;
  Clock bus_free_ = kLongAgo;
};

}  // namespace

std::vector<Violation> violations(const CheckedMemory& memory,
                                  const std::vector<IssuedCommand>& commands) {
  std::vector<Violation> found;
  std::map<unsigned, ChannelCheck> channels;
  for (std::size_t i = 0; i < commands.size(); ++i)
    channels.try_emplace(commands[i].channel, memory, found).first->second.check(i, commands[i]);
  for (auto& [channel, check] : channels)
    check.check_end(commands.size());
  return found;
}

}  // namespace nplab::simulator::dram
