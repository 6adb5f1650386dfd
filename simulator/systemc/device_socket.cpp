#include "simulator/systemc/device_socket.h"

#include <array>

#include <fmt/format.h>

#include "simulator/systemc/report.h"

namespace nplab::systemc {

using simulator::Cycle;
using simulator::Cycles;

void DevicePort::set(tlm::tlm_generic_payload& transaction, tlm::tlm_command command,
                     std::uint32_t address, std::span<std::uint32_t> longwords) const {
  const auto bytes = static_cast<unsigned>(longwords.size_bytes());
  transaction.set_command(command);
  transaction.set_address(address - range_.base);
  transaction.set_data_ptr(reinterpret_cast<unsigned char*>(longwords.data()));
  transaction.set_data_length(bytes);
  transaction.set_streaming_width(bytes);
  transaction.set_byte_enable_ptr(nullptr);
  transaction.set_dmi_allowed(false);
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void DevicePort::check_response(const tlm::tlm_generic_payload& transaction) const {
  if (!transaction.is_response_ok())
    warn(socket_.name(),
         fmt::format("{} failed: the module answers {}", transaction_text(transaction),
                     transaction.get_response_string()));
}

void DevicePort::report_early(const tlm::tlm_generic_payload& transaction,
                              const sc_core::sc_time& asked,
                              const sc_core::sc_time& answered) const {
  warn(
      socket_.name(),
      fmt::format("{} was asked for at {} and answered at {}: a module cannot answer before it was "
                  "asked; taken as no delay",
                  transaction_text(transaction), asked.to_string(), answered.to_string()));
}

unsigned DevicePort::debug(tlm::tlm_command command, std::uint32_t address,
                           std::span<std::uint32_t> longwords) {
  tlm::tlm_generic_payload transaction;
  set(transaction, command, address, longwords);
  return socket_->transport_dbg(transaction) / sizeof(std::uint32_t);
}

simulator::SramDevice::Answer BlockingDevice::read(std::uint32_t address,
                                                   std::span<std::uint32_t> longwords, Cycle at) {
  return transact(tlm::TLM_READ_COMMAND, address, longwords, at);
}

simulator::SramDevice::Answer BlockingDevice::write(std::uint32_t address,
                                                    std::span<const std::uint32_t> longwords,
                                                    Cycle at) {
  std::array<std::uint32_t, 8> copy{};
  const auto sent = std::span(copy).first(longwords.size());
  std::copy(longwords.begin(), longwords.end(), sent.begin());
  return transact(tlm::TLM_WRITE_COMMAND, address, sent, at);
}

simulator::SramDevice::Answer BlockingDevice::transact(tlm::tlm_command command,
                                                       std::uint32_t address,
                                                       std::span<std::uint32_t> longwords,
                                                       Cycle at) {
  if (command == tlm::TLM_READ_COMMAND)
    std::fill(longwords.begin(), longwords.end(), 0);
  tlm::tlm_generic_payload transaction;
  set(transaction, command, address, longwords);
  auto* const occupancy = new BusOccupancy;  // the transaction's own from here on
  transaction.set_extension(occupancy);
  sc_core::sc_time delay = clock_.until(at);
  const sc_core::sc_time asked = sc_core::sc_time_stamp() + delay;
  waiting_for_ = &transaction;
  overdue_.notify(answer_limit_);
  socket_->b_transport(transaction, delay);
  overdue_.cancel();
  waiting_for_ = nullptr;
  check_response(transaction);
  const sc_core::sc_time answered = sc_core::sc_time_stamp() + delay;
  if (answered < asked)
    report_early(transaction, asked, answered);
  Answer answer;
  answer.latency = answered < asked ? 0 : clock_.rounded_up(answered - asked);
  if (occupancy->is_set)
    answer.occupancy = clock_.rounded_up(occupancy->held);
  return answer;
}

void BlockingDevice::report_if_overdue() {
  if (waiting_for_ == nullptr)
    return;
  warn(socket_.name(), fmt::format("{} has had no answer for {}: the module does not return from "
                                   "b_transport, and the chip stands still",
                                   transaction_text(*waiting_for_), answer_limit_.to_string()));
}

}  // namespace nplab::systemc
