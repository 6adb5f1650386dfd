// An SRAM device with which the chip talks in the phases of TLM-2.0's base protocol: approximately
// timed. The request holds the bus until END_REQ, and any number of references may be under way
// until their BEGIN_RESP. The answer path never waits: END_RESP is given at once.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "simulator/memory/sram_unit.h"
#include "simulator/systemc/device_socket.h"

namespace nplab::systemc {

class PhasedDevice final : public DevicePort {
 public:
  using DevicePort::DevicePort;
  ~PhasedDevice() override;
  PhasedDevice(const PhasedDevice&) = delete;
  PhasedDevice& operator=(const PhasedDevice&) = delete;

  Answer read(std::uint32_t address, std::span<std::uint32_t> longwords,
              simulator::Cycle at) override;
  Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords,
               simulator::Cycle at) override;
  void report_if_overdue() override;

  // The backward path.
  tlm::tlm_sync_enum respond(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                             const sc_core::sc_time& delay);

  // While a reference is under way, the chip does not run ahead of the kernel's time: its answer
  // may come at any time from then on.
  [[nodiscard]] bool is_busy() const { return !exchanges_.empty(); }
  // Between windows: the unit is told what came for cycles that all lie before the last one done.
  // That is the same however the kernel orders its processes.
  void deliver(simulator::Cycle now, simulator::SramUnit& unit);

 private:
  class Exchange;
  enum class Stage { kRequested, kTaken, kAnswered };
  // What the module said of a reference, to take effect in its cycle.
  struct Fact {
    simulator::Cycle at;
    Stage stage{};
    Ticket ticket = 0;
    std::array<std::uint32_t, 8> data{};
    unsigned longwords = 0;
  };

  Answer begin(tlm::tlm_command command, std::uint32_t address, std::span<std::uint32_t> longwords,
               simulator::Cycle at);
  // The module has answered within the call that asked: as for blocking transport.
  Answer answered_at_once(Exchange& exchange, const sc_core::sc_time& when,
                          std::span<std::uint32_t> longwords);
  void take(Exchange& exchange, Stage stage, const sc_core::sc_time& when);
  [[nodiscard]] simulator::Cycle cycle_of(const Exchange& exchange,
                                          const sc_core::sc_time& when) const;
  void report_phase(const tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase,
                    const char* rule) const;
  void release(Ticket ticket);

  std::map<Ticket, Exchange*> exchanges_;  // until the unit has their answers
  Ticket tickets_ = 0;
  std::vector<Fact> facts_;
};

}  // namespace nplab::systemc
