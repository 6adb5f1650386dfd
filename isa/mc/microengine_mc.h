// The microengine as an LLVM target, machine-code layer: register and opcode numbers, fixups,
// relocations, registration. LLVM's own spelling is used for what LLVM calls or generates.
#pragma once

#include <cstdint>

#include "isa/instruction.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegister.h"

#define GET_REGINFO_ENUM
#include "isa/MicroengineGenRegisterInfo.inc"
#define GET_INSTRINFO_ENUM
#define GET_INSTRINFO_MC_HELPER_DECLS
#include "isa/MicroengineGenInstrInfo.inc"
#define GET_SUBTARGETINFO_ENUM
#include "isa/MicroengineGenSubtargetInfo.inc"

namespace llvm {

class MCRegisterInfo;
class Target;

// Looked up by the name "microengine": the triple's architecture is unknown to LLVM.
Target& getTheMicroengineTarget();

namespace Microengine {

constexpr const char* kTargetName = "microengine";
constexpr const char* kTriple = "microengine-unknown-none-elf";
constexpr unsigned kInstructionBytes = 8;

enum Fixups {
  fixup_target = FirstTargetFixupKind,  // bits 15..0: control-store address in words
  fixup_low,                            // bits 15..0: low half of an address
  fixup_high,                           // bits 15..0: high half
  LastFixup,
  NumFixups = LastFixup - FirstTargetFixupKind
};

// ELF: e_machine and relocation types. Every relocation has its addend in the entry (RELA), in
// bytes.
constexpr std::uint16_t EM_MICROENGINE = 0x4E50;
enum Relocations : std::uint32_t {
  R_MICROENGINE_NONE = 0,
  R_MICROENGINE_32 = 1,      // 32 bits of data
  R_MICROENGINE_TARGET = 2,  // of the instruction word at the address
  R_MICROENGINE_LO16 = 3,
  R_MICROENGINE_HI16 = 4,
};

// The register, or the burst that begins with it, that an operand code names in a register class;
// no register (0) if the class does not have it.
MCRegister find_register(const MCRegisterInfo& registers, unsigned register_class,
                         nplab::isa::OperandCode code);

}  // namespace Microengine
}  // namespace llvm

// Registers the target's machine-code layer with LLVM. Calling it again does nothing.
extern "C" void LLVMInitializeMicroengineMC();
