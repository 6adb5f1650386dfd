#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"

#define GET_INSTRINFO_MC_DESC
#include "isa/MicroengineGenInstrInfo.inc"
#define GET_REGINFO_MC_DESC
#include "isa/MicroengineGenRegisterInfo.inc"
#define GET_SUBTARGETINFO_MC_DESC
#include "isa/MicroengineGenSubtargetInfo.inc"

using namespace llvm;

Target& llvm::getTheMicroengineTarget() {
  static Target target;
  return target;
}

MCRegister Microengine::find_register(const MCRegisterInfo& registers, unsigned register_class,
                                      nplab::isa::OperandCode code) {
  for (const MCPhysReg candidate : registers.getRegClass(register_class))
    if (registers.getEncodingValue(candidate) == code)
      return candidate;
  return {};
}

namespace {

MCInstrInfo* create_instruction_info() {
  auto* info = new MCInstrInfo;
  InitMicroengineMCInstrInfo(info);
  return info;
}

// LLVM wants a return address register for call frame information, which this target has none of.
MCRegisterInfo* create_register_info(const Triple&) {
  auto* info = new MCRegisterInfo;
  InitMicroengineMCRegisterInfo(info, Microengine::B15);
  return info;
}

MCSubtargetInfo* create_subtarget_info(const Triple& triple, StringRef cpu, StringRef features) {
  const StringRef name = cpu.empty() ? "generic" : cpu;
  return createMicroengineMCSubtargetInfoImpl(triple, name, name, features);
}

}  // namespace

extern "C" void LLVMInitializeMicroengineMC() {
  static const bool registered = [] {
    Target& target = getTheMicroengineTarget();
    const auto never_by_architecture = [](Triple::ArchType) { return false; };
    TargetRegistry::RegisterTarget(target, Microengine::kTargetName,
                                   "network-processor microengine", "Microengine",
                                   never_by_architecture, /*HasJIT=*/false);
    TargetRegistry::RegisterMCAsmInfo(target, createMicroengineAsmInfo);
    TargetRegistry::RegisterMCInstrInfo(target, create_instruction_info);
    TargetRegistry::RegisterMCRegInfo(target, create_register_info);
    TargetRegistry::RegisterMCSubtargetInfo(target, create_subtarget_info);
    TargetRegistry::RegisterMCInstPrinter(target, createMicroengineInstPrinter);
    TargetRegistry::RegisterMCCodeEmitter(target, createMicroengineCodeEmitter);
    TargetRegistry::RegisterMCAsmBackend(target, createMicroengineAsmBackend);
    TargetRegistry::RegisterMCAsmParser(target, createMicroengineAsmParser);
    TargetRegistry::RegisterMCDisassembler(target, createMicroengineDisassembler);
    TargetRegistry::RegisterAsmTargetStreamer(target, createMicroengineAsmTargetStreamer);
    TargetRegistry::RegisterObjectTargetStreamer(target, createMicroengineELFTargetStreamer);
    return true;
  }();
  (void)registered;
}
