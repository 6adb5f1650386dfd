// A process in which a run stands still between two cycles and goes on as it is told. Copies of
// such a process are a debugger's way back in time: each keeps the state of its cycle.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debugging/change.h"
#include "experiments/debugging/debug_target.h"
#include "experiments/debugging/stop_points.h"
#include "experiments/debugging/stop_search.h"
#include "support/file_descriptor.h"

namespace nplab::experiments {

// How far to go on, and what to look for meanwhile.
struct Advance {
  std::uint64_t to = 0;  // the run pauses before this cycle, if it is not over sooner
  StopPoints stops{};
  StopSearch::Order order = StopSearch::Order::kFirst;
  StopSearch::Bounds bounds{};
  bool each_cycle = false;  // looks at every cycle: finds what engines execute and queues hold
  std::vector<Change> changes{};  // on the way, in their order
};

// Text on the program's console, and the cycle in which it was printed.
using Printed = std::pair<std::uint64_t, std::string>;

struct Advanced {
  std::uint64_t now = 0;
  bool is_over = false;
  std::string end;               // why the run is over, as a sentence
  bool may_have_missed = false;  // without each_cycle
  std::vector<Hit> hits;         // all of one cycle
  std::vector<Printed> printed;  // in their order
};

// Of a process that may be anywhere in time. When the process is gone, answers are empty and
// `is_alive` says so.
class RunImage {
 public:
  // The run before its first cycle, in a process of its own.
  static std::optional<RunImage> start(const DebugTarget& target, Diagnostics& diagnostics);

  Advanced advance(const Advance& how);
  // What the state is: one of the requests of machine_view.h.
  nlohmann::json look(const nlohmann::json& request);
  // The state is another one from here on.
  void change(const std::vector<Change>& changes);
  // A copy of the process at the same cycle; nothing when there is no room for one.
  std::optional<RunImage> copy();

  [[nodiscard]] std::uint64_t now() const { return now_; }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] bool is_alive() const { return static_cast<bool>(socket_); }

 private:
  RunImage(FileDescriptor socket, std::uint64_t now, bool is_over)
      : socket_(std::move(socket)), now_(now), is_over_(is_over) {}
  std::optional<nlohmann::json> ask(const nlohmann::json& request, FileDescriptor* file = nullptr);

  FileDescriptor socket_;  // the process ends when it is closed
  std::uint64_t now_ = 0;
  bool is_over_ = false;
};

}  // namespace nplab::experiments
