// Passes and shared facts of the microengine's code generator. LLVM spelling inside: this is an
// LLVM target that lives outside LLVM's tree.
#pragma once

#include <cstdint>

namespace llvm {

class FunctionPass;
class MachineFunction;
class MicroengineTargetMachine;

// Address spaces of C pointers. Space 0 holds locals and plain globals; MicroengineOptions says
// which memory it is.
namespace MicroengineAddressSpace {
// Shared: per-engine variables, in absolute registers (transforms/LowerSharedVariables.cpp).
enum Space : unsigned { Default = 0, SRAM = 1, SDRAM = 2, Scratch = 3, Shared = 4 };
}  // namespace MicroengineAddressSpace

// What the driver asks of the code generator beyond LLVM's own options.
struct MicroengineOptions {
  MicroengineAddressSpace::Space DefaultSpace = MicroengineAddressSpace::Scratch;
  uint32_t FrameBase = 0;  // byte address of context 0's frame, in the default space
  bool FillSlots = false;  // defer slots, the shadow of context swaps, guesses of branches
};

// Registers the code generator with LLVM, and the machine-code layer (isa/mc). Calling it again
// does nothing.
void registerMicroengineCodeGenerator();

FunctionPass* createMicroengineISelDag(MicroengineTargetMachine& Target);
FunctionPass* createMicroengineMergeReads();
FunctionPass* createMicroengineBankAssignment();
FunctionPass* createMicroengineExpandPseudos();
FunctionPass* createMicroengineShareWaits();
FunctionPass* createMicroengineCheckSignals();
FunctionPass* createMicroengineNameShortage();
FunctionPass* createMicroengineGuessBranches();
void fillMicroengineSlots(MachineFunction& Function);

}  // namespace llvm
