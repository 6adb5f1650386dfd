#include "compiler/expressions/expression_types.h"

#include "clang/AST/Decl.h"
#include "compiler/backend/Microengine.h"

namespace nplab::compiler {

using isa::VariableType;

isa::MemorySpace space_of(const clang::QualType& type, isa::MemorySpace other) {
  switch (clang::toTargetAddressSpace(type.getAddressSpace())) {
    case llvm::MicroengineAddressSpace::kSram: return isa::MemorySpace::kSram;
    case llvm::MicroengineAddressSpace::kSdram: return isa::MemorySpace::kSdram;
    case llvm::MicroengineAddressSpace::kScratch: return isa::MemorySpace::kScratch;
    default: return other;
  }
}

TypeNumbers::TypeNumbers(clang::ASTContext& context, const ExpressionNames& names)
    : types(names.types), context_(context), names_(names) {
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (const auto* alias = llvm::dyn_cast<clang::TypedefDecl>(declaration))
      if (const auto number = number_in(alias->getName()))
        number_of_.try_emplace(canonical(alias->getUnderlyingType()), *number);
}

std::uint32_t TypeNumbers::number(clang::QualType type) {
  for (clang::QualType sugared = type;;) {
    if (const auto* alias = llvm::dyn_cast<clang::TypedefType>(sugared.getTypePtr()))
      if (const auto number = number_in(alias->getDecl()->getName()))
        return *number;
    const clang::QualType inner = sugared.getSingleStepDesugaredType(context_);
    if (inner == sugared)
      break;
    sugared = inner;
  }
  const auto found = number_of_.find(canonical(type));
  return found != number_of_.end() ? found->second : add(type);
}

std::optional<std::uint32_t> TypeNumbers::number_in(llvm::StringRef name) const {
  std::uint32_t number = 0;
  const bool is_number = name.consume_front("__t") && !name.getAsInteger(10, number);
  return is_number && number < names_.types.size() ? std::optional(number) : std::nullopt;
}

std::uint32_t TypeNumbers::add(clang::QualType type) {
  VariableType made = describe(type);
  types.push_back(std::move(made));
  const auto number = static_cast<std::uint32_t>(types.size() - 1);
  number_of_[canonical(type)] = number;
  return number;
}

VariableType TypeNumbers::describe(clang::QualType type) {
  using Kind = VariableType::Kind;
  VariableType made;
  made.name = type.getUnqualifiedType().getAsString();
  if (!type->isIncompleteType() && !type->isFunctionType())
    made.bytes = static_cast<std::uint32_t>(context_.getTypeSizeInChars(type).getQuantity());
  if (const auto* array = context_.getAsConstantArrayType(type)) {
    made.kind = Kind::kArray;
    made.elements = static_cast<std::uint32_t>(array->getSize().getLimitedValue());
    made.element = number(array->getElementType());
  } else if (type->isAnyPointerType()) {
    made.kind = Kind::kPointer;
    made.element = number(type->getPointeeType());
    made.space = space_of(type->getPointeeType(), names_.default_space);
  } else if (type->isBooleanType()) {
    made.kind = Kind::kBoolean;
  } else if (type->isCharType() && type->isUnsignedIntegerType()) {
    made.kind = Kind::kCharacter;
  } else if (type->isIntegerType()) {
    made.kind = type->isSignedIntegerOrEnumerationType() ? Kind::kSigned : Kind::kUnsigned;
  } else if (type->isFunctionType()) {
    made.kind = Kind::kFunction;
  }
  return made;
}

}  // namespace nplab::compiler
