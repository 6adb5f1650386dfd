// Looks for stop points in a run, cycle by cycle or over long windows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/debug_target.h"
#include "experiments/debugging/stop_points.h"
#include "simulator/base/reference_observer.h"
#include "simulator/engine/engine_snapshot.h"

namespace nplab::experiments {

// One search: it begins at the state that it is made in and is given each state after that at
// which the run pauses. What units and verdicts report carries its cycle, so it is found however
// long the windows are; what engines execute and queues hold is only known where every cycle is
// looked at, and longer windows say whether it may have come about in them.
class StopSearch final : public simulator::ReferenceObserver {
 public:
  using View = simulator::RunVisitor::View;

  // Of several hits, whether the first or the last is wanted.
  enum class Order { kFirst, kLast };

  // Hits count whose state is later than `after` and earlier than `before`.
  struct Bounds {
    std::uint64_t after = 0;
    std::uint64_t before = 0;
  };

  StopSearch(const DebugTarget& target, StopPoints stops, Order order, Bounds bounds,
             const View& view);
  StopSearch(const StopSearch&) = delete;
  StopSearch& operator=(const StopSearch&) = delete;
  ~StopSearch() override;

  // The run has come one cycle on.
  void look_at_cycle(const View& view);
  // The run has come any number of cycles on: whether a hit may lie in them that look_at_cycle
  // would have found.
  [[nodiscard]] bool may_have_missed(const View& view) const;
  // `thread`: whose annotation said it.
  void judged(std::uint64_t packet, const std::string& complaint, simulator::ThreadId thread,
              simulator::Cycle at);

  // All of the cycle that is wanted.
  [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
  // Wanted is the first, and it is known by now.
  [[nodiscard]] bool is_done(simulator::Cycle now) const {
    return order_ == Order::kFirst && !hits_.empty() && hits_.front().at < now.number();
  }

  void granted(const simulator::Command&, simulator::Cycle) override {}
  void served(const simulator::Command& command, unsigned longwords, simulator::Cycle at,
              simulator::Cycle done) override;

 private:
  // Of an engine with words to stop at.
  struct Engine {
    simulator::EngineSnapshot before;
    std::vector<bool> is_wanted;        // by word, in any context
    std::uint64_t executed_before = 0;  // of these words
  };
  // Where a queue or an engine that a chip stop names stands.
  struct ChipState {
    bool is_full = false;
    std::uint64_t taken = 0;  // entries
    std::uint64_t put = 0;
    simulator::Cycles idle = 0;      // of the engine, in all
    simulator::Cycles idle_for = 0;  // without a break
  };

  void add(Hit hit);
  void look_at_engine(unsigned number, Engine& engine, const View& view);
  void look_at_queues_and_idleness(const View& view);
  [[nodiscard]] std::uint64_t executed(unsigned number, const Engine& engine,
                                       const View& view) const;
  void observe(simulator::ReferenceObserver* observer) const;
  [[nodiscard]] ChipState chip_state(const ChipStop& stop, const View& view) const;
  [[nodiscard]] std::optional<std::string> came_about(const ChipStop& stop, const ChipState& before,
                                                      const ChipState& after) const;
  // Whether the memory stop is one for this reference that was served.
  bool matches(std::size_t stop, const simulator::Command& command, unsigned longwords);

  const DebugTarget& target_;
  StopPoints stops_;
  Order order_;
  simulator::ChipParts parts_;
  Bounds bounds_;
  std::map<unsigned, Engine> engines_;  // by number, those with words to stop at
  std::vector<ChipState> chip_before_;  // by chip stop
  std::vector<std::uint32_t> held_;     // by memory stop: the longword at its address
  std::vector<Hit> hits_;               // of one cycle
};

}  // namespace nplab::experiments
