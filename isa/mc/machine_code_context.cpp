#include "isa/mc/machine_code_context.h"

#include "isa/mc/microengine_mc.h"

namespace nplab::isa {
namespace {

const llvm::Target& registered_target() {
  LLVMInitializeMicroengineMC();
  return llvm::getTheMicroengineTarget();
}

constexpr const char* kTriple = llvm::Microengine::kTriple;

}  // namespace

MachineCodeContext::MachineCodeContext(const llvm::SourceMgr* sources)
    : target(registered_target()),
      registers(target.createMCRegInfo(kTriple)),
      asm_info(target.createMCAsmInfo(*registers, kTriple, options)),
      instructions(target.createMCInstrInfo()),
      subtarget(target.createMCSubtargetInfo(kTriple, "generic", "")),
      context(llvm::Triple(kTriple), asm_info.get(), registers.get(), subtarget.get(), sources),
      object_file_info(target.createMCObjectFileInfo(context, /*PIC=*/false)) {
  context.setObjectFileInfo(object_file_info.get());
}

}  // namespace nplab::isa
