#include "simulator/fbi/fbi.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator {
namespace {

// Commands served within a window stay in the queue until the FBI catches up.
constexpr unsigned kWindowCommands = kReach;

constexpr CommandKinds kAnything{true, true};

// From the service of a command to the answer or signal that it causes. A request to receive is
// answered after a transfer or its time-out.
Cycles quickest_answer(const FbiParameters& parameters, const IxClock& ix_clock,
                       const CommandKinds& kinds) {
  const Cycles receipt =
      std::min<Cycles>(parameters.receive_timeout, IxBus::shortest_transfer(ix_clock, parameters));
  const Cycles quickest =
      std::min<Cycles>({parameters.csr_read_latency, parameters.csr_write_latency,
                        parameters.fifo_longword_cycles + parameters.fifo_latency,
                        parameters.hash_latency, receipt + parameters.receive_control_latency});
  return kinds.thread_signals ? std::min<Cycles>(quickest, parameters.signal_latency) : quickest;
}

}  // namespace

Fbi::Fbi(const FbiParameters& parameters, const IxClock& ix_clock, const Threads& threads,
         FrameTracker& tracker)
    : parameters_(parameters),
      ix_clock_(ix_clock),
      threads_(threads),
      tracker_(tracker),
      receive_(parameters_, receive_fifo_, tracker),
      transmit_(parameters_, transmit_fifo_, tracker),
      ix_bus_(ix_clock, receive_, transmit_),
      ready_bus_(parameters_, receive_),
      auto_push_(parameters.ready_bus_period, parameters.csr_read_latency),
      queue_entries_(parameters.queues["queue"]),
      commands_(queue_entries_ + kWindowCommands),
      quickest_(quickest_answer(parameters, ix_clock, kAnything)) {
  assert(parameters.fifo_elements >= 1 && parameters.fifo_elements <= kMostFifoElements &&
         "element fields have four bits");
  assert(parameters.command_latency >= 1 && parameters.csr_cycles >= 1 &&
         parameters.fifo_longword_cycles >= 1 && parameters.hash_cycles >= 1 &&
         parameters.ready_bus_period >= 1 && parameters.ix_bytes_per_cycle >= 1 &&
         "nothing takes no time");
  assert(threads.engines <= kMostEngines && threads.contexts <= kMostContexts &&
         "thread fields have nine bits");
}

void Fbi::connect(const FbiConnections& connections) {
  assert(connections.media != nullptr && "the FBI serves the ports of a media device");
  connections_ = connections;
  receive_.connect(*connections.media);
  transmit_.connect(*connections.media);
  ready_bus_.connect(*connections.media);
}

void Fbi::expect(const CommandKinds& kinds) {
  quickest_ = quickest_answer(parameters_, ix_clock_, kinds);
}

void Fbi::step(Cycle at) {
  if (auto_push_.next_sample() == at)
    push_sample(at);
  if (ix_bus_.end() == at)
    finish_transfer(at);
  if (!commands_.empty() && commands_.front().service == at)
    serve(commands_.pop().command, at);
  while (receive_.timeout() <= at) {
    ready_bus_.catch_up(at);
    answer(receive_.give_up(at), at);
  }
  if (ix_bus_.grant_cycle() == at)
    ix_bus_.grant(at);
  schedule();
  assert(next_event_ > at && "time goes on");
}

void Fbi::schedule() {
  const Cycle command = commands_.empty() ? Cycle::never() : commands_.front().service;
  next_event_ = std::min({command, ix_bus_.end(), ix_bus_.grant_cycle(), receive_.timeout(),
                          auto_push_.next_sample()});
}

Cycle Fbi::earliest_answer(Cycle arrival) const {
  Cycle earliest =
      std::min(arrival + parameters_.command_latency + quickest_, auto_push_.earliest_arrival());
  for (std::size_t i = 0; i < commands_.size(); ++i)
    earliest = std::min(earliest, commands_.at(i).service + commands_.at(i).quickest);
  // The receive machine answers when a transfer to the RFIFO or a time-out ends; what is given next
  // ends later.
  const bool receives = ix_bus_.user() == IxBus::User::kReceive;
  const Cycle next_transfer =
      receives ? Cycle::never() : std::min(ix_bus_.end(), ix_bus_.grant_cycle());
  Cycle received = std::min(receives ? ix_bus_.end() : Cycle::never(), receive_.timeout());
  if (next_transfer != Cycle::never())
    received = std::min(received, next_transfer + IxBus::shortest_transfer(ix_clock_, parameters_));
  if (received == Cycle::never())
    return earliest;
  return std::min(earliest, received + parameters_.receive_control_latency);
}

Cycles Fbi::least_answer(const Command& command) const {
  switch (command.operation) {
    case isa::Operation::kCsrRead: return parameters_.csr_read_latency;
    case isa::Operation::kRFifoRd:
    case isa::Operation::kTFifoWr: return occupancy(command) + parameters_.fifo_latency;
    case isa::Operation::kHash48:
    case isa::Operation::kHash64: return occupancy(command) + parameters_.hash_latency;
    // What is written may signal a thread or answer a request.
    default: return quickest_;
  }
}

void Fbi::push_sample(Cycle at) {
  ready_bus_.catch_up(at);
  const std::array<std::uint32_t, AutoPush::kLongwords> longwords{
      ready_bus_.receive_ready(), 0, static_cast<std::uint32_t>(ready_bus_.samples())};
  connections_.threads->answer(auto_push_.thread(),
                               {isa::Unit::kFbi, static_cast<std::uint16_t>(isa::Event::kAutoPush),
                                auto_push_.first(), longwords, auto_push_.begin(at)});
}

void Fbi::finish_transfer(Cycle at) {
  ready_bus_.catch_up(at);
  if (ix_bus_.release() == IxBus::User::kReceive) {
    answer(receive_.complete(at), at);
    connections_.monitor->progress(at);
  } else if (transmit_.complete(at)) {
    connections_.monitor->progress(at);
  }
}

void Fbi::answer(const ReceiveCompletion& completion, Cycle at) {
  receive_control_[completion.thread.place()] = completion.control.encode();
  signal(completion.thread, isa::Event::kStartReceive, at + parameters_.receive_control_latency);
}

std::size_t Fbi::waiting(Cycle at) const {
  std::size_t left = 0;
  while (left < commands_.size() && commands_.at(left).service < at)
    ++left;
  return commands_.size() - left;
}

bool Fbi::has_room(const Command&, Cycle at) {
  return waiting(at) < queue_entries_;
}

void Fbi::deliver(const Command& command, Cycle at) {
  const Cycle service = processor_.begin(at + parameters_.command_latency, occupancy(command));
  assert(service >= done_ && "a command does not arrive in the past");
  commands_.push(Queued{command, service, least_answer(command)});
  ++references_;
  queue_peak_ = std::max(queue_peak_, static_cast<unsigned>(waiting(at)));
  next_event_ = std::min(next_event_, service);
}

Cycles Fbi::occupancy(const Command& command) const {
  switch (command.operation) {
    case isa::Operation::kRFifoRd:
    case isa::Operation::kTFifoWr: return command.count * parameters_.fifo_longword_cycles;
    case isa::Operation::kHash48:
    case isa::Operation::kHash64: return command.count / 2 * parameters_.hash_cycles;
    default: return parameters_.csr_cycles;
  }
}

void Fbi::serve(const Command& command, Cycle at) {
  service_ = at;
  switch (command.operation) {
    case isa::Operation::kCsrRead: return read_register(command, at);
    case isa::Operation::kCsrWrite: {
      std::uint32_t value = 0;
      connections_.threads->pull(command.thread, command.transfer, {&value, 1}, at);
      write_register(command, value, at);
      return complete(command, {}, at + parameters_.csr_write_latency);
    }
    case isa::Operation::kFastWr:
      if (observer_ != nullptr)
        observer_->served(command, 1, at, at);
      return write_register(command, command.data, at);
    case isa::Operation::kRFifoRd: return read_fifo(command, at);
    case isa::Operation::kTFifoWr: return write_fifo(command, at);
    case isa::Operation::kHash48:
    case isa::Operation::kHash64: return hash_keys(command, at);
    default: assert(false && "a command that the FBI does not know");
  }
}

void Fbi::read_fifo(const Command& command, Cycle at) {
  const std::uint32_t end = command.address + 4u * command.count;
  if (command.address % 4 != 0 || command.address >= fifo_bytes() || end > fifo_bytes()) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "r_fifo_rd beyond the receive FIFO or not aligned", at);
  }
  std::array<std::uint32_t, kElementLongwords> longwords;
  const auto read = std::span(longwords).first(command.count);
  receive_fifo_.read(command.address, read);
  complete(command, read, at + occupancy(command) + parameters_.fifo_latency);
}

void Fbi::write_fifo(const Command& command, Cycle at) {
  const bool is_control = command.address >= TransmitFifo::kControlAddress;
  const std::uint32_t base = is_control ? TransmitFifo::kControlAddress : 0;
  const std::uint32_t size = is_control ? 4 * parameters_.fifo_elements : fifo_bytes();
  const std::uint32_t offset = command.address - base;
  if (offset % 4 != 0 || offset >= size || offset + 4u * command.count > size) {
    return fault(command, Fault::Kind::kIllegalReference,
                 "t_fifo_wr beyond the transmit FIFO or not aligned", at);
  }
  std::array<std::uint32_t, kElementLongwords> longwords;
  const auto written = std::span(longwords).first(command.count);
  connections_.threads->pull(command.thread, command.transfer, written, at);
  transmit_fifo_.write(command.address, written);
  complete(command, {}, at + occupancy(command) + parameters_.fifo_latency);
}

// The engine is big-endian: a key's more significant longword stands in the first register of its
// pair. The result takes the same places.
void Fbi::hash_keys(const Command& command, Cycle at) {
  std::array<std::uint32_t, kElementLongwords> longwords;
  const auto keys = std::span(longwords).first(command.count);
  connections_.threads->pull(command.thread, command.transfer, keys, at);
  for (std::size_t i = 0; i + 1 < keys.size(); i += 2) {
    const std::uint64_t key = std::uint64_t{keys[i]} << 32 | keys[i + 1];
    const std::uint64_t hashed = command.operation == isa::Operation::kHash48
                                     ? hash_unit_.hash_48(key)
                                     : hash_unit_.hash_64(key);
    keys[i] = static_cast<std::uint32_t>(hashed >> 32);
    keys[i + 1] = static_cast<std::uint32_t>(hashed);
  }
  complete(command, keys, at + occupancy(command) + parameters_.hash_latency);
}

// References of one thread complete in the order of their service, whatever their latencies: an
// event also confirms the references before it. Data may arrive earlier.
void Fbi::complete(const Command& command, std::span<const std::uint32_t> data, Cycle at) {
  Cycle& last = last_completion_[command.thread.place()];
  last = std::max(last, at);
  if (observer_ != nullptr)
    observer_->served(command, command.count, service_, last);
  const bool with_event = command.signals && last == at;
  const auto event = static_cast<std::uint16_t>(isa::Event::kFbi);
  if (!data.empty() || with_event) {
    connections_.threads->answer(
        command.thread,
        {command.unit, with_event ? event : std::uint16_t{0}, command.transfer, data, at});
  }
  if (command.signals && !with_event)
    signal(command.thread, isa::Event::kFbi, last);
}

void Fbi::signal(ThreadId thread, isa::Event event, Cycle at) {
  connections_.threads->signal(thread, event, at);
}

void Fbi::fault(const Command& command, Fault::Kind kind, std::string message, Cycle at) {
  connections_.monitor->fault(Fault{kind, at, command.thread, command.pc, "", std::move(message)});
}

// In cycle `at` the SDRAM unit comes before the FBI.
void Fbi::read_receive_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                            std::span<std::uint32_t> longwords, Cycle at) {
  run(at);
  receive_fifo_.read(fifo_address, longwords);
  tracker_.tag(sdram_address, static_cast<std::uint32_t>(4 * longwords.size()),
               tracker_.frame_in_receive_fifo(fifo_address / kMpacketBytes), at);
}

void Fbi::write_transmit_fifo(std::uint32_t fifo_address, std::uint32_t sdram_address,
                              std::span<const std::uint32_t> longwords, Cycle at) {
  run(at);
  transmit_fifo_.write(fifo_address, longwords);
  transmit_fifo_.set_frame(fifo_address / kMpacketBytes, tracker_.frame_at(sdram_address));
}

bool Fbi::input_state(isa::InputState state, Cycle at) const {
  assert(at >= done_ && at <= known_until() && "the state is asked for when it is known");
  switch (state) {
    case isa::InputState::kReceiveRequestAvailable: return receive_.available();
    case isa::InputState::kPushProtect: return auto_push_.protects(at);
    case isa::InputState::kSequenceNumber1: return (sequence_[0] & 1) != 0;
    case isa::InputState::kSequenceNumber2: return (sequence_[1] & 1) != 0;
  }
  return false;
}

Cycle Fbi::earliest_receipt() const {
  if (receive_.completes_frame())
    return ix_bus_.end();
  const Cycle bus_free = ix_bus_.user() ? ix_bus_.end() : done_;
  return bus_free + IxBus::shortest_transfer(ix_clock_, parameters_);
}

void Fbi::describe_waiting(std::vector<std::string>& lines) const {
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    const Command& command = commands_.at(i).command;
    lines.push_back(kFbiQueues.full_name(0) + ": a reference of engine " +
                    std::to_string(command.thread.engine.index()) + " thread " +
                    std::to_string(command.thread.context.index()) + ", word " +
                    std::to_string(command.pc));
  }
  if (receive_.queued() > 0) {
    lines.push_back("receive machine: " + std::to_string(receive_.queued()) + " requests wait");
  }
  const unsigned element = transmit_.pointer();
  for (unsigned i = 0; i < parameters_.fifo_elements; ++i) {
    if (!transmit_fifo_.is_valid(i))
      continue;
    lines.push_back("transmit machine: element " + std::to_string(i) +
                    " is valid, the machine is at element " + std::to_string(element));
  }
}

void Fbi::hash(StateHash& hash) const {
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    hash.add(commands_.at(i).service);
    hash.add(commands_.at(i).command.thread.place());
    hash.add(commands_.at(i).command.pc);
  }
  hash.add(processor_.free_from());
  receive_.hash(hash, done_);
  transmit_.hash(hash);
  ix_bus_.hash(hash);
  auto_push_.hash(hash);
  hash.add_all(receive_fifo_.longwords());
  hash.add_all(transmit_fifo_.longwords());
  hash.add_all(receive_control_);
  for (const Cycle last : last_completion_)
    hash.add(last);
  hash.add_all(sequence_);
  hash.add_all(std::initializer_list<std::uint64_t>{thread_done_, self_destruct_, references_});
  for (unsigned i = 0; i < HashUnit::kMultiplierRegisters; ++i)
    hash.add(hash_unit_.multiplier(i));
  tracker_.hash(hash);
}

}  // namespace nplab::simulator
