#include "compiler/transforms/LowerSharedVariables.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kSharedLongwordBytes = 4;  // bytes

class SharedVariables {
 public:
  SharedVariables(Module& module, const std::string& file, Diagnostics& diagnostics)
      : module_(module), file_(file), diagnostics_(diagnostics) {}

  void run() {
    unsigned next = numbers_in_use();
    for (GlobalVariable& variable : make_early_inc_range(module_.globals())) {
      if (variable.getAddressSpace() != MicroengineAddressSpace::kShared)
        continue;
      const unsigned longwords = divideCeil(
          module_.getDataLayout().getTypeAllocSize(variable.getValueType()), kSharedLongwordBytes);
      const bool fits = next + longwords <= MicroengineSharedLimit;
      if (!fits)
        diagnostics_.error(declared_at(variable, file_),
                           "the __shared variable '" + variable.getName().str() + "' needs " +
                               std::to_string(longwords) + " of " +
                               std::to_string(MicroengineSharedLimit) + " places, " +
                               std::to_string(next) + " are taken; use __scratch for it");
      if (variable.hasInitializer() && !variable.getInitializer()->isNullValue() &&
          !llvm::isa<UndefValue>(variable.getInitializer()))
        diagnostics_.error(
            declared_at(variable, file_),
            "the __shared variable '" + variable.getName().str() +
                "' has an initial value; registers start as 0: let one thread set it");
      // Without a place, too: no later check is to find fault with its users.
      lower_users(variable, variable, fits ? next : 0, 0);
      next += fits ? longwords : 0;
      variable.removeDeadConstantUsers();
      if (variable.use_empty())
        variable.eraseFromParent();
    }
  }

 private:
  unsigned numbers_in_use() const {
    unsigned count = 0;
    for (const Function& function : module_) {
      if (!function.getName().starts_with("__me_shared_"))
        continue;
      for (const User* user : function.users())
        if (auto* call = dyn_cast<CallBase>(user))
          if (auto* number = dyn_cast<ConstantInt>(call->getArgOperand(0)))
            count =
                std::max<unsigned>(count, number->getLimitedValue(MicroengineSharedLimit - 1) + 1);
    }
    return count;
  }

  // Users of the address `offset` bytes into the variable whose first longword has the number
  // `first`.
  void lower_users(Value& address, const GlobalVariable& variable, unsigned first,
                   uint64_t offset) {
    for (User* user : make_early_inc_range(address.users())) {
      APInt step(32, 0);
      if (auto* part = dyn_cast<GEPOperator>(user);
          part && part->accumulateConstantOffset(module_.getDataLayout(), step)) {
        lower_users(*part, variable, first, offset + step.getZExtValue());
        if (auto* instruction = dyn_cast<Instruction>(part);
            instruction && instruction->use_empty())
          instruction->eraseFromParent();
        continue;
      }
      auto* instruction = dyn_cast<Instruction>(user);
      if (!instruction)
        continue;
      const bool is_address =
          !llvm::isa<StoreInst>(instruction) || getLoadStorePointerOperand(instruction) == &address;
      if (llvm::isa<LoadInst, StoreInst>(instruction) && is_address &&
          is_whole(getLoadStoreType(instruction), variable, offset)) {
        access(*instruction, first + offset / kSharedLongwordBytes);
        continue;
      }
      diagnostics_.error(
          location_of(instruction->getDebugLoc(), *instruction->getFunction()),
          "a __shared variable lives in a register: read and write all of it, by its "
          "name or with constant "
          "indices; it has no address. Use __scratch for what needs one");
    }
  }

  // A register is read and written as a longword; a smaller variable has one to itself.
  static bool is_whole(const Type* type, const GlobalVariable& variable, uint64_t offset) {
    if (offset % kSharedLongwordBytes != 0)
      return false;
    return type->isPointerTy() || type->isIntegerTy(32) || type->isIntegerTy(64) ||
           (type->isIntegerTy() && type->getIntegerBitWidth() <= 32 &&
            type == variable.getValueType());
  }

  void access(Instruction& instruction, unsigned number) {
    IRBuilder<> builder(&instruction);
    Type* type = getLoadStoreType(&instruction);
    Type* word = builder.getInt32Ty();
    auto read =
        module_.getOrInsertFunction("__me_shared_read", FunctionType::get(word, {word}, false));
    auto write = module_.getOrInsertFunction(
        "__me_shared_write", FunctionType::get(builder.getVoidTy(), {word, word}, false));
    const bool is_double = type->isIntegerTy() && type->getIntegerBitWidth() > 32;
    Type* wide = builder.getInt64Ty();
    if (llvm::isa<LoadInst>(instruction)) {
      Value* value = builder.CreateCall(read, {builder.getInt32(number)});
      if (is_double) {
        Value* low =
            builder.CreateZExt(builder.CreateCall(read, {builder.getInt32(number + 1)}), wide);
        value = builder.CreateOr(builder.CreateShl(builder.CreateZExt(value, wide), 32), low);
      }
      value = type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                                  : builder.CreateTrunc(value, type);
      instruction.replaceAllUsesWith(value);
    } else {
      Value* value = cast<StoreInst>(instruction).getValueOperand();
      value = type->isPointerTy() ? builder.CreatePtrToInt(value, word)
                                  : builder.CreateZExt(value, is_double ? wide : word);
      Value* high = is_double ? builder.CreateTrunc(builder.CreateLShr(value, 32), word) : value;
      builder.CreateCall(write, {builder.getInt32(number), high});
      if (is_double)
        builder.CreateCall(write, {builder.getInt32(number + 1), builder.CreateTrunc(value, word)});
    }
    instruction.eraseFromParent();
  }

  Module& module_;
  const std::string& file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void lower_shared_variables(Module& module, const std::string& file, Diagnostics& diagnostics) {
  SharedVariables(module, file, diagnostics).run();
}

}  // namespace nplab::compiler
