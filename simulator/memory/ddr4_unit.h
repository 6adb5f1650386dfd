// An SDRAM unit whose memory is DDR4: the queues of every SDRAM unit (sdram_queues.h), and behind
// them one controller per channel (simulator/dram). The reference that is chosen is cut into
// bursts, and each core cycle one burst goes to the controller of its channel, if that has room. A
// write is done when its last burst waits there, a read when its last data have come. The memory's
// clock is an exact ratio of the core's. A thread gets its answers in the order in which its
// references were chosen, as programs rely on, though the controllers serve them in an order of
// their own. Simplified: a reference's effect on the contents happens when its first burst is
// handed over, since the controllers keep the order of references to one burst; a write of a part
// of a burst takes a burst, with the rest masked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/dram/clock_ratio.h"
#include "simulator/dram/dram_memory.h"
#include "simulator/memory/reference_effect.h"
#include "simulator/memory/sdram_queues.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class Ddr4Unit final : public SdramQueues<Ddr4Unit> {
 public:
  Ddr4Unit(const SdramDescription& description, std::uint64_t core_hz);

  // Bursts that were handed to the controllers.
  struct Bursts {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  [[nodiscard]] const Bursts& bursts() const { return bursts_; }
  [[nodiscard]] const dram::DramMemory& memory() const { return memory_; }
  [[nodiscard]] const dram::ClockRatio& ratio() const { return ratio_; }
  // Is notified of every command that the memory gets; may be null.
  void observe_commands(dram::CommandObserver* observer) { memory_.observe(observer); }

  [[nodiscard]] double bits_per_cycle() const override;
  [[nodiscard]] Ddr4Unit* ddr4() override { return this; }
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

 private:
  friend QueuedUnit;
  friend SdramQueues;

  // A reference that has left its queue.
  struct Reference {
    Command command;
    unsigned queue = 0;
    Cycle arrival;
    Cycle begun;   // when its first burst was handed over
    Burst data{};  // for the thread
    bool has_data = false;
    unsigned bursts_to_come = 0;   // of a read
    dram::Clock data_end = 0;      // of the bursts that have come
    Cycle ready = Cycle::never();  // when the memory is done
    Cycle done = Cycle::never();   // when the thread is told
  };
  // A burst of a reference.
  struct Request {
    BusUser sender;
    std::uint64_t reference = 0;
  };
  // The reference whose bursts are handed over, one each cycle.
  struct Entering {
    std::uint64_t tag = 0;
    Command command;
    std::uint64_t next = 0;  // burst
    std::uint64_t last = 0;
  };

  [[nodiscard]] std::uint64_t burst_of(std::uint32_t address) const {
    return address / dram::kBurstBytes;
  }
  // Even or odd, of the banks of a group.
  [[nodiscard]] unsigned bank_of(std::uint32_t address) const {
    return memory_.mapping().target(burst_of(address)).place.bank & 1;
  }
  [[nodiscard]] bool has_room_for(const Command& command, std::uint64_t burst) const {
    return !holds_bus(command) || memory_.has_room(burst, !is_read(command));
  }
  template <class Visit>
  void for_each_held_back(Visit visit) const {
    for (const auto& [tag, reference] : references_)
      visit(reference.queue, QueuedCommand{reference.command, reference.arrival});
  }

  void decide();
  void schedule();
  [[nodiscard]] std::uint64_t askers() const;
  void begin(unsigned queue);
  void hand_over();
  void pass_by(const Entering& entering);
  void served(const dram::ServedRequest& served);
  void burst_came(std::uint64_t tag, dram::Clock end);
  [[nodiscard]] Cycle done_of(dram::Clock data_end) const {
    return ratio_.cycle_from(data_end) + description_.push_latency;
  }
  void finish(std::uint64_t tag, Cycle ready);
  void settle(ThreadId thread);
  void add_answer(std::uint64_t tag, Reference& reference, Cycle done);
  void give_answers();

  SdramDescription description_;
  dram::ClockRatio ratio_;
  dram::DramMemory memory_;
  Cycles lookahead_;  // an answer that is not known yet comes later than this after now
  std::map<std::uint64_t, Reference> references_;  // that have left their queues, by tag
  std::optional<Entering> entering_;
  std::vector<std::uint64_t> finished_;  // references whose answers are known, the earliest first
  std::map<std::uint64_t, Request> requests_;  // that wait in the controllers, by tag
  std::uint64_t next_tag_ = 0;
  std::uint64_t bus_remainder_ = 0;  // data clocks x the ratio's denominator, not yet a cycle
  Bursts bursts_;
};

}  // namespace nplab::simulator
