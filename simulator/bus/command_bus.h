// The engines' command FIFOs and the one command bus between them and the units. Each cycle in
// which the bus is free it grants, of the engines whose oldest command's unit has room, the one
// that the arbiter names; a command with chain_ref keeps the grant with its engine. A command that
// finds no room stays in its FIFO and, the FIFO full, holds back its engine: push-back.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/arbitration/policies.h"
#include "simulator/base/fixed_queue.h"
#include "simulator/base/ports.h"
#include "simulator/base/queued_references.h"
#include "simulator/base/reference_observer.h"
#include "simulator/bus/latency_spread.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class CommandBus final : public CommandSink, public Inspectable {
 public:
  // `others` are masters besides the engines, whose numbers follow theirs.
  explicit CommandBus(const ChipDescription& chip, unsigned others = 0);

  struct Units {
    UnitQueue* sram = nullptr;
    UnitQueue* sdram = nullptr;
    UnitQueue* scratch = nullptr;
    UnitQueue* fbi = nullptr;
  };
  // Once, before the first cycle.
  void connect(const Units& units);

  [[nodiscard]] bool can_accept(EngineId engine) const override {
    return !fifos_[engine.index()].full();
  }
  [[nodiscard]] Cycle full_before(EngineId engine) const override;
  void push(const Command& command) override;
  void hold(EngineId engine, Cycle from, CyclesByStallCause& refused) override;
  [[nodiscard]] ChargedAhead charged_ahead(EngineId engine, Cycle end) const override;

  // Works through all cycles before `horizon` that are not done yet. All commands issued before its
  // last are there.
  void run(Cycle horizon) {
    if (occupied_ == 0)
      now_ = horizon;
    else
      arbitrate_until(horizon);
  }

  // Is notified of grants; may be null.
  void observe(ReferenceObserver* observer) { observer_ = observer; }
  // Commands in the FIFO of `engine`.
  [[nodiscard]] std::size_t queued(EngineId engine) const { return fifos_[engine.index()].size(); }
  // Those to `unit`, in all FIFOs.
  [[nodiscard]] QueuedReferences queued_for(isa::Unit unit) const;

  // Nothing that has not been granted arrives in a unit before this cycle, if nothing else is
  // issued before `issue`.
  [[nodiscard]] Cycle earliest_arrival(Cycle issue) const;

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  // What arbitration asks of a command FIFO that is not empty.
  struct Claim {
    UnitQueue* unit = nullptr;  // of the oldest command
    Cycle issued;               // the oldest command
    Cycle not_before;           // it is not granted before
    StallCause
        refused_by{};  // the queue that had no room for it in the cycles before, if it was tried
  };

  // An instruction that the oldest command of its engine holds in P3.
  struct Held {
    Cycle behind = Cycle::never();  // the command's cycle of issue
    Cycle from;  // the first cycle of the bus that counts: the one before the first in which it is
                 // held
    CyclesByStallCause* refused = nullptr;
  };

  void arbitrate_until(Cycle horizon);
  // The unit of the claim's command has no room in cycle `at`.
  inline void refuse(unsigned engine, const Command& command, Cycle at);
  // Whether the command at the front was refused already; never in the cycle of its arrival there.
  [[nodiscard]] static bool was_refused(const Claim& claim) {
    return claim.not_before > claim.issued + 1;
  }
  [[nodiscard]] Cycle earliest_grant(unsigned engine) const {
    return std::max(now_, claims_[engine].not_before);
  }
  // The engines whose commands can be granted soonest, and when.
  class RequestView;
  [[nodiscard]] inline RequestView soonest() const;
  inline void grant(unsigned engine, const RequestView& requests);
  inline void make_claim(unsigned engine);
  [[nodiscard]] UnitQueue& unit_of(const Command& command) const {
    return *units_[static_cast<unsigned>(command.unit)];
  }

  // What commands to `unit` are given to: the unit, or what delays them on the way.
  UnitQueue* way_to(UnitQueue* unit);

  CommandBusDescription description_;
  std::optional<LatencySpreadDescription> spread_;
  std::vector<std::unique_ptr<LatencySpread>> spreads_;  // one a unit, if the chip has it
  std::vector<FixedQueue<Command>> fifos_;               // one per engine
  std::array<UnitQueue*, 7> units_{};                    // by isa::Unit
  std::vector<Claim> claims_;                            // by engine
  std::vector<Held> held_;                               // by engine
  std::uint64_t occupied_ = 0;                           // FIFOs that are not empty, a bit each
  Cycle now_;
  Cycle free_at_;
  BusArbiter arbiter_;
  bool chained_ = false;   // the engine granted last keeps the grant
  unsigned chaining_ = 0;  // which that is
  std::uint64_t grants_ = 0;
  ReferenceObserver* observer_ = nullptr;
};

}  // namespace nplab::simulator
