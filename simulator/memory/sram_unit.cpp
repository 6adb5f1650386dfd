#include "simulator/memory/sram_unit.h"

#include <algorithm>
#include <cassert>

#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {
namespace {

Cycles round_up(Cycles cycles, Cycles multiple) {
  return (cycles + multiple - 1) / multiple * multiple;
}

// An unlock does not pass the bus.
enum class Passage { kNone, kBus };
Cycles least_service(const SramDescription& description, Passage passage) {
  const Cycles on_bus = description.pipeline_latency + description.bus_cycles +
                        std::min(description.push_latency, description.write_completion);
  return passage == Passage::kBus ? on_bus : std::min<Cycles>(on_bus, description.write_completion);
}

}  // namespace

SramUnit::SramUnit(const SramDescription& description)
    : QueuedUnit(description.bytes,
                 {.period = description.bus_cycles,
                  .least_service = least_service(description, Passage::kNone)},
                 description.queues, description.effective_capacity),
      description_(description),
      lead_(round_up(description.pipeline_latency, description.bus_cycles)),
      arbiter_(description.arbitration, kQueues),
      free_lists_(description.free_lists, 0) {
  locks_.reserve(description.locks);
  least_.queued_service = least_service(description, Passage::kBus);
}

void SramUnit::expect(const CommandKinds& kinds) {
  least_.service = least_service(description_, kinds.sram_unlock ? Passage::kNone : Passage::kBus);
}

unsigned SramUnit::queue_of(const Command& command) {
  if (has_token(command, isa::Token::kPriority))
    return kPriority;
  const bool may_be_reordered = command.operation == isa::Operation::kSramRead &&
                                has_token(command, isa::Token::kOptimizeMem);
  return may_be_reordered ? kRead : kOrder;
}

void SramUnit::deliver(const Command& command, Cycle at) {
  const bool addressed = command.operation != isa::Operation::kSramPop;
  const bool burst = command.operation != isa::Operation::kSramPush;
  if (addressed && !check_address(command, burst ? 4u * command.count : 4u, 4, at))
    return;
  if (!burst || !addressed) {
    if (command.count > description_.free_lists) {
      fault(command, Fault::Kind::kIllegalReference, "names a free list that does not exist", at);
      return;
    }
  }
  if (!devices_.empty() && addressed && !check_device(command, at))
    return;
  if (is_compare_and_swap(command) && !is_behind_cache()) {
    fault(command, Fault::Kind::kIllegalReference,
          "compares and swaps, which only a cache before the memory can do", at);
    return;
  }
  if (command.operation == isa::Operation::kSramUnlock)
    count_unlocks(1);
  enqueue(command, at);
}

bool SramUnit::serve_answered() {
  if (!devices_.asks()) [[likely]]
    return false;
  const Command* const read = devices_.answerable(now_);
  if (read == nullptr)
    return false;
  arrival_ = now_;  // until now it waited for the device, not for the bus
  Burst burst;
  const std::span longwords(burst.data(), read->count);
  SramDevice& device = *devices_.at(read->address)->device;
  const SramDevice::Answer answer = device.read(read->address, longwords, now_);
  if (answer.fault != nullptr)
    fault(*read, Fault::Kind::kIllegalReference, answer.fault, now_);
  const Cycle done = take_read_bus(*read, answer) + answer.latency;
  devices_.answered(*read, {*read, {longwords.begin(), longwords.end()}, read->count, now_, done});
  give_answers();
  return true;
}

std::uint64_t SramUnit::servable() {
  std::uint64_t queues = due(0);
  if (devices_.empty()) [[likely]]
    return queues;
  for (unsigned queue = 0; queue < kQueues; ++queue)
    if ((queues >> queue & 1) != 0 && !is_taken(queues_[queue].front().command))
      queues &= ~(std::uint64_t{1} << queue);
  return queues;
}

bool SramUnit::is_taken(const Command& command) {
  if (command.operation != isa::Operation::kSramWrite)
    return true;
  const DeviceReferences::Range* const range = devices_.at(command.address);
  return range == nullptr || range->device->takes_write(command.address, now_);
}

bool SramUnit::serve_unlocked() {
  if (queues_[kLockFail].empty() || locks_.size() == description_.locks)
    return false;
  arrival_ = now_;  // until now it waited for the lock, not for the bus
  CommandQueue& failed = queues_[kLockFail];
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (locked(failed.at(i).command.address))
      continue;
    serve(failed.take(i).command);
    if (!held_back_.empty())
      move_up();
    return true;
  }
  const auto free =
      std::find_if(held_back_.begin(), held_back_.end(),
                   [this](const QueuedCommand& lock) { return !locked(lock.command.address); });
  if (free == held_back_.end())
    return false;
  const Command command = free->command;
  held_back_.erase(free);
  --places_kept_[queue_of(command)];
  serve(command);
  return true;
}

void SramUnit::move_up() {
  queues_[kLockFail].push(held_back_.front());
  --places_kept_[queue_of(held_back_.front().command)];
  held_back_.erase(held_back_.begin());
}

// What the arbiter may know.
class SramUnit::RequestView : public QueueRequests<CommandQueue> {
 public:
  RequestView(const SramUnit& unit, std::uint64_t asking)
      : QueueRequests(asking, unit.queues_.data()), unit_(unit) {}
  [[nodiscard]] unsigned read_group() const { return unit_.description_.read_group; }

 private:
  const SramUnit& unit_;
};

void SramUnit::decide() {
  begin_decision();
  if (request_)
    return schedule();
  if (!serve_answered() && !serve_unlocked()) {
    if (const RequestView requests(*this, servable()); requests.asking() != 0) {
      const unsigned queue = arbiter_.choose(requests);
      arbiter_.served(requests, queue);
      take_first(queue, [this](const Command& command) { serve(command); });
    }
  }
  schedule();
}

// The next cycle, in step with the unit's own clock, in which there can be something to choose.
void SramUnit::schedule() {
  const bool others_wait = !queues_[kLockFail].empty() || devices_.asks();
  const Cycle due = others_wait ? std::min(earliest_arrival(), now_ + 1) : earliest_arrival();
  next_decision_ = next_tick(due, lead_);
}

void SramUnit::serve(const Command& command) {
  using isa::Operation;
  switch (command.operation) {
    case Operation::kSramRead: return read(command);
    case Operation::kSramReadLock: return read_lock(command);
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
      write(command);
      if (command.operation == Operation::kSramWriteUnlock ||
          has_token(command, isa::Token::kUnlock))
        release(command.address);
      return;
    case Operation::kSramUnlock: return unlock(command);
    case Operation::kSramBitWr: return modify_bits(command);
    case Operation::kSramPush: return push_block(command);
    case Operation::kSramPop: return pop_block(command);
    default: assert(false && "a command that the SRAM unit does not know");
  }
}

Cycle SramUnit::bus_start() const {
  return std::max(now_ + lead_, tick(bus_free_));
}

// An idle bus has turned around meanwhile: only the rest of the turn-around delays the data.
void SramUnit::take_bus(const Command& command, Direction direction, Cycles occupied) {
  if (!holds_bus(command))
    return occupy(command, now_ + lead_, now_ + lead_, occupied);
  const Cycle start = bus_start();
  const Cycle turned = tick(bus_free_) + (direction_ != direction ? description_.turn_around : 0);
  direction_ = direction;
  occupy(command, tick(arrival_) + lead_, start, (turned > start ? turned - start : 0) + occupied);
}

bool SramUnit::check_device(const Command& command, Cycle at) {
  using isa::Operation;
  const bool burst =
      command.operation != Operation::kSramPush && command.operation != Operation::kSramBitWr;
  const std::uint32_t last = command.address + (burst ? 4u * command.count : 4u) - 4;
  const DeviceReferences::Range* first = devices_.at(command.address);
  if (first != devices_.at(last)) {
    fault(command, Fault::Kind::kIllegalReference, "crosses the end of a device's range", at);
    return false;
  }
  if (first == nullptr || command.operation == Operation::kSramRead ||
      command.operation == Operation::kSramWrite)
    return true;
  fault(command, Fault::Kind::kIllegalReference,
        "is for a device on the SRAM bus, which takes plain reads and writes only", at);
  return false;
}

void SramUnit::finish(const Command& command, std::span<const std::uint32_t> data,
                      unsigned longwords, Cycle done) {
  if (devices_.empty()) [[likely]]
    return complete(command, data, longwords, done);
  if (devices_.keeps(command.thread))
    return devices_.keep({command, {data.begin(), data.end()}, longwords, now_, done});
  complete(command, data, longwords, devices_.in_order(command.thread, done));
}

void SramUnit::hold_bus(const OpenRequest& request, Cycle at) {
  undecided_ = std::max(undecided_, at);
  if (!request.holds_bus || at <= bus_free_)
    return;
  hold_share(request.user, bus_free_, at - bus_free_);
  bus_free_ = at;
}

void SramUnit::finish_device(const SramDevice& device, const Command& command,
                             const SramDevice::Answer& answer, std::span<const std::uint32_t> data,
                             Cycle done) {
  if (answer.fault != nullptr)
    fault(command, Fault::Kind::kIllegalReference, answer.fault, now_);
  if (answer.comes == SramDevice::Comes::kNow)
    return finish(command, data, command.count, done + answer.latency);
  const OpenRequest request{BusUser(command), holds_bus(command)};
  if (answer.taken)
    hold_bus(request, *answer.taken);
  else
    request_ = request;
  devices_.await({command, {data.begin(), data.end()}, command.count, now_, done}, device,
                 answer.ticket);
}

void SramUnit::request_taken(Cycle at) {
  if (!request_)
    return;
  hold_bus(*request_, at);
  request_.reset();
  undecided_ = std::max(undecided_, at + 2);
  schedule();
}

void SramUnit::answered(const SramDevice& device, SramDevice::Ticket ticket,
                        std::span<const std::uint32_t> longwords, Cycle at) {
  devices_.answered(device, ticket, longwords, at);
  give_answers();
}

void SramUnit::give_answers() {
  while (const auto served = devices_.next())
    complete(served->command, served->data, served->longwords, served->at,
             devices_.in_order(served->command.thread, served->done));
}

void SramUnit::read_device(SramDevice& device, const Command& command) {
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  const SramDevice::Answer answer = device.read(command.address, longwords, now_);
  if (answer.comes == SramDevice::Comes::kWhenAsked)
    return devices_.ask(command, device);
  finish_device(device, command, answer, longwords, take_read_bus(command, answer));
}

Cycle SramUnit::take_read_bus(const Command& command, const SramDevice::Answer& answer) {
  const Cycles usual = description_.read_occupancy + data_cycles(description_, 4u * command.count);
  take_bus(command, Direction::kRead, answer.occupancy.value_or(usual));
  return data_end_ + description_.push_latency;
}

void SramUnit::write_device(SramDevice& device, const Command& command) {
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  connections_.threads->pull(command.thread, command.transfer, longwords, now_);
  const SramDevice::Answer answer = device.write(command.address, longwords, now_);
  const Cycles usual = description_.write_occupancy + data_cycles(description_, 4u * command.count);
  take_bus(command, Direction::kWrite, answer.occupancy.value_or(usual));
  finish_device(device, command, answer, {}, data_end_ + description_.write_completion);
}

void SramUnit::read(const Command& command) {
  if (const DeviceReferences::Range* range = devices_.at(command.address)) [[unlikely]]
    return read_device(*range->device, command);
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  load(command.address, longwords);
  const Cycles data = data_cycles(description_, 4u * command.count);
  take_bus(command, Direction::kRead, description_.read_occupancy + data);
  finish(command, longwords, command.count, data_end_ + description_.push_latency);
}

void SramUnit::write(const Command& command) {
  if (const DeviceReferences::Range* range = devices_.at(command.address)) [[unlikely]]
    return write_device(*range->device, command);
  Burst burst;
  const std::span longwords(burst.data(), command.count);
  if (!is_line(command)) {
    connections_.threads->pull(command.thread, command.transfer, longwords, now_);
    store(command.address, longwords);
  }
  const Cycles data = data_cycles(description_, 4u * command.count);
  take_bus(command, Direction::kWrite, description_.write_occupancy + data);
  finish(command, {}, command.count, data_end_ + description_.write_completion);
}

bool SramUnit::locked(std::uint32_t address) const {
  return std::find(locks_.begin(), locks_.end(), address) != locks_.end();
}

void SramUnit::release(std::uint32_t address) {
  const auto lock = std::find(locks_.begin(), locks_.end(), address);
  if (lock != locks_.end())
    locks_.erase(lock);
}

void SramUnit::read_lock(const Command& command) {
  if (!locked(command.address) && locks_.size() < description_.locks) {
    locks_.push_back(command.address);
    return read(command);
  }
  // The CAM is asked before the bus: a failed lock costs no bus time.
  if (queues_[kLockFail].full())
    return hold_back(command);
  queues_[kLockFail].push({command, now_});
}

// References that follow it in its queue pass it, since the unlock may be among them.
void SramUnit::hold_back(const Command& command) {
  held_back_.push_back({command, now_});
  ++places_kept_[queue_of(command)];
}

// Takes no bus time, but keeps its place after what was chosen before.
void SramUnit::count_unlocks(int more) {
  queued_unlocks_ += static_cast<unsigned>(more);
  least_.queued_service =
      least_service(description_, queued_unlocks_ == 0 ? Passage::kBus : Passage::kNone);
}

void SramUnit::unlock(const Command& command) {
  count_unlocks(-1);
  release(command.address);
  finish(command, {}, 0, bus_start() + description_.write_completion);
}

// The old value is read and the new one written: the bus turns around twice.
void SramUnit::modify_bits(const Command& command) {
  SentLongwords sent{};
  connections_.threads->pull(command.thread, command.transfer, sent_longwords(command, sent), now_);
  const std::uint32_t old = storage_.read(command.address);
  storage_.write(command.address, modified_bits(command, old, sent));
  const Cycles data = data_cycles(description_, 4);
  const Cycles read_half = description_.read_occupancy + data;
  const Cycles write_half = description_.turn_around + description_.write_occupancy + data;
  take_bus(command, Direction::kRead, read_half + write_half);
  direction_ = Direction::kWrite;
  finish(command, {&old, returns_old_value(command) ? 1u : 0u}, 2,
         data_end_ + description_.push_latency);
}

void SramUnit::push_block(const Command& command) {
  std::uint32_t& head = free_lists_[command.count - 1];
  storage_.write(command.address, head);
  head = command.address;
  take_bus(command, Direction::kWrite, description_.write_occupancy + data_cycles(description_, 4));
  finish(command, {}, 1, data_end_ + description_.write_completion);
}

void SramUnit::pop_block(const Command& command) {
  std::uint32_t& head = free_lists_[command.count - 1];
  const std::uint32_t block = head;
  if (block != 0 && (block % 4 != 0 || !storage_.holds(block, 4)))
    return fault(command, Fault::Kind::kIllegalReference,
                 "found a free list that leads out of the memory", now_);
  if (block != 0)
    head = storage_.read(block);
  take_bus(command, Direction::kRead, description_.read_occupancy + data_cycles(description_, 4));
  finish(command, {&block, 1}, 1, data_end_ + description_.push_latency);
}

QueuedReferences SramUnit::queued_references() const {
  QueuedReferences queued = QueuedUnit::queued_references();
  queued.add(devices_.awaited());
  return queued;
}

void SramUnit::describe_waiting(std::vector<std::string>& lines) const {
  QueuedUnit::describe_waiting(lines);
  devices_.describe_waiting(lines);
}

void SramUnit::hash(StateHash& hash) const {
  hash_common(hash);
  arbiter_.hash(hash);
  hash.add(static_cast<std::uint64_t>(direction_));
  hash_queues(hash);
  hash.add_all(locks_);
  hash.add_all(free_lists_);
  if (devices_.empty())
    return;
  devices_.hash(hash);
  if (request_)
    hash.add(1);
}

}  // namespace nplab::simulator
