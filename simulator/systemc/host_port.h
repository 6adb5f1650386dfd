// What comes in at the host socket, as the program of the chip's core processor: accesses become
// references that the core issues one after the other, and each returns when its last is done.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include "simulator/bus/core_port.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/systemc/chip_clock.h"
#include "simulator/systemc/device_socket.h"

namespace nplab::systemc {

class HostPort final : public simulator::CoreProgram {
 public:
  // `name` is the socket's.
  HostPort(std::string name, const simulator::ChipDescription& chip)
      : name_(std::move(name)), chip_(chip) {}

  // An access under way, in the thread that makes it.
  struct Access {
    std::vector<simulator::CoreReference> references;
    std::size_t next = 0;  // to be issued
    std::vector<std::uint32_t> read;
    simulator::Cycle from;  // not before
    std::optional<simulator::Cycle> done;
    sc_core::sc_event completed;
  };
  // The references of an access; false: it is refused, and reported.
  bool plan(tlm::tlm_generic_payload& transaction, Access& access) const;
  // What was read goes into the transaction's data, and it is done.
  void conclude(tlm::tlm_generic_payload& transaction, const Access& access) const;
  void enqueue(Access& access) { waiting_.push_back(&access); }
  // When the first access that waits may begin; never() when none does.
  [[nodiscard]] simulator::Cycle next_from() const {
    return waiting_.empty() ? simulator::Cycle::never() : waiting_.front()->from;
  }
  // Hands accesses that may begin at `now` to the core: true if there is one.
  bool admit(simulator::Cycle now);
  // Wakes the threads whose accesses are done. Between windows.
  void notify(const ChipClock& clock);

  // The chip stops: accesses under way are not done.
  void abandon();

  // Memory without time. The number of bytes that were transferred.
  unsigned debug(tlm::tlm_generic_payload& transaction, const simulator::ChipParts& parts,
                 std::vector<std::unique_ptr<DevicePort>>& devices) const;

  Step next(simulator::Cycle now) override;
  void written(simulator::Cycle) override {}
  void completed(std::span<const std::uint32_t> longwords, simulator::Cycle at) override;

 private:
  // A range of the map.
  struct Region {
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    std::optional<simulator::CoreReference> reference;  // what an access of its first word makes
    const char* name = "";
  };
  [[nodiscard]] std::vector<Region> regions() const;
  [[nodiscard]] std::optional<Region> region_of(std::uint64_t address) const;
  bool plan_register(tlm::tlm_generic_payload& transaction, std::uint64_t address,
                     Access& access) const;
  void plan_memory(const tlm::tlm_generic_payload& transaction, const Region& region,
                   Access& access) const;

  std::string name_;
  const simulator::ChipDescription& chip_;
  std::deque<Access*> waiting_;   // for their cycle
  std::deque<Access*> admitted_;  // the first is under way
  std::vector<Access*> done_;     // and not notified
};

}  // namespace nplab::systemc
