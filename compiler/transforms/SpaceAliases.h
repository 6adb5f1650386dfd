// What LLVM may assume about pointers because of the memories that they address.
#pragma once

#include "compiler/backend/Microengine.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/PassManager.h"

namespace nplab::compiler {

// Two pointers never alias if they address different memories.
class SpaceAliases : public llvm::AAResultBase {
 public:
  explicit SpaceAliases(llvm::MicroengineAddressSpace::Space default_space)
      : default_space_(default_space) {}

  llvm::AliasResult alias(const llvm::MemoryLocation& first, const llvm::MemoryLocation& second,
                          llvm::AAQueryInfo& /*query*/, const llvm::Instruction* /*context*/) {
    return memory_of(first) == memory_of(second) ? llvm::AliasResult::MayAlias
                                                 : llvm::AliasResult::NoAlias;
  }
  // It depends on types alone.
  bool invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                  llvm::FunctionAnalysisManager::Invalidator&) {
    return false;
  }

 private:
  [[nodiscard]] unsigned memory_of(const llvm::MemoryLocation& location) const {
    const unsigned space = location.Ptr->getType()->getPointerAddressSpace();
    return space == llvm::MicroengineAddressSpace::kDefault ? unsigned{default_space_} : space;
  }

  llvm::MicroengineAddressSpace::Space default_space_;
};

class SpaceAliasAnalysis : public llvm::AnalysisInfoMixin<SpaceAliasAnalysis> {
 public:
  using Result = SpaceAliases;
  explicit SpaceAliasAnalysis(llvm::MicroengineAddressSpace::Space default_space)
      : default_space_(default_space) {}
  SpaceAliases run(llvm::Function&, llvm::FunctionAnalysisManager&) {
    return SpaceAliases(default_space_);
  }

 private:
  friend llvm::AnalysisInfoMixin<SpaceAliasAnalysis>;
  static inline llvm::AnalysisKey Key;
  llvm::MicroengineAddressSpace::Space default_space_;
};

}  // namespace nplab::compiler
