#include "compiler/transforms/LowerAtomics.h"

#include "compiler/backend/Microengine.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

void refuse(const Instruction& instruction, std::string why, Diagnostics& diagnostics) {
  diagnostics.error(location_of(instruction.getDebugLoc(), *instruction.getFunction()),
                    "the microengine has no way to do this: " + std::move(why));
}

// Whether the unit of the memory moves such a value in one access.
bool is_in_reach(const Instruction& instruction, const Type* type, unsigned space,
                 Diagnostics& diagnostics) {
  constexpr unsigned kLongwordBits = 32;
  if (space == MicroengineAddressSpace::kSdram) {
    refuse(instruction,
           "SDRAM has no atomic operations of a longword: put the variable in __sram or __scratch",
           diagnostics);
    return false;
  }
  if (space != MicroengineAddressSpace::kSram && space != MicroengineAddressSpace::kScratch) {
    refuse(instruction,
           "atomic operations on a variable whose memory is not declared: declare it __scratch or "
           "__sram; or use "
           "scratch_incr or the test_and_set intrinsics",
           diagnostics);
    return false;
  }
  const bool is_longword = type->isPointerTy() || type->isIntegerTy(kLongwordBits);
  if (!is_longword)
    refuse(instruction, "atomic operations on less or more than a longword: use u32", diagnostics);
  return is_longword;
}

// The constant that an operand is, perhaps by way of the temporary that the front end makes for it.
Value* settled(Value* value) {
  auto* load = dyn_cast<LoadInst>(value);
  auto* temporary = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!temporary || !temporary->hasNUses(2))
    return value;
  for (User* user : temporary->users())
    if (auto* store = dyn_cast<StoreInst>(user);
        store && store->getPointerOperand() == temporary &&
        llvm::isa<ConstantInt>(store->getValueOperand()) &&
        store->getParent() == load->getParent() &&
        store->getValueOperand()->getType() == load->getType())
      return store->getValueOperand();
  return value;
}

// The unit's operation, its name after that of the memory, and the mask or amount that it takes;
// empty if there is none.
struct UnitOperation {
  const char* name = nullptr;
  Value* mask = nullptr;
};

UnitOperation unit_operation(AtomicRMWInst& operation, IRBuilder<>& builder) {
  const bool is_used = !operation.use_empty();
  const char* set = is_used ? "test_and_set_bits" : "set_bits";
  const char* clear = is_used ? "test_and_clear_bits" : "clear_bits";
  Value* value = settled(operation.getValOperand());
  auto* constant = dyn_cast<ConstantInt>(value);
  Value* all = ConstantInt::getAllOnesValue(value->getType());
  switch (operation.getOperation()) {
    case AtomicRMWInst::Or: return {set, value};
    case AtomicRMWInst::And: return {clear, builder.CreateNot(value)};
    case AtomicRMWInst::Xchg:
      if (constant && constant->isZero())
        return {clear, all};
      if (constant && constant->isMinusOne())
        return {set, all};
      return {};
    case AtomicRMWInst::Add:
      if (constant && constant->isOne() && !is_used &&
          operation.getPointerAddressSpace() == MicroengineAddressSpace::kScratch)
        return {"incr", nullptr};
      return {};
    default: return {};
  }
}

void lower(AtomicRMWInst& operation, Diagnostics& diagnostics) {
  const unsigned space = operation.getPointerAddressSpace();
  if (!is_in_reach(operation, operation.getType(), space, diagnostics))
    return;
  IRBuilder<> builder(&operation);
  const UnitOperation unit = unit_operation(operation, builder);
  if (!unit.name)
    return refuse(operation,
                  "this atomic operation of C: a unit sets bits (|=), clears them (&=), exchanges "
                  "with 0 or all ones, and "
                  "scratch adds one if the result is not used; for the rest use sram_read_lock and "
                  "sram_write_unlock, or "
                  "test_and_set on a lock",
                  diagnostics);
  SmallVector<Value*, 2> arguments;
  if (unit.mask)
    arguments.push_back(unit.mask);
  arguments.push_back(operation.getPointerOperand());
  SmallVector<Type*, 2> types;
  for (Value* argument : arguments)
    types.push_back(argument->getType());
  const bool is_used = !operation.use_empty();
  Type* result = is_used ? operation.getType() : builder.getVoidTy();
  const std::string name = std::string("__me_") +
                           (space == MicroengineAddressSpace::kSram ? "sram_" : "scratch_") +
                           unit.name;
  CallInst* call =
      builder.CreateCall(operation.getModule()->getOrInsertFunction(
                             name, FunctionType::get(result, types, /*isVarArg=*/false)),
                         arguments);
  if (is_used)
    operation.replaceAllUsesWith(call);
  operation.eraseFromParent();
}

// Volatile, which no pass drops, and fences, over which none moves other accesses as it may over
// volatile ones. The fences end with FreezeAccessesPass.
void lower(LoadInst& load) {
  IRBuilder<> builder(load.getNextNode());
  builder.SetCurrentDebugLocation(load.getDebugLoc());
  if (isAcquireOrStronger(load.getOrdering()))
    builder.CreateFence(AtomicOrdering::Acquire);
  load.setAtomic(AtomicOrdering::NotAtomic);
  load.setVolatile(true);
}
void lower(StoreInst& store) {
  IRBuilder<> builder(&store);
  if (isReleaseOrStronger(store.getOrdering()))
    builder.CreateFence(AtomicOrdering::Release);
  store.setAtomic(AtomicOrdering::NotAtomic);
  store.setVolatile(true);
}

void lower(Function& function, Diagnostics& diagnostics) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* load = dyn_cast<LoadInst>(&instruction); load && load->isAtomic()) {
      if (is_in_reach(*load, load->getType(), load->getPointerAddressSpace(), diagnostics))
        lower(*load);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isAtomic()) {
      if (is_in_reach(*store, store->getValueOperand()->getType(), store->getPointerAddressSpace(),
                      diagnostics))
        lower(*store);
    } else if (auto* operation = dyn_cast<AtomicRMWInst>(&instruction)) {
      lower(*operation, diagnostics);
    } else if (llvm::isa<AtomicCmpXchgInst>(instruction)) {
      refuse(instruction,
             "compare and exchange: no unit compares; use sram_read_lock and sram_write_unlock "
             "around it, or "
             "test_and_set on a lock",
             diagnostics);
    }
  }
}

}  // namespace

void lower_atomics(Module& module, Diagnostics& diagnostics) {
  for (Function& function : module)
    lower(function, diagnostics);
}

}  // namespace nplab::compiler
