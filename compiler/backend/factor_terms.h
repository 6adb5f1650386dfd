// A constant factor as few terms of +-2^n (the non-adjacent form): what a product with it costs in
// shifts and sums.
#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"

namespace nplab::compiler {

struct FactorTerm {
  unsigned exponent;
  bool negative;
};

// Terms beyond the factor's width are zero in the product and left out.
inline llvm::SmallVector<FactorTerm, 8> factor_terms(const llvm::APInt& factor) {
  llvm::SmallVector<FactorTerm, 8> terms;
  llvm::APInt rest = factor.zext(factor.getBitWidth() + 2);
  for (unsigned exponent = 0; !rest.isZero(); ++exponent) {
    if (rest[0]) {
      bool negative = rest[1];
      if (exponent < factor.getBitWidth())
        terms.push_back({exponent, negative});
      if (negative)
        ++rest;
      else
        --rest;
    }
    rest.lshrInPlace(1);
  }
  return terms;
}

}  // namespace nplab::compiler
