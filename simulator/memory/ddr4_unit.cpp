#include "simulator/memory/ddr4_unit.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "simulator/base/command_text.h"
#include "simulator/dram/ddr4_timing.h"
#include "simulator/parameters/ddr4_description.h"

namespace nplab::simulator {

Ddr4Unit::Ddr4Unit(const SdramDescription& description, std::uint64_t core_hz)
    : SdramQueues(description, {.period = 1,
                                .least_wait = description.pipeline_latency,
                                .least_service = std::min(description.push_latency,
                                                          description.write_completion)}),
      description_(description),
      ratio_(dram::speed_row(description.speed).fifteenths, core_hz),
      memory_(dram_description(description)),
      lookahead_(std::min(description.push_latency, description.write_completion)) {
  schedule();
}

double Ddr4Unit::bits_per_cycle() const {
  const double bits_per_clock = 8.0 * dram::kBurstBytes / memory_.description().timing.burst;
  return bits_per_clock * description_.channels * static_cast<double>(ratio_.numerator()) /
         static_cast<double>(ratio_.denominator());
}

void Ddr4Unit::decide() {
  begin_decision();
  memory_.run(ratio_.first_clock(now_ + 1),
              [this](const dram::ServedRequest& request) { served(request); });
  if (!entering_)
    if (const std::uint64_t asking = askers(); asking != 0)
      begin(choose(asking));
  if (entering_)
    hand_over();
  give_answers();
  schedule();
}

// The queues whose first reference is due and can begin, a bit each.
std::uint64_t Ddr4Unit::askers() const {
  std::uint64_t asking = due(description_.pipeline_latency);
  for (unsigned queue = 0; queue < kQueues; ++queue) {
    if ((asking >> queue & 1) == 0)
      continue;
    const Command& command = queues_[queue].front().command;
    if (!has_room_for(command, burst_of(command.address)))
      asking &= ~(std::uint64_t{1} << queue);
  }
  return asking;
}

// The next cycle in which a clock of the memory brings something, a burst can be handed over, or an
// answer is to be given. What has no room waits for the memory.
void Ddr4Unit::schedule() {
  const dram::Clock clock = memory_.next_clock();
  Cycle next = clock == dram::kNever ? Cycle::never() : ratio_.cycle_of(clock);
  if (!finished_.empty())
    next = std::min(next, Cycle(references_.at(finished_.front()).done.number() - lookahead_));
  if (entering_) {
    if (has_room_for(entering_->command, entering_->next))
      next = std::min(next, undecided_);
  } else {
    for (const CommandQueue& queue : queues_)
      if (!queue.empty() &&
          has_room_for(queue.front().command, burst_of(queue.front().command.address)))
        next = std::min(
            next, std::max(queue.front().arrival + description_.pipeline_latency, undecided_));
  }
  next_decision_ = next;
}

void Ddr4Unit::begin(unsigned queue) {
  take_first(queue, [this, queue](const Command& command) {
    note_served(command);
    note_chain(command);
    Reference reference{.command = command, .queue = queue, .arrival = arrival_, .begun = now_};
    const std::span longwords(reference.data.data(), 2u * command.count);
    reference.has_data = !move_data(command, longwords, now_).empty();
    const std::uint64_t first = burst_of(command.address);
    const std::uint64_t last =
        (command.address + std::uint64_t{kQuadword} * command.count - 1) / dram::kBurstBytes;
    reference.bursts_to_come = static_cast<unsigned>(last - first + 1);
    const std::uint64_t tag = next_tag_++;
    references_.emplace(tag, reference);
    entering_ = Entering{tag, command, first, last};
  });
}

void Ddr4Unit::hand_over() {
  const Entering entering = *entering_;
  const bool is_last = entering.next == entering.last;
  if (!holds_bus(entering.command))
    return pass_by(entering);
  const bool writes = !is_read(entering.command);
  if (!memory_.has_room(entering.next, writes))
    return;
  const dram::Clock arrival = ratio_.first_clock(now_ + 1);
  const std::uint64_t request = next_tag_++;
  const auto added = memory_.add(request, entering.next, writes, arrival);
  ++(writes ? bursts_.written : bursts_.read);
  if (is_last)
    entering_.reset();
  else
    ++entering_->next;
  if (added == dram::Controller::Added::kWaits)
    requests_.emplace(request, Request{BusUser(entering.command), entering.tag});
  else if (!writes)
    burst_came(entering.tag, arrival);
  if (writes && is_last)
    finish(entering.tag, now_ + description_.write_completion);
}

// Of a resource that is free of cost: all bursts take as long as one in an idle memory.
void Ddr4Unit::pass_by(const Entering& entering) {
  entering_.reset();
  undecided_ = now_;  // the next may be served at once
  if (is_read(entering.command))
    finish(entering.tag, done_of(ratio_.first_clock(now_ + 1) + memory_.unloaded_clocks()));
  else
    finish(entering.tag, now_ + description_.write_completion);
}

void Ddr4Unit::served(const dram::ServedRequest& served) {
  const auto found = requests_.find(served.tag);
  const Request request = found->second;
  requests_.erase(found);
  // Cycles of the bus, all channels together: what does not fill one is counted with the next.
  const std::uint64_t per_cycle = ratio_.numerator() * description_.channels;
  bus_remainder_ += static_cast<std::uint64_t>(served.end - served.begin) * ratio_.denominator();
  hold_share(request.sender, ratio_.cycle_of(served.begin), bus_remainder_ / per_cycle);
  bus_remainder_ %= per_cycle;
  if (!served.is_write)
    burst_came(request.reference, served.end);
}

void Ddr4Unit::burst_came(std::uint64_t tag, dram::Clock end) {
  Reference& reference = references_.at(tag);
  reference.data_end = std::max(reference.data_end, end);
  if (--reference.bursts_to_come == 0)
    finish(tag, done_of(reference.data_end));
}

void Ddr4Unit::finish(std::uint64_t tag, Cycle ready) {
  Reference& reference = references_.at(tag);
  reference.ready = ready;
  const Cycle due = reference.arrival + description_.pipeline_latency;
  const Cycle unloaded = is_read(reference.command)
                             ? done_of(ratio_.first_clock(due + 1) + memory_.unloaded_clocks())
                             : due + description_.write_completion;
  if (holds_bus(reference.command))
    statistics_.delayed(ready > unloaded ? ready - unloaded : 0);
  if (is_line(reference.command))
    add_answer(tag, reference, ready);
  else
    settle(reference.command.thread);
}

// Those of the thread's references whose answers no earlier one holds back.
void Ddr4Unit::settle(ThreadId thread) {
  Cycle before;
  for (auto& [tag, reference] : references_) {
    if (reference.command.thread != thread || is_line(reference.command))
      continue;
    if (reference.ready == Cycle::never())
      return;
    if (reference.done == Cycle::never())
      add_answer(tag, reference, std::max(reference.ready, before));
    before = reference.done;
  }
}

// Answers are given in the order of their cycles.
void Ddr4Unit::add_answer(std::uint64_t tag, Reference& reference, Cycle done) {
  reference.done = done;
  const auto later = std::find_if(finished_.begin(), finished_.end(), [&](std::uint64_t other) {
    return references_.at(other).done > done;
  });
  finished_.insert(later, tag);
}

void Ddr4Unit::give_answers() {
  while (!finished_.empty()) {
    const auto found = references_.find(finished_.front());
    const Reference& reference = found->second;
    if (reference.done > now_ + lookahead_)
      return;
    const Command& command = reference.command;
    const std::span data(reference.data.data(), reference.has_data ? 2u * command.count : 0u);
    if (command.issuer == Issuer::kEngine)
      note_read(command, reference.done);
    complete(command, data, 2u * command.count, reference.begun, reference.done);
    references_.erase(found);
    finished_.erase(finished_.begin());
  }
}

void Ddr4Unit::describe_waiting(std::vector<std::string>& lines) const {
  for (unsigned queue = 0; queue < kQueues; ++queue)
    for (std::size_t i = 0; i < queues_[queue].size(); ++i)
      lines.push_back(kSdramQueues.full_name(queue) + ": " + to_text(queues_[queue].at(i).command));
  for (const auto& [tag, reference] : references_)
    lines.push_back(fmt::format("sdram, in the memory: {}", to_text(reference.command)));
  for (unsigned channel = 0; channel < description_.channels; ++channel)
    if (const std::size_t waiting = memory_.controller(channel).waiting(); waiting != 0)
      lines.push_back(fmt::format("sdram, channel {}: {} bursts", channel, waiting));
}

void Ddr4Unit::hash(StateHash& hash) const {
  hash_common(hash);
  hash.add(last_bank_);
  hash.add(chained_ ? chained_->index() + 1 : 0);
  hash_queues(hash);
  arbiter_.hash(hash);
  memory_.hash(hash);
  for (const auto& [tag, reference] : references_) {
    hash.add(tag);
    hash.add(reference.begun);
    hash.add(reference.bursts_to_come);
    hash.add(static_cast<std::uint64_t>(reference.data_end));
    hash.add(reference.ready);
    hash.add(reference.done);
    hash.add_all(reference.data);
  }
  hash.add(entering_ ? entering_->next + 1 : 0);
  hash.add_all(finished_);
  hash.add(bus_remainder_);
  hash.add(bursts_.read);
  hash.add(bursts_.written);
}

}  // namespace nplab::simulator
