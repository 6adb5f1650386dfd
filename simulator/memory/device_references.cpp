#include "simulator/memory/device_references.h"

#include <algorithm>
#include <cassert>

#include "simulator/base/command_text.h"

namespace nplab::simulator {

void DeviceReferences::attach(const Range& range) {
  ranges_.push_back(range);
  last_done_.resize(kMostThreads);
}

const DeviceReferences::Range* DeviceReferences::at(std::uint32_t address) const {
  for (const Range& range : ranges_)
    if (range.holds(address))
      return &range;
  return nullptr;
}

bool DeviceReferences::keeps(ThreadId thread) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [thread](const Waiting& one) { return one.served.command.thread == thread; });
}

void DeviceReferences::ask(const Command& command, SramDevice& device) {
  waiting_.push_back({{command, {}, command.count, Cycle(), Cycle()}, &device, {}, &device});
  ++asked_;
}

const Command* DeviceReferences::answerable(Cycle at) const {
  const auto one = std::find_if(waiting_.begin(), waiting_.end(), [at](const Waiting& waiting) {
    return waiting.asked != nullptr &&
           waiting.asked->has_answer(waiting.served.command.address, at);
  });
  return one == waiting_.end() ? nullptr : &one->served.command;
}

void DeviceReferences::answered(const Command& read, Served served) {
  const auto one = std::find_if(waiting_.begin(), waiting_.end(), [&read](const Waiting& waiting) {
    return &waiting.served.command == &read;
  });
  assert(one != waiting_.end() && one->asked != nullptr && "a read waits");
  *one = {std::move(served), nullptr, {}};
  --asked_;
}

void DeviceReferences::answered(const SramDevice& device, SramDevice::Ticket ticket,
                                std::span<const std::uint32_t> longwords, Cycle at) {
  const auto one = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.device == &device && waiting.asked == nullptr && waiting.ticket == ticket;
  });
  assert(one != waiting_.end() && "an answer is awaited");
  Served& served = one->served;
  assert(at >= served.at && "a device answers after it was asked");
  served.done = std::max(served.done + (at - served.at), at + 1);
  if (!served.data.empty())
    served.data.assign(longwords.begin(), longwords.end());
  one->device = nullptr;
}

std::optional<DeviceReferences::Served> DeviceReferences::next() {
  const auto is_first_of_thread = [this](const std::deque<Waiting>::iterator& one) {
    return std::none_of(waiting_.begin(), one, [one](const Waiting& before) {
      return before.served.command.thread == one->served.command.thread;
    });
  };
  for (auto one = waiting_.begin(); one != waiting_.end(); ++one) {
    if (one->device != nullptr || !is_first_of_thread(one))
      continue;
    Served served = std::move(one->served);
    waiting_.erase(one);
    return served;
  }
  return std::nullopt;
}

Cycle DeviceReferences::in_order(ThreadId thread, Cycle done) {
  Cycle& last = last_done_[thread.place()];
  last = std::max(last, done);
  return last;
}

QueuedReferences DeviceReferences::awaited() const {
  QueuedReferences awaited;
  for (const Waiting& one : waiting_)
    awaited.add(one.served.command);
  return awaited;
}

void DeviceReferences::describe_waiting(std::vector<std::string>& lines) const {
  for (const Waiting& one : waiting_)
    if (one.device != nullptr)
      lines.push_back("device on the SRAM bus: " + to_text(one.served.command));
}

void DeviceReferences::hash(StateHash& hash) const {
  for (const Cycle last : last_done_)
    hash.add(last);
  for (const Waiting& one : waiting_) {
    add_to(hash, one.served.command);
    hash.add(one.served.done);
    hash.add(one.device != nullptr);
    hash.add_all(one.served.data);
  }
}

}  // namespace nplab::simulator
