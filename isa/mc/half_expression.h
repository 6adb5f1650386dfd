// %lo(expression) and %hi(expression): the low or high 16 bits of an address.
#pragma once

#include "llvm/MC/MCExpr.h"

namespace llvm {

class MicroengineHalfExpr : public MCTargetExpr {
 public:
  enum class Half { kLow, kHigh };

  static const MicroengineHalfExpr* create(Half half, const MCExpr* address, MCContext& context);

  [[nodiscard]] Half half() const { return half_; }
  [[nodiscard]] const MCExpr* address() const { return address_; }

  void printImpl(raw_ostream& out, const MCAsmInfo* info) const override;
  bool evaluateAsRelocatableImpl(MCValue& value, const MCAssembler* assembler,
                                 const MCFixup* fixup) const override;
  void visitUsedExpr(MCStreamer& streamer) const override;
  MCFragment* findAssociatedFragment() const override { return address_->findAssociatedFragment(); }
  void fixELFSymbolsInTLSFixups(MCAssembler&) const override {}

 private:
  MicroengineHalfExpr(Half half, const MCExpr* address) : half_(half), address_(address) {}

  Half half_;
  const MCExpr* address_;
};

}  // namespace llvm
