// The parts of the machine-code layer, as registration.cpp hands them to LLVM.
#pragma once

#include <memory>

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

namespace llvm {

MCAsmInfo* createMicroengineAsmInfo(const MCRegisterInfo&, const Triple&, const MCTargetOptions&);
MCCodeEmitter* createMicroengineCodeEmitter(const MCInstrInfo&, MCContext&);
MCAsmBackend* createMicroengineAsmBackend(const Target&, const MCSubtargetInfo&,
                                          const MCRegisterInfo&, const MCTargetOptions&);
std::unique_ptr<MCObjectTargetWriter> createMicroengineELFObjectWriter();
MCInstPrinter* createMicroengineInstPrinter(const Triple&, unsigned variant, const MCAsmInfo&,
                                            const MCInstrInfo&, const MCRegisterInfo&);
MCTargetAsmParser* createMicroengineAsmParser(const MCSubtargetInfo&, MCAsmParser&,
                                              const MCInstrInfo&, const MCTargetOptions&);
MCDisassembler* createMicroengineDisassembler(const Target&, const MCSubtargetInfo&, MCContext&);
MCTargetStreamer* createMicroengineAsmTargetStreamer(MCStreamer&, formatted_raw_ostream&,
                                                     MCInstPrinter*);
MCTargetStreamer* createMicroengineELFTargetStreamer(MCStreamer&, const MCSubtargetInfo&);

}  // namespace llvm
