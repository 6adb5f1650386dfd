#include "simulator/cache/memory_way.h"

#include "simulator/base/command_text.h"

namespace nplab::simulator {

void MemoryWay::deliver(Cycle at) {
  if (next_delivery() > at)
    return;
  const Command command = outgoing_.front().command;
  free_ = at + 1;
  if (!unit_.has_room(command, at)) {
    free_ = std::max(free_, unit_.full_before(command));
    return;
  }
  outgoing_.pop_front();
  unit_.deliver(command, at);
}

void MemoryWay::hash(StateHash& hash) const {
  for (const Outgoing& outgoing : outgoing_) {
    add_to(hash, outgoing.command);
    hash.add(outgoing.ready);
  }
}

}  // namespace nplab::simulator
