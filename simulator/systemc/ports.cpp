// What passes the port sockets and the host socket, and what becomes of the frames.
#include <fmt/format.h>

#include "simulator/systemc/implementation.h"
#include "simulator/systemc/report.h"

namespace nplab::systemc {

using simulator::Cycle;

namespace {

constexpr std::size_t kMostMessages = 10;
constexpr unsigned kLongestFrame = 16'384;

std::string rule_text(std::optional<std::uint32_t> rule) {
  return rule ? fmt::format("rule {}", *rule) : "no match";
}

bool check_frame(tlm::tlm_generic_payload& transaction, const std::string& socket) {
  const unsigned length = transaction.get_data_length();
  if (!transaction.is_write()) {
    refuse(transaction, tlm::TLM_COMMAND_ERROR_RESPONSE, socket, "a frame is a write");
  } else if (transaction.get_address() != 0) {
    refuse(transaction, tlm::TLM_ADDRESS_ERROR_RESPONSE, socket, "a frame is written to address 0");
  } else if (transaction.get_byte_enable_ptr() != nullptr) {
    refuse(transaction, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, socket, "no byte enables are taken");
  } else if (transaction.get_streaming_width() < length) {
    refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, socket, "streaming is not taken");
  } else if (length == 0 || length > kLongestFrame || transaction.get_data_ptr() == nullptr) {
    refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, socket,
           fmt::format("a frame has 1 to {} bytes", kLongestFrame));
  } else {
    return true;
  }
  return false;
}

}  // namespace

void Chip::Implementation::receive(unsigned port, tlm::tlm_generic_payload& transaction,
                                   sc_core::sc_time& delay) {
  const std::string socket = module_.port[port].rx.name();
  if (!check_frame(transaction, socket))
    return;
  FrameExtension* extension = nullptr;
  transaction.get_extension(extension);
  if (extension != nullptr && extension->length != transaction.get_data_length())
    return refuse(transaction, tlm::TLM_BURST_ERROR_RESPONSE, socket,
                  fmt::format("its extension says {} bytes", extension->length));
  const unsigned char* const bytes = transaction.get_data_ptr();
  workloads::OfferedPacket packet =
      store_.add(port, {bytes, bytes + transaction.get_data_length()});
  packet.damaged = extension != nullptr && extension->error;
  const Cycle at = clock_.first_from(sc_core::sc_time_stamp() + delay);
  const auto on_wire =
      session_->environment().media.receive(port).offer(packet, at, done_or_begun());
  session_->environment().fbi.frame_offered(port);
  note_late(socket, Cycle(on_wire.first_byte.number() - on_wire.late), on_wire.late);
  delay = std::max(delay, clock_.until(on_wire.free));
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Chip::Implementation::sent(unsigned port, Cycle, std::span<const std::uint8_t> frame) {
  if (sends_[port])
    outgoing_.push_back({port,
                         {frame.begin(), frame.end()},
                         session_->environment().media.transmit(port).last_frame()});
}

void Chip::Implementation::send(const Outgoing& outgoing) {
  auto& socket = module_.port[outgoing.port].tx;
  std::vector<std::uint8_t> bytes = outgoing.bytes;
  const auto length = static_cast<unsigned>(bytes.size());
  tlm::tlm_generic_payload transaction;
  transaction.set_command(tlm::TLM_WRITE_COMMAND);
  transaction.set_address(0);
  transaction.set_data_ptr(bytes.data());
  transaction.set_data_length(length);
  transaction.set_streaming_width(length);
  auto* const extension = new FrameExtension;  // the transaction's own from here on
  extension->length = length;
  extension->first_byte = clock_.start_of(outgoing.passage.first_byte);
  extension->last_byte = clock_.start_of(outgoing.passage.last_byte);
  transaction.set_extension(extension);
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = clock_.until(outgoing.passage.last_byte);
  const sc_core::sc_time due = sc_core::sc_time_stamp() + delay;
  socket->b_transport(transaction, delay);
  if (!transaction.is_response_ok())
    warn(socket.name(),
         fmt::format("{} failed: the receiver answers {}", transaction_text(transaction),
                     transaction.get_response_string()));
  if (sc_core::sc_time_stamp() + delay < due)
    warn(socket.name(),
         fmt::format("{} was handed over at {} and came back with a time before that",
                     transaction_text(transaction), due.to_string()));
}

void Chip::Implementation::serve_host(tlm::tlm_generic_payload& transaction,
                                      sc_core::sc_time& delay) {
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    return refuse(transaction, tlm::TLM_GENERIC_ERROR_RESPONSE, module_.host.name(),
                  "b_transport is called from a method process, and must wait");
  HostPort::Access access;
  if (!host_->plan(transaction, access))
    return;
  const auto refuse_stopped = [&] {
    refuse(transaction, tlm::TLM_GENERIC_ERROR_RESPONSE, module_.host.name(),
           "the chip has stopped");
  };
  if (is_over_)
    return refuse_stopped();
  const Cycle wanted = clock_.first_from(sc_core::sc_time_stamp() + delay);
  access.from = std::max(wanted, done_or_begun());
  note_late(module_.host.name(), wanted, access.from - wanted);
  host_->enqueue(access);
  sc_core::wait(access.completed);
  delay = sc_core::SC_ZERO_TIME;
  if (!access.done)
    return refuse_stopped();
  host_->conclude(transaction, access);
}

unsigned Chip::Implementation::debug_host(tlm::tlm_generic_payload& transaction) {
  return host_->debug(transaction, parts(), devices_);
}

void Chip::Implementation::received(unsigned, Cycle, std::span<const std::uint8_t>) {}

void Chip::Implementation::received(const workloads::OfferedPacket& packet, unsigned port, Cycle) {
  store_.received(packet, port);
}

void Chip::Implementation::verdict(const workloads::OfferedPacket& packet,
                                   std::optional<std::uint32_t> rule, Cycle at) {
  if (on_verdict_)
    on_verdict_({packet.frame.data(), packet.frame.size(), rule, at.number()});
  if (!options_.checks_verdicts)
    return;
  const auto expected = program_.contents().classify(packet.frame);
  if (rule == expected)
    return;
  ++misclassified_;
  if (messages_.size() < kMostMessages)
    messages_.push_back(fmt::format("cycle {}: verdict {}, the reference says {}", at.number(),
                                    rule_text(rule), rule_text(expected)));
}

void Chip::Implementation::dropped(const workloads::OfferedPacket& packet, simulator::DropReason,
                                   Cycle) {
  store_.finished(packet);
}

void Chip::Implementation::sent(const workloads::OfferedPacket& packet, unsigned, Cycle) {
  store_.finished(packet);
}

}  // namespace nplab::systemc
