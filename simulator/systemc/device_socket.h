// An SRAM device of the chip as the initiator at one of its sockets.
#pragma once

#include <functional>
#include <string>

#include "nplab/systemc/chip.h"
#include "nplab/systemc/unit.h"
#include "simulator/memory/sram_device.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/systemc/chip_clock.h"

namespace nplab::systemc {

class DevicePort final : public simulator::SramDevice {
 public:
  // The socket and the clock outlive this.
  DevicePort(Chip::DeviceSocket& socket, simulator::SramDeviceDescription range,
             const ChipClock& clock, const sc_core::sc_time& answer_limit)
      : socket_(socket), range_(std::move(range)), clock_(clock), answer_limit_(answer_limit) {}

  Answer read(std::uint32_t address, std::span<std::uint32_t> longwords,
              simulator::Cycle at) override;
  Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords,
               simulator::Cycle at) override;

  // Without time: the longwords that were transferred.
  unsigned debug(tlm::tlm_command command, std::uint32_t address,
                 std::span<std::uint32_t> longwords);
  [[nodiscard]] bool holds(std::uint32_t address) const {
    return address - range_.base < range_.bytes;
  }
  [[nodiscard]] const simulator::SramDeviceDescription& range() const { return range_; }

  // What waits longer than the limit for its answer is reported once: called when it has come.
  void report_if_overdue();
  // Notified at that time.
  [[nodiscard]] const sc_core::sc_event& overdue() const { return overdue_; }

 private:
  Answer transact(tlm::tlm_command command, std::uint32_t address,
                  std::span<std::uint32_t> longwords, simulator::Cycle at);
  [[nodiscard]] simulator::Cycles latency(const tlm::tlm_generic_payload& transaction,
                                          const sc_core::sc_time& given,
                                          const sc_core::sc_time& taken) const;
  void set(tlm::tlm_generic_payload& transaction, tlm::tlm_command command, std::uint32_t address,
           std::span<std::uint32_t> longwords) const;

  Chip::DeviceSocket& socket_;
  simulator::SramDeviceDescription range_;
  const ChipClock& clock_;
  sc_core::sc_time answer_limit_;
  sc_core::sc_event overdue_;
  const tlm::tlm_generic_payload* waiting_for_ = nullptr;  // the transaction under way, if any
};

}  // namespace nplab::systemc
