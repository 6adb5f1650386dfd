// Types of Clang as those of the variable table: of what was declared, and of what an expression
// makes of it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "compiler/expressions/expression.h"

namespace nplab::compiler {

// The memory that a type's values are in; `other` for those without one.
isa::MemorySpace space_of(const clang::QualType& type, isa::MemorySpace other);

class TypeNumbers {
 public:
  // Keeps references. The declarations are those of expression_declarations.
  TypeNumbers(clang::ASTContext& context, const ExpressionNames& names);

  // Names that are kept as the expression goes on tell apart what is the same to C.
  std::uint32_t number(clang::QualType type);

  std::vector<isa::VariableType> types;

 private:
  static const clang::Type* canonical(clang::QualType type) {
    return type.getCanonicalType().getTypePtr();
  }
  [[nodiscard]] std::optional<std::uint32_t> number_in(llvm::StringRef name) const;
  std::uint32_t add(clang::QualType type);
  isa::VariableType describe(clang::QualType type);

  clang::ASTContext& context_;
  const ExpressionNames& names_;
  std::map<const clang::Type*, std::uint32_t> number_of_;
};

}  // namespace nplab::compiler
