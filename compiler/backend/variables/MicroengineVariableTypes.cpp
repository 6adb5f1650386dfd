#include "compiler/backend/variables/MicroengineVariableTypes.h"

#include "compiler/backend/Microengine.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace {

using nplab::isa::MemorySpace;
using nplab::isa::VariableType;
using TypeKind = VariableType::Kind;

constexpr uint64_t kByteBits = 8;

// Qualifiers, which do not change what a value is.
const DIType* withoutQualifiers(const DIType* Type) {
  while (const auto* Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    switch (Derived->getTag()) {
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type: Type = Derived->getBaseType(); break;
      default: return Type;
    }
  }
  return Type;
}

uint32_t bytesOf(const DIType& Type) {
  return static_cast<uint32_t>(Type.getSizeInBits() / kByteBits);
}

uint32_t countOf(const DINode* Dimension) {
  const auto* Range = dyn_cast_or_null<DISubrange>(Dimension);
  const auto Count = Range ? Range->getCount() : DISubrange::BoundType();
  const auto* Constant = dyn_cast_if_present<ConstantInt*>(Count);
  return Constant && !Constant->isNegative() ? static_cast<uint32_t>(Constant->getZExtValue()) : 0;
}

}  // namespace

unsigned MicroengineVariableTypes::numberOf(const DIType* Type) {
  Type = withoutQualifiers(Type);
  const auto [Found, IsNew] = NumberOf.try_emplace(Type, Types.size());
  const unsigned Number = Found->second;
  if (!IsNew)
    return Number;
  Types.emplace_back();  // a structure may have pointers to itself
  if (Type) {
    VariableType Described = describe(*Type);
    Types[Number] = std::move(Described);
  }
  return Number;
}

VariableType MicroengineVariableTypes::describe(const DIType& Type) {
  if (const auto* Basic = dyn_cast<DIBasicType>(&Type))
    return describe(*Basic);
  if (const auto* Derived = dyn_cast<DIDerivedType>(&Type))
    return describe(*Derived);
  if (const auto* Composite = dyn_cast<DICompositeType>(&Type))
    return describe(*Composite);
  VariableType Other;
  Other.kind = isa<DISubroutineType>(Type) ? TypeKind::kFunction : TypeKind::kVoid;
  Other.element = numberOf(nullptr);
  return Other;
}

VariableType MicroengineVariableTypes::describe(const DIBasicType& Type) {
  VariableType Described;
  Described.name = Type.getName().str();
  Described.bytes = bytesOf(Type);
  switch (Type.getEncoding()) {
    case dwarf::DW_ATE_boolean: Described.kind = TypeKind::kBoolean; break;
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_signed_char: Described.kind = TypeKind::kSigned; break;
    case dwarf::DW_ATE_unsigned_char: Described.kind = TypeKind::kCharacter; break;
    default: Described.kind = TypeKind::kUnsigned;
  }
  return Described;
}

VariableType MicroengineVariableTypes::describe(const DIDerivedType& Type) {
  VariableType Described;
  Described.kind = Type.getTag() == dwarf::DW_TAG_typedef ? TypeKind::kAlias : TypeKind::kPointer;
  Described.name = Type.getName().str();
  Described.element = numberOf(Type.getBaseType());
  if (Described.kind == TypeKind::kAlias)
    return Described;
  Described.bytes = bytesOf(Type);
  switch (Type.getDWARFAddressSpace().value_or(MicroengineAddressSpace::kDefault)) {
    case MicroengineAddressSpace::kSram: Described.space = MemorySpace::kSram; break;
    case MicroengineAddressSpace::kSdram: Described.space = MemorySpace::kSdram; break;
    case MicroengineAddressSpace::kScratch: Described.space = MemorySpace::kScratch; break;
    default: Described.space = DefaultSpace;
  }
  return Described;
}

// An array of arrays is one with several dimensions.
VariableType MicroengineVariableTypes::arrayOf(const DICompositeType& Array,
                                               unsigned FirstDimension) {
  const DINodeArray Dimensions = Array.getElements();
  VariableType Described;
  Described.kind = TypeKind::kArray;
  Described.elements = FirstDimension < Dimensions.size() ? countOf(Dimensions[FirstDimension]) : 0;
  if (FirstDimension + 1 < Dimensions.size()) {
    VariableType Inner = arrayOf(Array, FirstDimension + 1);
    Types.push_back(std::move(Inner));
    Described.element = Types.size() - 1;
  } else {
    Described.element = numberOf(Array.getBaseType());
  }
  const VariableType* Element = &Types[Described.element];
  while (Element->kind == TypeKind::kAlias)
    Element = &Types[Element->element];
  Described.bytes = Described.elements * Element->bytes;
  return Described;
}

VariableType MicroengineVariableTypes::describe(const DICompositeType& Type) {
  if (Type.getTag() == dwarf::DW_TAG_array_type)
    return arrayOf(Type, 0);
  VariableType Described;
  Described.name = Type.getName().str();
  Described.bytes = bytesOf(Type);
  if (Type.getTag() == dwarf::DW_TAG_enumeration_type) {
    Described.kind = TypeKind::kEnumeration;
    Described.element = numberOf(Type.getBaseType());
    for (const DINode* Element : Type.getElements())
      if (const auto* Named = dyn_cast<DIEnumerator>(Element))
        Described.enumerators.push_back(
            {Named->getName().str(),
             static_cast<uint32_t>(Named->getValue().sextOrTrunc(64).getSExtValue())});
    return Described;
  }
  Described.kind =
      Type.getTag() == dwarf::DW_TAG_union_type ? TypeKind::kUnion : TypeKind::kStructure;
  addMembers(Type, Described);
  return Described;
}

void MicroengineVariableTypes::addMembers(const DICompositeType& Type, VariableType& Into) {
  for (const DINode* Element : Type.getElements()) {
    const auto* Member = dyn_cast<DIDerivedType>(Element);
    if (!Member || Member->getTag() != dwarf::DW_TAG_member)
      continue;
    Into.members.push_back({Member->getName().str(), numberOf(Member->getBaseType()),
                            static_cast<uint32_t>(Member->getOffsetInBits()),
                            static_cast<uint32_t>(Member->getSizeInBits())});
  }
}
