#include "isa/mc/half_expression.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCStreamer.h"

using namespace llvm;

const MicroengineHalfExpr* MicroengineHalfExpr::create(Half half, const MCExpr* address,
                                                       MCContext& context) {
  return new (context) MicroengineHalfExpr(half, address);
}

void MicroengineHalfExpr::printImpl(raw_ostream& out, const MCAsmInfo* info) const {
  out << (half_ == Half::kLow ? "%lo(" : "%hi(");
  address_->print(out, info);
  out << ')';
}

// The fixup's kind says which half is meant.
bool MicroengineHalfExpr::evaluateAsRelocatableImpl(MCValue& value, const MCAssembler* assembler,
                                                    const MCFixup* fixup) const {
  return address_->evaluateAsRelocatable(value, assembler, fixup);
}

void MicroengineHalfExpr::visitUsedExpr(MCStreamer& streamer) const {
  streamer.visitUsedExpr(*address_);
}
