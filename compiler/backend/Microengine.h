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
enum Space : unsigned { kDefault = 0, kSram = 1, kSdram = 2, kScratch = 3, kShared = 4 };
}  // namespace MicroengineAddressSpace

// Which registers hold the address of a thread's frame: none, b15, or b15 and a15 for offsets
// beyond the 127 bytes that a reference can add.
enum class MicroengineFrameReach { kNone, kNear, kFar };

// How many transfer registers references may hold at a time.
enum class MicroengineTransferUse {
  kGrouped,   // references come together and share waits; what arrived waits there for its use
  kModest,    // no reads are merged, no references grouped; data waits within its block at most
  kMovedOut,  // each longword leaves as it arrives, and what is sent is gathered right before that
};

// What becomes of references that signal (sram_read_start, ...).
enum class MicroengineStartedReferences { kSignal, kBlock };

// What the driver asks of the code generator beyond LLVM's own options.
struct MicroengineOptions {
  MicroengineAddressSpace::Space DefaultSpace = MicroengineAddressSpace::kScratch;
  uint32_t FrameBase = 0;  // byte address of context 0's frame, in the default space
  bool FillSlots = false;  // defer slots, the shadow of context swaps, static branch prediction
  unsigned SharedVariables = 0;  // longwords of per-engine variables that the program uses
  MicroengineFrameReach FrameReach = MicroengineFrameReach::kNone;
  MicroengineTransferUse TransferUse = MicroengineTransferUse::kGrouped;
  MicroengineStartedReferences StartedReferences = MicroengineStartedReferences::kSignal;
  bool HasCalls = false;        // of functions that are not inlined
  bool KeepsVariables = false;  // says where they are
};

// Those of the target machine that the function is compiled for.
const MicroengineOptions& engineOptionsOf(const MachineFunction& Function);

// Registers the code generator with LLVM, and the machine-code layer (isa/mc). Calling it again
// does nothing.
void registerMicroengineCodeGenerator();

FunctionPass* createMicroengineISelDag(MicroengineTargetMachine& Target);
FunctionPass* createMicroengineMergeReads();
FunctionPass* createMicroengineBankAssignment();
FunctionPass* createMicroengineExpandPseudos();
FunctionPass* createMicroengineShareWaits();
FunctionPass* createMicroengineCheckSignals();
FunctionPass* createMicroengineCheckAtomic();
FunctionPass* createMicroengineOutOfRegisters();
FunctionPass* createMicroenginePredictBranches();
void fillMicroengineSlots(MachineFunction& Function);

}  // namespace llvm
