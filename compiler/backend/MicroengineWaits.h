// Which functions wait, and for what: kept in the module's metadata by their debug information.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace llvm {

// Pairs of a DISubprogram and an i32, an isa::WaitCode.
constexpr const char* kWaitsMetadata = "microengine.waits";

class MicroengineWaits {
 public:
  explicit MicroengineWaits(const Module& Program);

  // Of the innermost function that waits among those that the location was inlined from; 0: none.
  unsigned codeAt(const DILocation* Location) const;

 private:
  DenseMap<const DISubprogram*, unsigned> Codes;
};

}  // namespace llvm
