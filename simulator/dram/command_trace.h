// Command traces as text.
//
// A trace of all channels has a line per command, as the trace recorder of Ramulator 2 writes them:
// clock, command, channel, rank, bank group, bank, row, column; -1 where a command has none, and
// REFab for a refresh of all banks. A trace of one rank is also written as DRAMPower reads it:
// clock, command, bank.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/dram/commands.h"

namespace nplab::simulator::dram {

// Is notified of every command that a memory issues, in the order of their clocks in each channel.
class CommandObserver {
 public:
  virtual ~CommandObserver() = default;
  virtual void issued(const IssuedCommand& command) = 0;
};

// Without the end of the line.
std::string to_line(const IssuedCommand& command);
// The same of DRAMPower, whose banks are numbered through their groups.
std::string to_drampower_line(const IssuedCommand& command, const Organization& organization);
// Reads a line of to_line(); nothing when it is none.
std::optional<IssuedCommand> from_line(std::string_view line);

// Writes a line for every command as it is issued.
class TraceWriter final : public CommandObserver {
 public:
  explicit TraceWriter(std::ostream& stream) : stream_(stream) {}
  void issued(const IssuedCommand& command) override;

 private:
  std::ostream& stream_;
};

// Keeps the commands.
class RecordedTrace final : public CommandObserver {
 public:
  void issued(const IssuedCommand& command) override { commands.push_back(command); }
  std::vector<IssuedCommand> commands;
};

}  // namespace nplab::simulator::dram
