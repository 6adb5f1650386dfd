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

// What is the same for every way of transport.
class DevicePort : public simulator::SramDevice {
 public:
  // The socket and the clock outlive this.
  DevicePort(Chip::DeviceSocket& socket, simulator::SramDeviceDescription range,
             const ChipClock& clock, const sc_core::sc_time& answer_limit)
      : socket_(socket), range_(std::move(range)), clock_(clock), answer_limit_(answer_limit) {}

  // Without time: the longwords that were transferred.
  unsigned debug(tlm::tlm_command command, std::uint32_t address,
                 std::span<std::uint32_t> longwords);
  [[nodiscard]] bool holds(std::uint32_t address) const {
    return address - range_.base < range_.bytes;
  }
  [[nodiscard]] const simulator::SramDeviceDescription& range() const { return range_; }

  // What waits longer than the limit for its answer is reported once: called when it has come.
  virtual void report_if_overdue() = 0;
  // Notified at that time.
  [[nodiscard]] const sc_core::sc_event& overdue() const { return overdue_; }

 protected:
  void set(tlm::tlm_generic_payload& transaction, tlm::tlm_command command, std::uint32_t address,
           std::span<std::uint32_t> longwords) const;
  // Reports a response that is an error.
  void check_response(const tlm::tlm_generic_payload& transaction) const;
  // Reports an answer that comes before the time at which it was asked for.
  void report_early(const tlm::tlm_generic_payload& transaction, const sc_core::sc_time& asked,
                    const sc_core::sc_time& answered) const;

  Chip::DeviceSocket& socket_;
  simulator::SramDeviceDescription range_;
  const ChipClock& clock_;
  sc_core::sc_time answer_limit_;
  sc_core::sc_event overdue_;
};

// Loosely timed: the module answers by the time that it annotates, or waits.
class BlockingDevice final : public DevicePort {
 public:
  using DevicePort::DevicePort;

  Answer read(std::uint32_t address, std::span<std::uint32_t> longwords,
              simulator::Cycle at) override;
  Answer write(std::uint32_t address, std::span<const std::uint32_t> longwords,
               simulator::Cycle at) override;
  void report_if_overdue() override;

 private:
  Answer transact(tlm::tlm_command command, std::uint32_t address,
                  std::span<std::uint32_t> longwords, simulator::Cycle at);

  const tlm::tlm_generic_payload* waiting_for_ = nullptr;  // the transaction under way, if any
};

}  // namespace nplab::systemc
