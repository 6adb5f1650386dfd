// When the SDRAM's banks can take which command: every rule is a row of kSdramTiming, and this
// engine reads the rows. Times are relative, so the first activation may lie before reset.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

enum class SdramCommand : std::uint8_t {
  kActivate,   // a row is opened
  kRead,       // its data begin to pass the bus
  kWrite,      // the same of a write
  kReadDone,   // the last of its data has passed
  kWriteDone,  // the same of a write
  kPrecharge,  // the row is closed
  kRefresh,    // of all banks, once they are closed
};
inline constexpr unsigned kSdramCommands = 7;
inline constexpr unsigned kSdramBanks = 2;  // odd and even: those of each kind take turns

// Which banks a rule is about: that of the first command, or all of the memory.
enum class TimingScope : std::uint8_t { kSameBank, kAnyBank };

// `to` comes at least so many cycles after `from`.
struct TimingRule {
  SdramCommand from{};
  SdramCommand to{};
  TimingScope scope{};
  unsigned SdramDescription::* cycles = nullptr;
};

class SdramTiming {
 public:
  explicit SdramTiming(const SdramDescription& description);

  // The first cycle, `now` or later, in which the data of an access to `bank` can begin: its row is
  // activated tRCD before.
  [[nodiscard]] Cycle earliest_access(SdramCommand access, unsigned bank, Cycle now) const;
  // Data of an access begin and end. The row was activated tRCD before, and is closed as soon as
  // the rules and its data allow.
  void access(SdramCommand access, unsigned bank, Cycle begin, Cycle end);
  // All banks are refreshed in cycle `due`, or as soon as they are closed.
  void refresh(Cycle due);

  void hash(StateHash& hash) const;

 private:
  using Time = std::int64_t;
  using Times = std::array<Time, kSdramCommands>;  // the earliest by command

  struct Delay {
    unsigned to;
    TimingScope scope;
    Time cycles;
  };

  [[nodiscard]] Time earliest(SdramCommand command, unsigned bank) const;
  void issue(SdramCommand command, unsigned bank, Time at);

  std::array<std::vector<Delay>, kSdramCommands> delays_;  // by the command that they follow
  Time row_to_data_;                                       // tRCD
  std::array<Times, kSdramBanks> in_bank_;
  Times anywhere_;
};

}  // namespace nplab::simulator
