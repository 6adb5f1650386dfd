#include "compiler/transforms/CheckAddresses.h"

#include <optional>

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineIntrinsics.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace nplab::compiler {
namespace {

constexpr std::uint64_t kLongwordBytes = 4;
constexpr std::uint64_t kQuadwordBytes = 8;

std::optional<std::uint64_t> constant_address(const llvm::Value& pointer,
                                              const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::Value* base =
      pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(base);
  if (!cast || cast->getOpcode() != llvm::Instruction::IntToPtr)
    return std::nullopt;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
  if (!number)
    return std::nullopt;
  return (number->getValue().zextOrTrunc(offset.getBitWidth()) + offset).getZExtValue();
}

struct Access {
  const llvm::Value* address = nullptr;
  std::uint64_t alignment = 1;  // bytes
};

// What a call of an intrinsic needs of its address.
Access access_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !llvm::Microengine::isIntrinsicName(callee->getName()))
    return {};
  for (const llvm::Value* argument : call.args())
    if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument->getType()))
      return {argument, pointer->getAddressSpace() == llvm::MicroengineAddressSpace::kSdram
                            ? kQuadwordBytes
                            : kLongwordBytes};
  return {};
}

std::uint64_t alignment_of(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getAlign().value();
  return llvm::cast<llvm::StoreInst>(instruction).getAlign().value();
}

Access access_of(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return access_of(*call);
  if (const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction))
    return {address, alignment_of(instruction)};
  return {};
}

}  // namespace

void check_addresses(const llvm::Module& module, std::vector<Diagnostic>& warnings) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const Access access = access_of(instruction);
      const auto address =
          access.address ? constant_address(*access.address, module.getDataLayout()) : std::nullopt;
      if (!address || *address % access.alignment == 0)
        continue;
      Diagnostic warning{location_of(instruction.getDebugLoc(), function),
                         "the address 0x" + llvm::utohexstr(*address, /*LowerCase=*/true) +
                             " is not a multiple of " + std::to_string(access.alignment) +
                             ", so this reference is a fault"};
      if (!llvm::is_contained(warnings, warning))
        warnings.push_back(std::move(warning));
    }
}

}  // namespace nplab::compiler
