#include "simulator/observe/chip_queues.h"

namespace nplab::simulator {

ChipQueues::ChipQueues(const ChipDescription& chip, const ChipParts& parts, const Fbi& fbi)
    : parts_(parts), fbi_(fbi) {
  const auto add = [this](std::string name, unsigned entries) {
    names_.push_back(std::move(name));
    capacities_.push_back(entries);
  };
  for (unsigned i = 0; i < chip.engine.engines; ++i)
    add("engine" + std::to_string(i) + ".command_fifo", chip.engine.command_fifo_entries);
  add("sram.priority_queue", chip.sram.priority_queue);
  add("sram.read_queue", chip.sram.read_queue);
  add("sram.order_queue", chip.sram.order_queue);
  add("sram.lock_fail_queue", chip.sram.lock_fail_queue);
  add("sdram.priority_queue", chip.sdram.priority_queue);
  add("sdram.even_queue", chip.sdram.even_queue);
  add("sdram.odd_queue", chip.sdram.odd_queue);
  add("sdram.order_queue", chip.sdram.order_queue);
  add("scratch.queue", chip.scratch.queue);
  add("fbi.queue", chip.fbi.queue);
  add("fbi.receive_requests", chip.fbi.receive_requests);
}

std::vector<std::uint32_t> ChipQueues::sizes(Cycle at) const {
  std::vector<std::uint32_t> sizes;
  sizes.reserve(names_.size());
  const auto add = [&sizes](std::size_t entries) {
    sizes.push_back(static_cast<std::uint32_t>(entries));
  };
  for (unsigned i = 0; i < parts_.engines.size(); ++i)
    add(parts_.command_bus->queued(EngineId(i)));
  for (const std::size_t entries : parts_.sram->queue_sizes())
    add(entries);
  for (const std::size_t entries : parts_.sdram->queue_sizes())
    add(entries);
  add(parts_.scratch->queued());
  add(fbi_.queued(at + 1));
  add(fbi_.receive_requests());
  return sizes;
}

}  // namespace nplab::simulator
