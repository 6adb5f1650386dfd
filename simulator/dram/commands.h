// What a DRAM channel's command bus carries, and where a command goes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace nplab::simulator::dram {

// A point in time, in clocks of the memory since reset.
using Clock = std::int64_t;
inline constexpr Clock kNever = std::numeric_limits<Clock>::max();
// Long before reset: nothing follows from it.
inline constexpr Clock kLongAgo = std::numeric_limits<Clock>::min() / 2;

enum class DramCommand : std::uint8_t {
  kActivate,      // opens a row
  kPrecharge,     // closes a bank's row
  kPrechargeAll,  // closes the rows of all banks of a rank
  kRead,
  kReadAuto,  // closes the row after its data
  kWrite,
  kWriteAuto,
  kRefresh,  // of all banks of a rank, which are closed
};
inline constexpr unsigned kDramCommands = 8;

// As the standard abbreviates them, and as traces write them.
inline constexpr std::array<std::string_view, kDramCommands> kCommandNames{
    "ACT", "PRE", "PREA", "RD", "RDA", "WR", "WRA", "REF"};

constexpr unsigned number_of(DramCommand command) {
  return static_cast<unsigned>(command);
}
constexpr std::string_view name_of(DramCommand command) {
  return kCommandNames[number_of(command)];
}

// Some of the commands, a bit each.
using CommandSet = std::uint8_t;
constexpr CommandSet only(DramCommand command) {
  return static_cast<CommandSet>(1u << number_of(command));
}
constexpr bool has(CommandSet set, DramCommand command) {
  return (set & only(command)) != 0;
}
inline constexpr CommandSet kReads = only(DramCommand::kRead) | only(DramCommand::kReadAuto);
inline constexpr CommandSet kWrites = only(DramCommand::kWrite) | only(DramCommand::kWriteAuto);
inline constexpr CommandSet kColumns = kReads | kWrites;
inline constexpr CommandSet kPrecharges =
    only(DramCommand::kPrecharge) | only(DramCommand::kPrechargeAll);
inline constexpr CommandSet kAnyCommand = 0xff;

// Where in a channel. Commands to a rank have only the rank, precharge has no row and activate no
// column; what a command does not have is 0.
struct Place {
  unsigned rank = 0;
  unsigned group = 0;
  unsigned bank = 0;  // of its group
  unsigned row = 0;
  unsigned column = 0;  // a burst of the row, counted in bursts

  friend bool operator==(const Place&, const Place&) = default;
};

struct IssuedCommand {
  Clock at = 0;
  unsigned channel = 0;
  DramCommand command{};
  Place place;

  friend bool operator==(const IssuedCommand&, const IssuedCommand&) = default;
};

// Ranks, groups and banks of a channel: all are powers of two.
struct Organization {
  unsigned channels = 1;
  unsigned ranks = 1;
  unsigned groups = 4;
  unsigned banks = 4;  // of each group
  unsigned rows = 65'536;
  unsigned columns = 128;  // bursts of a row

  [[nodiscard]] unsigned banks_of_channel() const { return ranks * groups * banks; }
  // The number of a place's bank in its channel.
  [[nodiscard]] unsigned bank_number(const Place& place) const {
    return (place.rank * groups + place.group) * banks + place.bank;
  }
};

// A 64-bit channel moves eight transfers of eight bytes per command.
inline constexpr unsigned kBurstBytes = 64;
inline constexpr unsigned kBurstTransfers = 8;

}  // namespace nplab::simulator::dram
