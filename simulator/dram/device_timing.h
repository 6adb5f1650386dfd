// When the devices of one channel can take which command: an engine that reads rows of constraints
// (ddr4_timing.h) and keeps, for every command and place, the first clock in which it is allowed.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/dram/commands.h"
#include "simulator/dram/ddr4_timing.h"

namespace nplab::simulator::dram {

class DeviceTiming {
 public:
  DeviceTiming(const Organization& organization, const std::vector<Constraint>& constraints);

  // The first clock in which the constraints allow the command; the state of its bank is not looked
  // at.
  [[nodiscard]] Clock earliest(DramCommand command, const Place& place) const {
    const unsigned to = number_of(command);
    return std::max(
        std::max(channel_[to], ranks_[place.rank][to]),
        std::max(groups_[group_number(place)][to], banks_[organization_.bank_number(place)][to]));
  }
  // Whether constraints and the state of the banks allow the command in clock `at`.
  [[nodiscard]] bool allows(DramCommand command, const Place& place, Clock at) const;
  // The command is issued in clock `at`, in which it is allowed.
  void issue(DramCommand command, const Place& place, Clock at);

  // Of the bank of a place.
  [[nodiscard]] std::optional<unsigned> open_row(const Place& place) const {
    return open_rows_[organization_.bank_number(place)];
  }
  [[nodiscard]] bool has_open_rows(unsigned rank) const;

  void hash(StateHash& hash) const;

 private:
  using Clocks = std::array<Clock, kDramCommands>;  // the earliest, by command

  struct Delay {
    unsigned to;
    Scope scope;
    Clock clocks;
  };
  // A constraint on the n-th last of some commands: their last clocks, by rank.
  struct Series {
    Constraint constraint;
    std::vector<std::vector<Clock>> last;  // oldest first
  };

  [[nodiscard]] unsigned group_number(const Place& place) const {
    return place.rank * organization_.groups + place.group;
  }
  void delay(unsigned to, Scope scope, const Place& place, Clock until);
  void change_rows(DramCommand command, const Place& place);

  Organization organization_;
  std::array<std::vector<Delay>, kDramCommands> delays_;  // by the command that they follow
  std::vector<Series> series_;
  Clocks channel_;
  std::vector<Clocks> ranks_;
  std::vector<Clocks> groups_;
  std::vector<Clocks> banks_;
  std::vector<std::optional<unsigned>> open_rows_;
};

}  // namespace nplab::simulator::dram
