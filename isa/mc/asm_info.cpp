#include "isa/mc/parts.h"
#include "llvm/MC/MCAsmInfoELF.h"

using namespace llvm;

namespace {

class MicroengineAsmInfo : public MCAsmInfoELF {
 public:
  MicroengineAsmInfo() {
    IsLittleEndian = false;
    CodePointerSize = CalleeSaveStackSlotSize = 4;
    MinInstAlignment = MaxInstLength = 8;
    CommentString = ";";
    SeparatorString = "\n";
    LabelSuffix = "#:";
    Data8bitsDirective = "\t.byte\t";
    Data16bitsDirective = "\t.short\t";
    Data32bitsDirective = "\t.long\t";
    Data64bitsDirective = "\t.quad\t";
    ZeroDirective = "\t.zero\t";
    SupportsDebugInformation = true;
    HasIdentDirective = false;
    UsesELFSectionDirectiveForBSS = true;
  }
};

}  // namespace

MCAsmInfo* llvm::createMicroengineAsmInfo(const MCRegisterInfo&, const Triple&,
                                          const MCTargetOptions&) {
  return new MicroengineAsmInfo;
}
