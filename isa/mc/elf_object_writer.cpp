#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCValue.h"

using namespace llvm;

namespace {

class MicroengineELFObjectWriter : public MCELFObjectTargetWriter {
 public:
  MicroengineELFObjectWriter()
      : MCELFObjectTargetWriter(/*Is64Bit=*/false, /*OSABI=*/0, Microengine::EM_MICROENGINE,
                                /*HasRelocationAddend=*/true) {}

 private:
  unsigned getRelocType(MCContext& context, const MCValue&, const MCFixup& fixup,
                        bool) const override {
    switch (static_cast<unsigned>(fixup.getKind())) {
      case FK_Data_4: return Microengine::R_MICROENGINE_32;
      case Microengine::fixup_target: return Microengine::R_MICROENGINE_TARGET;
      case Microengine::fixup_low: return Microengine::R_MICROENGINE_LO16;
      case Microengine::fixup_high: return Microengine::R_MICROENGINE_HI16;
      default:
        context.reportError(fixup.getLoc(), "an address takes 4 bytes here");
        return Microengine::R_MICROENGINE_NONE;
    }
  }
};

}  // namespace

std::unique_ptr<MCObjectTargetWriter> llvm::createMicroengineELFObjectWriter() {
  return std::make_unique<MicroengineELFObjectWriter>();
}
