// The target machine: data layout, sections by memory space, and the code generator's passes.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {

class MicroengineTargetMachine : public LLVMTargetMachine {
 public:
  // Big-endian; pointers of all spaces are 32-bit byte addresses; 64-bit values align to longwords.
  static constexpr char Layout[] = "E-m:e-p:32:32-p1:32:32-p2:32:32-p3:32:32-i64:32-n32-S32";

  MicroengineTargetMachine(const Target& T, const Triple& TargetTriple, StringRef CPU,
                           StringRef Features, const TargetOptions& Options,
                           std::optional<Reloc::Model>, std::optional<CodeModel::Model>,
                           CodeGenOptLevel Level, bool);
  ~MicroengineTargetMachine() override;

  const MicroengineSubtarget* getSubtargetImpl(const Function&) const override {
    return &Subtarget;
  }
  TargetPassConfig* createPassConfig(PassManagerBase& Passes) override;
  TargetLoweringObjectFile* getObjFileLowering() const override { return Sections.get(); }
  TargetTransformInfo getTargetTransformInfo(const Function& F) const override;

  const MicroengineOptions& engineOptions() const { return EngineOptions; }
  void setEngineOptions(const MicroengineOptions& Options) { EngineOptions = Options; }

  const MicroengineCalledFunctions& calledFunctions() const { return Called; }
  MicroengineCalledFunctions& calledFunctions() { return Called; }

  // Bytes of a thread's frame.
  uint64_t frameBytes() const { return FrameBytes; }
  void setFrameBytes(uint64_t Bytes) { FrameBytes = Bytes; }

  // What the program became, by the source function that its instructions came from.
  struct Counts {
    unsigned Words = 0;
    unsigned References = 0;
    unsigned Bursts = 0;  // references of more than one longword (SDRAM: quadword)
    unsigned FilledSlots = 0;
    unsigned GuessedBranches = 0;
    unsigned Overlapped = 0;      // references without a wait of their own
    unsigned Spills = 0;          // references to the frame for want of registers
    std::set<int> SpilledValues;  // their places in the frame
    std::map<std::string, std::set<unsigned>> SpillLines;  // of those references, by file
  };
  // Registers that the program uses, by file.
  struct Usage {
    unsigned BankA = 0, BankB = 0, SRAMRead = 0, SRAMWrite = 0, SDRAMRead = 0, SDRAMWrite = 0;
  };
  const Usage& usage() const { return RegisterUsage; }
  void setUsage(const Usage& Used) { RegisterUsage = Used; }
  // How many places call a function that is not inlined, by its name in the source.
  std::map<std::string, unsigned>& callSites() { return CallSites; }
  using CountsBySource = std::map<std::string, Counts>;
  CountsBySource& counts() { return CountsOfSources; }

 private:
  std::unique_ptr<TargetLoweringObjectFile> Sections;
  MicroengineSubtarget Subtarget;
  MicroengineOptions EngineOptions;
  MicroengineCalledFunctions Called;
  uint64_t FrameBytes = 0;
  CountsBySource CountsOfSources;
  std::map<std::string, unsigned> CallSites;
  Usage RegisterUsage;
};

}  // namespace llvm
