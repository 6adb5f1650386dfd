// Types of LLVM's debug information as those of the variable table, numbered as they are met.
#pragma once

#include <map>
#include <vector>

#include "isa/variable_table.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {

class MicroengineVariableTypes {
 public:
  // Where pointers without a memory of their own lead to.
  explicit MicroengineVariableTypes(nplab::isa::MemorySpace Default) : DefaultSpace(Default) {}

  // Null: void.
  unsigned numberOf(const DIType* Type);
  const std::vector<nplab::isa::VariableType>& all() const { return Types; }

 private:
  nplab::isa::VariableType describe(const DIType& Type);
  nplab::isa::VariableType describe(const DIBasicType& Type);
  nplab::isa::VariableType describe(const DIDerivedType& Type);
  nplab::isa::VariableType describe(const DICompositeType& Type);
  nplab::isa::VariableType arrayOf(const DICompositeType& Array, unsigned FirstDimension);
  void addMembers(const DICompositeType& Type, nplab::isa::VariableType& Into);

  nplab::isa::MemorySpace DefaultSpace;
  std::vector<nplab::isa::VariableType> Types;
  std::map<const DIType*, unsigned> NumberOf;
};

}  // namespace llvm
