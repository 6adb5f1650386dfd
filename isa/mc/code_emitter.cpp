#include "isa/mc/half_expression.h"
#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/EndianStream.h"

using namespace llvm;

namespace {

class MicroengineMCCodeEmitter : public MCCodeEmitter {
 public:
  explicit MicroengineMCCodeEmitter(const MCRegisterInfo& registers) : registers_(registers) {}

  void encodeInstruction(const MCInst& instruction, SmallVectorImpl<char>& bytes,
                         SmallVectorImpl<MCFixup>& fixups,
                         const MCSubtargetInfo& subtarget) const override {
    const std::uint64_t word = getBinaryCodeForInstr(instruction, fixups, subtarget);
    support::endian::write<std::uint64_t>(bytes, word, endianness::big);
  }

 private:
  // Generated.
  std::uint64_t getBinaryCodeForInstr(const MCInst& instruction, SmallVectorImpl<MCFixup>& fixups,
                                      const MCSubtargetInfo& subtarget) const;

  std::uint64_t getMachineOpValue(const MCInst&, const MCOperand& operand,
                                  SmallVectorImpl<MCFixup>&, const MCSubtargetInfo&) const {
    if (operand.isReg())
      return registers_.getEncodingValue(operand.getReg());
    assert(operand.isImm() && "only targets and half words can be expressions");
    return static_cast<std::uint64_t>(operand.getImm());
  }

  std::uint64_t getTargetEncoding(const MCInst& instruction, unsigned index,
                                  SmallVectorImpl<MCFixup>& fixups, const MCSubtargetInfo&) const {
    return encode_or_fix(instruction.getOperand(index), Microengine::fixup_target, fixups);
  }

  std::uint64_t getHalfWordEncoding(const MCInst& instruction, unsigned index,
                                    SmallVectorImpl<MCFixup>& fixups,
                                    const MCSubtargetInfo&) const {
    const MCOperand& operand = instruction.getOperand(index);
    const auto* half =
        operand.isExpr() ? dyn_cast<MicroengineHalfExpr>(operand.getExpr()) : nullptr;
    const bool is_high = half && half->half() == MicroengineHalfExpr::Half::kHigh;
    return encode_or_fix(operand, is_high ? Microengine::fixup_high : Microengine::fixup_low,
                         fixups);
  }

  static std::uint64_t encode_or_fix(const MCOperand& operand, unsigned kind,
                                     SmallVectorImpl<MCFixup>& fixups) {
    if (operand.isImm())
      return static_cast<std::uint64_t>(operand.getImm()) & 0xffff;
    fixups.push_back(MCFixup::create(0, operand.getExpr(), static_cast<MCFixupKind>(kind)));
    return 0;
  }

  const MCRegisterInfo& registers_;
};

#include "isa/MicroengineGenMCCodeEmitter.inc"

}  // namespace

MCCodeEmitter* llvm::createMicroengineCodeEmitter(const MCInstrInfo&, MCContext& context) {
  return new MicroengineMCCodeEmitter(*context.getRegisterInfo());
}
