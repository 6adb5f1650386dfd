// Breakpoints of a session: what its client sets, as stop points of a run, and whether a hit of one
// stops the run.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debugging/debug_target.h"
#include "experiments/debugging/stop_points.h"

namespace nplab::tools {

enum class Direction { kForwards, kBackwards };

// Numbers the hits of a breakpoint from where it was set: those after it 1, 2, ..., those before it
// -1, -2, ... So a hit has the same number whichever way the run comes to it.
class HitCount {
 public:
  // Stops at each hit whose number is a multiple of this.
  explicit HitCount(std::uint64_t every = 1) : every_(static_cast<std::int64_t>(every)) {}

  // The run has come to a hit: whether it stops.
  bool stops_at(const experiments::Hit& hit, Direction direction);

 private:
  using Moment = std::pair<std::uint64_t, unsigned>;  // cycle, engine

  std::int64_t every_;
  std::int64_t number_ = 0;     // of the hit met last
  std::optional<Moment> last_;  // when that was
};

struct Breakpoint {
  int id = 0;
  experiments::StopPoints stops;
  std::string reason;     // of a stop, as the protocol names it
  std::string condition;  // an expression; empty: none
  std::string log;        // a message instead of a stop
  HitCount count{};
};

class Breakpoints {
 public:
  using Json = nlohmann::json;

  // Keeps a reference to the target.
  explicit Breakpoints(const experiments::DebugTarget& target) : target_(target) {}

  // Requests of the protocol: each replaces what the one before it set, and gives the answer's
  // body.
  Json set_in_source(const Json& arguments);
  Json set_at_functions(const Json& arguments);
  Json set_at_instructions(const Json& arguments);
  Json set_at_data(const Json& arguments);
  Json set_by_filters(const Json& arguments);
  // What a data breakpoint at a place would be.
  [[nodiscard]] Json data_info(const Json& arguments) const;

  // Of all.
  [[nodiscard]] experiments::StopPoints stop_points() const;
  // Null: there is none of this number.
  [[nodiscard]] Breakpoint* find(int id);

 private:
  // Replaced together: those of a source, all functions, ...
  struct Group {
    std::vector<Breakpoint> breakpoints;
    Json answers = Json::array();

    // Answers with what is wrong, or adds the breakpoint.
    void refuse(int id, const std::string& message);
    void add(Breakpoint breakpoint, Json answer = Json::object());
  };
  Json replace(const std::string& name, Group group);

  const experiments::DebugTarget& target_;
  std::map<std::string, Group> groups_;
  int next_id_ = 1;
};

}  // namespace nplab::tools
