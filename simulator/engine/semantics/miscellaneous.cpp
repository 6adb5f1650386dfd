// ctx_arb, local_csr_rd, nop.
#include <cassert>

#include "simulator/engine/dispatch.h"
#include "simulator/engine/semantics/routines.h"

namespace nplab::simulator {
namespace {

Flow ctx_arb(ExecutionCore& core, const ExecutionSlot& slot) {
  return hand_back(core, slot, Flow::kArbitrate);
}

Flow nop(ExecutionCore& core, const ExecutionSlot& slot) {
  return proceed(core, slot);
}

Flow local_csr_rd(ExecutionCore& core, const ExecutionSlot& slot) {
  std::uint32_t value = 0;
  switch (static_cast<isa::LocalCSR>(slot.csr)) {
    case isa::LocalCSR::kActiveContext: value = core.context.index(); break;
    case isa::LocalCSR::kEngine: value = core.engine.index(); break;
    case isa::LocalCSR::kCycleCount:
      value = static_cast<std::uint32_t>(core.cycle_of(slot).number());
      break;
  }
  Anywhere::write(core, slot.dst, value);
  return proceed(core, slot);
}

Flow pci_dma(ExecutionCore& core, const ExecutionSlot& slot) {
  core.fault = "pci_dma: the PCI unit is not modelled";
  return hand_back(core, slot, Flow::kFault);
}

}  // namespace

Routine miscellaneous_routine(isa::Operation operation, OperandPlaces) {
  using isa::Operation;
  switch (operation) {
    case Operation::kCtxArb: return ctx_arb;
    case Operation::kLocalCsrRd: return local_csr_rd;
    case Operation::kNop: return nop;
    case Operation::kPciDma: return pci_dma;
    default: return nullptr;
  }
}

Routine routine_of(isa::Operation operation, OperandPlaces places) {
  for (const auto family :
       {alu_routine, register_routine, branch_routine, reference_routine, miscellaneous_routine})
    if (const Routine routine = family(operation, places))
      return routine;
  assert(false && "an operation without a routine");
  return nop;
}

}  // namespace nplab::simulator
