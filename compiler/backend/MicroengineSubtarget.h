// The one model of microengine: gives the code generator its parts.
#pragma once

#include "compiler/backend/MicroengineFrameLowering.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/CodeGen/SelectionDAGTargetInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

#define GET_SUBTARGETINFO_HEADER
#include "isa/MicroengineGenSubtargetInfo.inc"

namespace llvm {

class MicroengineSubtarget : public MicroengineGenSubtargetInfo {
 public:
  MicroengineSubtarget(const Triple& TargetTriple, const TargetMachine& Target);

  void ParseSubtargetFeatures(StringRef CPU, StringRef TuneCPU, StringRef Features);

  const MicroengineInstrInfo* getInstrInfo() const override { return &Instructions; }
  const MicroengineFrameLowering* getFrameLowering() const override { return &Frames; }
  const MicroengineTargetLowering* getTargetLowering() const override { return &Lowering; }
  const MicroengineRegisterInfo* getRegisterInfo() const override {
    return &Instructions.getRegisterInfo();
  }
  const SelectionDAGTargetInfo* getSelectionDAGInfo() const override { return &SelectionInfo; }

 private:
  MicroengineInstrInfo Instructions;
  MicroengineFrameLowering Frames;
  MicroengineTargetLowering Lowering;
  SelectionDAGTargetInfo SelectionInfo;
};

}  // namespace llvm
