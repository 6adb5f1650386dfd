#include "compiler/backend/MicroengineSubtarget.h"

#include "llvm/MC/TargetRegistry.h"

#define GET_SUBTARGETINFO_TARGET_DESC
#define GET_SUBTARGETINFO_CTOR
#include "isa/MicroengineGenSubtargetInfo.inc"

using namespace llvm;

MicroengineSubtarget::MicroengineSubtarget(const Triple& TargetTriple, const TargetMachine& Target)
    : MicroengineGenSubtargetInfo(TargetTriple, "generic", "generic", ""),
      Lowering(Target, *this) {}
