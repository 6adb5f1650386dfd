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
  const auto add_all = [&add](const auto& unit, const auto& sizes) {
    for (unsigned queue = 0; queue < unit.size(); ++queue)
      add(unit.full_name(queue), sizes.entries[queue]);
  };
  add_all(kSramQueues, chip.sram.queues);
  add_all(kSdramQueues, chip.sdram.queues);
  add_all(kScratchQueues, chip.scratch.queues);
  add_all(kFbiQueues, chip.fbi.queues);
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
  for (const std::size_t entries : parts_.scratch->queue_sizes())
    add(entries);
  add(fbi_.queued(at + 1));
  add(fbi_.receive_requests());
  return sizes;
}

}  // namespace nplab::simulator
