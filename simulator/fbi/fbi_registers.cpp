// The FBI's control and status registers: what reading and writing each one does.
#include <utility>

#include "simulator/fbi/fbi.h"

namespace nplab::simulator {
namespace {

using Register = isa::ControlStatusRegister;

constexpr unsigned kFirstHashMultiplier = static_cast<unsigned>(Register::kHashMultiplier0);

bool is_hash_multiplier(unsigned number) {
  return number >= kFirstHashMultiplier &&
         number < kFirstHashMultiplier + HashUnit::kMultiplierRegisters;
}

}  // namespace

void Fbi::read_register(const Command& command, Cycle at) {
  const std::optional<std::uint32_t> value = register_value(command, at);
  if (!value) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "register " + std::to_string(command.csr) + " of the FBI cannot be read", at);
  }
  complete(command, {&*value, 1}, at + parameters_.csr_read_latency);
}

std::optional<std::uint32_t> Fbi::register_value(const Command& command, Cycle at) {
  if (is_hash_multiplier(command.csr))
    return hash_unit_.multiplier(command.csr - kFirstHashMultiplier);
  switch (static_cast<Register>(command.csr)) {
    case Register::kReceiveReady: ready_bus_.catch_up(at); return ready_bus_.receive_ready();
    case Register::kTransmitReady: ready_bus_.catch_up(at); return ready_bus_.transmit_ready();
    case Register::kReceiveReadyHigh:
    case Register::kTransmitReadyHigh: return 0;  // of ports from 32 on
    case Register::kReceiveReadyCount:
      ready_bus_.catch_up(at);
      return static_cast<std::uint32_t>(ready_bus_.samples());
    case Register::kReceiveControl: return receive_control_[command.thread.place()];
    case Register::kTransmitPointer: return transmit_.walked();
    case Register::kThreadDone: return thread_done_;
    case Register::kSequenceNumber1: return sequence_[0];
    case Register::kSequenceNumber2: return sequence_[1];
    case Register::kSelfDestruct: return std::exchange(self_destruct_, 0);
    case Register::kCycleCount: return static_cast<std::uint32_t>(at.number());
    default: return std::nullopt;
  }
}

void Fbi::write_register(const Command& command, std::uint32_t value, Cycle at) {
  if (is_hash_multiplier(command.csr))
    return hash_unit_.set_multiplier(command.csr - kFirstHashMultiplier, value);
  switch (static_cast<Register>(command.csr)) {
    case Register::kReceiveReadyCount: return configure_auto_push(command, value, at);
    case Register::kReceiveRequest: return request_receive(command, value, at);
    case Register::kTransmitValidate: return validate(command, value, at);
    case Register::kInterThreadSignal: return signal_thread(command, value, at);
    case Register::kThreadDone: thread_done_ = value; return;
    case Register::kSequenceNumber1: return set_sequence(0, value, at);
    case Register::kSequenceNumber2: return set_sequence(1, value, at);
    case Register::kIncrementSequence1: return set_sequence(0, sequence_[0] + 1, at);
    case Register::kIncrementSequence2: return set_sequence(1, sequence_[1] + 1, at);
    case Register::kSelfDestruct: self_destruct_ |= 1u << (value & 31); return;
    default:
      fault(command, Fault::Kind::kIllegalReference,
            "register " + std::to_string(command.csr) + " of the FBI cannot be written", at);
  }
}

void Fbi::request_receive(const Command& command, std::uint32_t value, Cycle at) {
  const unsigned stride = thread_stride(threads_.contexts);
  const ReceiveRequest request = ReceiveRequest::decode(value, stride);
  if (request.port >= connections_.media->ports() || request.element >= parameters_.fifo_elements ||
      !exists(request.thread)) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "rcv_req names port " + std::to_string(request.port) + ", element " +
                     std::to_string(request.element) + ", thread " +
                     std::to_string(request.thread.number(stride)) + ": one of them does not exist",
                 at);
  }
  ready_bus_.catch_up(at);
  if (!receive_.accept(request, at)) {
    fault(command, Fault::Kind::kQueueOverrun,
          "the receive-request queue holds " + std::to_string(parameters_.receive_requests) +
              " requests and got one more; test rec_req_avail first",
          at);
  }
}

void Fbi::configure_auto_push(const Command& command, std::uint32_t value, Cycle at) {
  const unsigned stride = thread_stride(threads_.contexts);
  const AutoPushControl control = AutoPushControl::decode(value, stride);
  if (control.is_on && (!exists(control.thread) || control.first > AutoPush::kMostFirst)) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "rcv_rdy_cnt names thread " + std::to_string(control.thread.number(stride)) +
                     ", register " + std::to_string(control.first) +
                     ": one does not exist, or fewer than 3 registers follow",
                 at);
  }
  auto_push_.configure(control, at);
}

void Fbi::validate(const Command& command, std::uint32_t element, Cycle at) {
  if (auto wrong = transmit_.validate(element, at)) {
    fault(command, Fault::Kind::kIllegalReference, std::move(*wrong), at);
  }
}

void Fbi::signal_thread(const Command& command, std::uint32_t thread, Cycle at) {
  const unsigned number = thread & kThreadField;
  const ThreadId named(number, thread_stride(threads_.contexts));
  if (!exists(named)) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "inter_thd_sig names thread " + std::to_string(number) + ", which does not exist",
                 at);
  }
  signal(named, isa::Event::kInterThread, at + parameters_.signal_latency);
}

// Every thread gets the event; a thread that does not wait for it keeps it.
void Fbi::set_sequence(unsigned which, std::uint32_t value, Cycle at) {
  if (sequence_[which] == value)
    return;
  sequence_[which] = value;
  const isa::Event event = which == 0 ? isa::Event::kSeqNum1Change : isa::Event::kSeqNum2Change;
  for (unsigned engine = 0; engine < threads_.engines; ++engine) {
    for (unsigned context = 0; context < threads_.contexts; ++context) {
      const ThreadId thread(EngineId(engine), ContextId{context});
      signal(thread, event, at + parameters_.signal_latency);
    }
  }
}

}  // namespace nplab::simulator
