#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCFixupKindInfo.h"
#include "llvm/MC/MCValue.h"

using namespace llvm;

namespace {

// `count` bytes of `value` into `bytes`, most significant first.
void write_big_endian(std::uint64_t value, MutableArrayRef<char> bytes, unsigned count) {
  for (unsigned i = 0; i != count; ++i)
    bytes[i] = static_cast<char>(value >> (8 * (count - 1 - i)));
}

class MicroengineAsmBackend : public MCAsmBackend {
 public:
  MicroengineAsmBackend() : MCAsmBackend(endianness::big) {}

  std::unique_ptr<MCObjectTargetWriter> createObjectTargetWriter() const override {
    return createMicroengineELFObjectWriter();
  }

  unsigned getNumFixupKinds() const override { return Microengine::NumFixups; }

  const MCFixupKindInfo& getFixupKindInfo(MCFixupKind kind) const override {
    static const MCFixupKindInfo infos[] = {
        {"fixup_target", 48, 16, 0}, {"fixup_low", 48, 16, 0}, {"fixup_high", 48, 16, 0}};
    if (kind < FirstTargetFixupKind)
      return MCAsmBackend::getFixupKindInfo(kind);
    return infos[kind - FirstTargetFixupKind];
  }

  // Instructions refer to symbols only, whose addresses the loader decides: their fixups become
  // relocations. Data fixups are differences that the assembler knows, in line tables for instance.
  void applyFixup(const MCAssembler&, const MCFixup& fixup, const MCValue&,
                  MutableArrayRef<char> bytes, std::uint64_t value, bool is_resolved,
                  const MCSubtargetInfo*) const override {
    if (!is_resolved || fixup.getKind() >= FirstTargetFixupKind)
      return;
    const unsigned count = getFixupKindInfo(fixup.getKind()).TargetSize / 8;
    write_big_endian(value, bytes.slice(fixup.getOffset(), count), count);
  }

  bool shouldForceRelocation(const MCAssembler&, const MCFixup& fixup, const MCValue&,
                             const MCSubtargetInfo*) override {
    return fixup.getKind() >= FirstTargetFixupKind;
  }

  // A nop is a word of zeros.
  bool writeNopData(raw_ostream& out, std::uint64_t count, const MCSubtargetInfo*) const override {
    out.write_zeros(static_cast<unsigned>(count));
    return count % Microengine::kInstructionBytes == 0;
  }
};

}  // namespace

MCAsmBackend* llvm::createMicroengineAsmBackend(const Target&, const MCSubtargetInfo&,
                                                const MCRegisterInfo&, const MCTargetOptions&) {
  return new MicroengineAsmBackend;
}
