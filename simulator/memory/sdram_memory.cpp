#include "simulator/memory/sdram_memory.h"

#include <cassert>

#include <fmt/format.h>

#include "simulator/memory/reference_effect.h"

namespace nplab::simulator {
namespace {

constexpr std::uint8_t kAllBytes = 0xff;

}  // namespace

bool SdramMemory::check_fifo(const Command& command, Cycle at) {
  using isa::Operation;
  if (command.operation != Operation::kSdramRFifoRd &&
      command.operation != Operation::kSdramTFifoWr)
    return true;
  const std::uint32_t bytes = kQuadword * command.count;
  if (command.second_address % kQuadword == 0 && command.second_address <= fifos_->fifo_bytes() &&
      bytes <= fifos_->fifo_bytes() - command.second_address)
    return true;
  fault(command, Fault::Kind::kIllegalReference,
        fmt::format("has the FIFO address {:#x}: not aligned to 8 or beyond the FIFO's {} bytes",
                    command.second_address, fifos_->fifo_bytes()),
        at);
  return false;
}

std::span<const std::uint32_t> SdramMemory::move_data(const Command& command,
                                                      std::span<std::uint32_t> longwords,
                                                      Cycle at) {
  using isa::Operation;
  switch (command.operation) {
    case Operation::kSdramRead: load(command.address, longwords); return longwords;
    case Operation::kSdramWrite:
      if (is_line(command))
        break;
      connections_.threads->pull(command.thread, command.transfer, longwords, at);
      if (command.byte_mask == kAllBytes)
        store(command.address, longwords);
      else
        store_bytes(storage_, command, longwords);
      break;
    case Operation::kSdramRFifoRd:
      fifos_->read_receive_fifo(command.second_address, command.address, longwords, at);
      store(command.address, longwords);
      break;
    case Operation::kSdramTFifoWr:
      load(command.address, longwords);
      fifos_->write_transmit_fifo(command.second_address, command.address, longwords, at);
      break;
    default: assert(false && "a command that the SDRAM unit does not know");
  }
  return {};
}

}  // namespace nplab::simulator
