// What the chip asks of its SDRAM unit, whatever the model: the ways to the FIFOs, who watches
// reads, the queues. What a reference does to the contents is the same for all models, too.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "simulator/base/unit_queues.h"
#include "simulator/memory/memory_unit.h"

namespace nplab::simulator {

class Ddr4Unit;

class SdramMemory : public MemoryUnit {
 public:
  // The way to the FIFOs, once, before the first cycle.
  void connect_fifos(FifoAccess& fifos) { fifos_ = &fifos; }
  // Who is notified of engines' reads; may be absent.
  void watch_reads(SdramReadWatch* watch) { read_watch_ = watch; }

  // By queue of kSdramQueues, the references that wait in it.
  [[nodiscard]] virtual std::array<std::size_t, kSdramQueues.size()> queue_sizes() const = 0;
  // The queue that a command belongs to, as the chip file names it.
  [[nodiscard]] virtual std::string_view queue_name(const Command& command) const = 0;
  // What the data buses can move in a core cycle.
  [[nodiscard]] virtual double bits_per_cycle() const = 0;
  // The unit where its model is DDR4.
  [[nodiscard]] virtual Ddr4Unit* ddr4() { return nullptr; }

 protected:
  static constexpr std::uint32_t kQuadword = 8;  // bytes

  SdramMemory(std::uint32_t bytes, const Clocking& clocking) : MemoryUnit(bytes, clocking) {}

  void note_read(const Command& command, Cycle done) override {
    if (read_watch_ != nullptr && command.operation == isa::Operation::kSdramRead)
      read_watch_->read(command.address, done);
  }
  // Reports a fault and returns false unless the reference lies in the memory, and in the FIFO if
  // it names one.
  bool check_reference(const Command& command, Cycle at) {
    return check_address(command, kQuadword * command.count, kQuadword, at) &&
           check_fifo(command, at);
  }
  // From the memory to the chip.
  [[nodiscard]] static bool is_read(const Command& command) {
    return command.operation == isa::Operation::kSdramRead ||
           command.operation == isa::Operation::kSdramTFifoWr;
  }
  // Moves the longwords of the reference between the memory and where it says, as it stands after
  // cycle `at`. Gives those that go to the thread, which lie in `longwords`.
  std::span<const std::uint32_t> move_data(const Command& command,
                                           std::span<std::uint32_t> longwords, Cycle at);

 private:
  bool check_fifo(const Command& command, Cycle at);

  FifoAccess* fifos_ = nullptr;
  SdramReadWatch* read_watch_ = nullptr;
};

}  // namespace nplab::simulator
