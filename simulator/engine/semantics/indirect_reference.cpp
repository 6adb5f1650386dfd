// indirect_ref: the ALU output of the instruction just before overrides parts of a reference.
//
//   31      a byte mask follows
//   30..23  byte mask of sdram[write]: bit 7 is the first byte of each quadword
//   20      a count follows
//   19..16  count - 1: longwords, or quadwords of SDRAM
//   15      a transfer register follows
//   14..10  its absolute number, 0-31, in the file that the reference uses
//
// All other bits are zero. fast_wr has nothing to override: the ALU output is added to its data.
// What the original overrides is recalled; its layout was not found, so this one is our own.
#include "isa/reference_traits.gen.h"
#include "simulator/engine/semantics/routines.h"

namespace nplab::simulator {
namespace {

using isa::Operation;

constexpr std::uint32_t kHasMask = 1u << 31, kHasCount = 1u << 20, kHasTransfer = 1u << 15;
constexpr std::uint32_t kMaskField = 0xffu << 23, kCountField = 0xfu << 16,
                        kTransferField = 0x1fu << 10;

Flow refuse(ExecutionCore& core, const char* why) {
  core.fault = why;
  return Flow::kFault;
}

bool is_hash(Operation operation) {
  return operation == Operation::kHash48 || operation == Operation::kHash64;
}

Flow override_parts(ExecutionCore& core, std::uint32_t parts) {
  Command& command = core.command;
  const isa::ReferenceTraits traits = isa::reference_traits(command.operation);
  const std::uint32_t allowed = ((parts & kHasMask) != 0 ? kHasMask | kMaskField : 0) |
                                ((parts & kHasCount) != 0 ? kHasCount | kCountField : 0) |
                                ((parts & kHasTransfer) != 0 ? kHasTransfer | kTransferField : 0);
  if ((parts & ~allowed) != 0)
    return refuse(core, "indirect_ref with bits set that override nothing");
  if ((parts & kHasMask) != 0) {
    if (command.operation != Operation::kSdramWrite)
      return refuse(core, "indirect_ref with a byte mask, which only sdram[write] has");
    command.byte_mask = static_cast<std::uint8_t>(parts >> 23);
  }
  if ((parts & kHasCount) != 0) {
    const unsigned count = ((parts & kCountField) >> 16) + 1;
    if (count > traits.most_count || (is_hash(command.operation) && count % 2 != 0))
      return refuse(core, "indirect_ref with a count that the reference cannot have");
    command.count = static_cast<std::uint8_t>(count);
  }
  if ((parts & kHasTransfer) != 0) {
    if (!traits.has_transfer_register)
      return refuse(core, "indirect_ref with a transfer register, which the reference has not");
    command.transfer.index = static_cast<std::uint8_t>((parts & kTransferField) >> 10);
  }
  return Flow::kReference;
}

}  // namespace

Flow indirect_reference(ExecutionCore& core, const ExecutionSlot& slot) {
  core.slot = &slot;
  if (core.after_setter != &slot)
    return refuse(core,
                  "indirect_ref, but the instruction just before set no condition codes: its ALU "
                  "output is not "
                  "kept");
  reference_routine(slot.operation, OperandPlaces::kAnywhere)(core, slot);
  if (slot.operation != Operation::kFastWr)
    return override_parts(core, core.codes.result());
  core.command.data += core.codes.result();
  return Flow::kReference;
}

}  // namespace nplab::simulator
