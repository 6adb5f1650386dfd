#include "simulator/base/command_text.h"

#include <fmt/format.h>

namespace nplab::simulator {

std::string to_text(const Command& command) {
  if (command.issuer == Issuer::kCache)
    return fmt::format("{} of {} at {:#x} by a cache, for a reference issued in cycle {}",
                       isa::to_string(command.operation), command.count, command.address,
                       command.issued.number());
  if (command.issuer == Issuer::kCore)
    return fmt::format("{} of {} at {:#x} by the core processor, issued in cycle {}",
                       isa::to_string(command.operation), command.count, command.address,
                       command.issued.number());
  return fmt::format("{} of {} at {:#x} by engine {} thread {}, word {}, issued in cycle {}",
                     isa::to_string(command.operation), command.count, command.address,
                     command.thread.engine.index(), command.thread.context.index(), command.pc,
                     command.issued.number());
}

void add_to(StateHash& hash, const Command& command) {
  hash.add(static_cast<std::uint64_t>(command.operation));
  hash.add(command.thread.place());
  hash.add(command.function);
  hash.add(static_cast<std::uint64_t>(command.transfer.file));
  hash.add(command.transfer.index);
  hash.add(command.count);
  hash.add(command.tokens);
  hash.add(command.address);
  hash.add(command.second_address);
  hash.add(command.data);
  hash.add(command.byte_mask);
  hash.add(command.csr);
  hash.add(command.signals);
  hash.add(command.issued);
}

}  // namespace nplab::simulator
