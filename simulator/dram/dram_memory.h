// The channels of a DRAM: each has its controller and its devices; an address mapping spreads the
// bursts over them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/dram/address_mapping.h"
#include "simulator/dram/command_trace.h"
#include "simulator/dram/controller.h"

namespace nplab::simulator::dram {

struct DramDescription {
  Organization organization;
  Mapping mapping{};
  Ddr4Timing timing;
  ControllerDescription controller;
};

class DramMemory {
 public:
  explicit DramMemory(const DramDescription& description)
      : DramMemory(description, constraints_of(description.timing)) {}
  // With other constraints than those of the timing, for tests.
  DramMemory(const DramDescription& description, const std::vector<Constraint>& constraints);

  // Is notified of every command; may be null.
  void observe(CommandObserver* observer) { observer_ = observer; }

  // Whether the burst's channel takes as many more.
  [[nodiscard]] bool has_room(std::uint64_t burst, bool is_write, unsigned places = 1) const;
  // A request arrives before the commands of clock `at`; the tags of requests that wait differ.
  // Requires room.
  Controller::Added add(std::uint64_t tag, std::uint64_t burst, bool is_write, Clock at);

  // No command is issued before this clock unless a request arrives.
  [[nodiscard]] Clock next_clock() const;
  // Works through all clocks before `end` and calls `served` for every request whose command is
  // issued, in the order of the clocks.
  template <class Served>
  void run(Clock end, Served served) {
    for (Clock now = next_clock(); now < end; now = next_clock())
      for (unsigned channel = 0; channel < controllers_.size(); ++channel)
        if (const auto request = step(channel, now))
          served(*request);
  }

  [[nodiscard]] const DramDescription& description() const { return description_; }
  [[nodiscard]] const AddressMapping& mapping() const { return mapping_; }
  [[nodiscard]] const Controller& controller(unsigned channel) const {
    return controllers_[channel];
  }
  // Of all channels.
  [[nodiscard]] ControllerCounters counters() const;
  [[nodiscard]] std::size_t waiting() const;
  // Clocks from the arrival of a read at an idle memory whose rows are closed to the end of its
  // data.
  [[nodiscard]] Clock unloaded_clocks() const {
    const Ddr4Timing& timing = description_.timing;
    return Clock{timing.t_rcd} + timing.cl + timing.burst;
  }
  void hash(StateHash& hash) const;

 private:
  std::optional<ServedRequest> step(unsigned channel, Clock now);

  DramDescription description_;
  AddressMapping mapping_;
  std::vector<Controller> controllers_;
  CommandObserver* observer_ = nullptr;
};

}  // namespace nplab::simulator::dram
