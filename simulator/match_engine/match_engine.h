// The match unit: tuple space search over tables in DRAM with a counter and a time stamp for every
// rule, out of order, behind a cache and queues of loads and stores. Rules come and go while
// packets are looked up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/match_engine/action_pipeline.h"
#include "simulator/match_engine/cycle_observer.h"
#include "simulator/match_engine/cycle_runner.h"
#include "simulator/match_engine/hasher.h"
#include "simulator/match_engine/input_handler.h"
#include "simulator/match_engine/line_cache.h"
#include "simulator/match_engine/load_queue.h"
#include "simulator/match_engine/match_memory.h"
#include "simulator/match_engine/store_queue.h"
#include "simulator/match_engine/wires.h"

namespace nplab::simulator::match {

// Cycles without progress after which a unit hangs: longer than any memory keeps a read waiting.
inline constexpr Cycles kMostWithoutProgress = 1'000'000;

class MatchEngine {
 public:
  // The sources, either of which may be null, and the sink outlive it.
  MatchEngine(const MatchDescription& description, isa::match::LookupProgram program,
              isa::match::TableImage tables, RequestSource* packets, RequestSource* updates,
              ResultSink& results);
  MatchEngine(const MatchEngine&) = delete;
  MatchEngine& operator=(const MatchEngine&) = delete;

  static constexpr unsigned kModules = 7;
  using Order = std::array<unsigned, kModules>;
  // In which order the modules of a cycle are worked through, which changes nothing.
  void set_order(const Order& order) { order_ = order; }

  // Works through all cycles before `end` that are not done yet.
  void run(Cycle end);
  [[nodiscard]] Cycle now() const { return now_; }
  // Cycles since a session last went through the action pipeline or nothing was under way: of a
  // unit that hangs they grow without end, and describe_waiting() says what waits for what.
  [[nodiscard]] Cycles without_progress() const { return now_ - last_progress_; }
  // Whether nothing is under way: lines that changed may still wait to be written.
  [[nodiscard]] bool is_idle() const;

  // The rule in a slot with its state, wherever the newest version is. Of an idle unit.
  [[nodiscard]] Entry rule(Slot slot) const;
  // Slots that may hold rules, ascending; all others are empty. Of an idle unit.
  [[nodiscard]] std::vector<Slot> slots() const;

  [[nodiscard]] const InputHandler& input() const { return input_; }
  [[nodiscard]] const LineCache& cache() const { return cache_; }
  [[nodiscard]] const LoadQueue& loads() const { return loads_; }
  [[nodiscard]] const StoreQueue& stores() const { return stores_; }
  [[nodiscard]] const ActionPipeline& actions() const { return actions_; }
  [[nodiscard]] const MatchMemory& memory() const { return memory_; }
  [[nodiscard]] MatchMemory& memory() { return memory_; }
  [[nodiscard]] const std::array<Module*, kModules>& modules() const { return modules_; }
  [[nodiscard]] Wires& wires() { return wires_; }
  [[nodiscard]] unsigned sessions() const { return sessions_.size(); }
  [[nodiscard]] const Session& session(Tag tag) const { return sessions_[tag]; }
  // Is called after each cycle from now on; may be null.
  void observe(CycleObserver* observer) { observer_ = observer; }
  // Who works the modules of a cycle through from now on; null: the engine itself, in its order.
  void run_by(CycleRunner* runner) { runner_ = runner; }

  void describe_waiting(std::vector<std::string>& lines) const;
  void hash(StateHash& hash);

 private:
  void work_through_cycle();

  isa::match::LookupProgram program_;
  Wires wires_;
  SessionStorage sessions_;
  Action action_;
  InputHandler input_;
  Hasher hasher_;
  LineCache cache_;
  MatchMemory memory_;
  LoadQueue loads_;
  StoreQueue stores_;
  ActionPipeline actions_;
  std::array<Module*, kModules> modules_;
  Order order_{0, 1, 2, 3, 4, 5, 6};
  Cycle now_;
  Cycle last_progress_;
  CycleObserver* observer_ = nullptr;
  CycleRunner* runner_ = nullptr;
};

}  // namespace nplab::simulator::match
