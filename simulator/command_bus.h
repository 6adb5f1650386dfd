// The engines' command FIFOs and the one command bus between them and the units. Each cycle in which the bus is free it
// grants, of the engines whose oldest command's unit has room, the one whose last grant is longest ago; a command with
// chain_ref keeps the grant with its engine. (A rotation that goes on with every grant would starve engines that wait
// for a full unit, while another engine's references to a free one move it.) A command that finds no room stays in its
// FIFO and, the FIFO full, holds back its engine: push-back.
#pragma once

#include <array>
#include <vector>

#include "simulator/chip_description.h"
#include "simulator/fixed_queue.h"
#include "simulator/ports.h"
#include "simulator/reference_observer.h"

namespace nplab::simulator {

class CommandBus final : public CommandSink, public Inspectable {
 public:
  explicit CommandBus(const ChipDescription& chip);

  struct Units {
    UnitQueue* sram = nullptr;
    UnitQueue* sdram = nullptr;
    UnitQueue* scratch = nullptr;
    UnitQueue* fbi = nullptr;
  };
  // Once, before the first cycle.
  void connect(const Units& units);

  [[nodiscard]] bool can_accept(EngineId engine) const override { return !fifos_[engine.index()].full(); }
  [[nodiscard]] Cycle full_before(EngineId engine) const override;
  void push(const Command& command) override;

  // Works through all cycles before `horizon` that are not done yet. All commands issued before its last are there.
  void run(Cycle horizon) {
    if (occupied_ == 0) now_ = horizon;
    else arbitrate_until(horizon);
  }

  // Who is told of grants; null: nobody.
  void observe(ReferenceObserver* observer) { observer_ = observer; }
  // Commands in the FIFO of `engine`.
  [[nodiscard]] std::size_t queued(EngineId engine) const { return fifos_[engine.index()].size(); }

  // Nothing that is granted from `now` on arrives in a unit before this cycle, if all issued before `now` is here.
  [[nodiscard]] Cycle earliest_arrival(Cycle now) const {
    return now + (description_.latency + (occupied_ == 0 ? 1 : 0));
  }

  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  void arbitrate_until(Cycle horizon);
  [[nodiscard]] UnitQueue& unit_of(const Command& command) const {
    return *units_[static_cast<unsigned>(command.unit)];
  }
  [[nodiscard]] bool has_command(unsigned engine) const;
  void grant(unsigned engine);
  Cycle arbitrate();

  CommandBusDescription description_;
  std::vector<FixedQueue<Command>> fifos_;  // one an engine
  std::array<UnitQueue*, 7> units_{};  // by isa::Unit
  Cycle now_;
  Cycle free_at_;
  std::vector<unsigned> order_;  // engines by their claim on the next grant
  bool chained_ = false;         // the first alone has one
  std::uint64_t occupied_ = 0;  // FIFOs that are not empty, a bit each
  std::uint64_t grants_ = 0;
  ReferenceObserver* observer_ = nullptr;
};

}  // namespace nplab::simulator
