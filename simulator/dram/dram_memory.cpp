#include "simulator/dram/dram_memory.h"

#include <algorithm>

namespace nplab::simulator::dram {

DramMemory::DramMemory(const DramDescription& description,
                       const std::vector<Constraint>& constraints)
    : description_(description),
      mapping_(description.mapping, description.organization),
      controllers_(description.organization.channels,
                   Controller(description.organization, description.timing, description.controller,
                              constraints)) {}

bool DramMemory::has_room(std::uint64_t burst, bool is_write, unsigned places) const {
  return controllers_[mapping_.target(burst).channel].has_room(is_write, places);
}

Controller::Added DramMemory::add(std::uint64_t tag, std::uint64_t burst, bool is_write, Clock at) {
  const AddressMapping::Target target = mapping_.target(burst);
  return controllers_[target.channel].add({tag, is_write, target.place, at});
}

Clock DramMemory::next_clock() const {
  Clock next = kNever;
  for (const Controller& controller : controllers_)
    next = std::min(next, controller.next_clock());
  return next;
}

std::optional<ServedRequest> DramMemory::step(unsigned channel, Clock now) {
  if (controllers_[channel].next_clock() > now)
    return std::nullopt;
  const Step step = controllers_[channel].step(now);
  if (step.command && observer_ != nullptr)
    observer_->issued({now, channel, *step.command, step.place});
  return step.served;
}

ControllerCounters DramMemory::counters() const {
  ControllerCounters sum;
  for (const Controller& controller : controllers_)
    sum.add(controller.counters());
  return sum;
}

std::size_t DramMemory::waiting() const {
  std::size_t waiting = 0;
  for (const Controller& controller : controllers_)
    waiting += controller.waiting();
  return waiting;
}

void DramMemory::hash(StateHash& hash) const {
  for (const Controller& controller : controllers_)
    controller.hash(hash);
}

}  // namespace nplab::simulator::dram
