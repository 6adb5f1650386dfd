#include "compiler/transforms/LowerMemory.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kLongword = 4;  // bytes

Value* move(IRBuilder<>& builder, Value* pointer, int bytes) {
  return bytes == 0 ? pointer : builder.CreateConstGEP1_32(builder.getInt8Ty(), pointer, bytes);
}

// An integer in memory, big-endian, read or written through aligned longwords, which are volatile
// if `access` is.
class LongwordAccess {
 public:
  LongwordAccess(IRBuilder<>& builder, const Instruction& access, PartReads part_reads)
      : builder_(builder),
        word_(builder.getInt32Ty()),
        is_volatile_(access.isVolatile()),
        part_reads_(part_reads) {}

  Value* load(Value* pointer, unsigned bytes, Align alignment) {
    if (bytes == kLongword && alignment >= kLongword)
      return builder_.CreateAlignedLoad(word_, pointer, Align(kLongword), is_volatile_);
    if (bytes < kLongword && fits_in_longword(bytes, alignment))
      return load_part(pointer, bytes);
    auto [first, rest] = split(bytes, alignment);
    Value* high = load(pointer, first, alignment);
    Value* low = load(move(builder_, pointer, first), rest, commonAlignment(alignment, first));
    Type* type = builder_.getIntNTy(8 * bytes);
    high = builder_.CreateShl(builder_.CreateZExt(high, type), 8 * rest);
    return builder_.CreateOr(high, builder_.CreateZExt(low, type));
  }

  void store(Value* value, Value* pointer, unsigned bytes, Align alignment) {
    if (bytes == kLongword && alignment >= kLongword) {
      builder_.CreateAlignedStore(value, pointer, Align(kLongword), is_volatile_);
    } else if (bytes < kLongword && fits_in_longword(bytes, alignment)) {
      store_part(value, pointer, bytes);
    } else {
      auto [first, rest] = split(bytes, alignment);
      Value* high =
          builder_.CreateTrunc(builder_.CreateLShr(value, 8 * rest), builder_.getIntNTy(8 * first));
      store(high, pointer, first, alignment);
      store(builder_.CreateTrunc(value, builder_.getIntNTy(8 * rest)),
            move(builder_, pointer, first), rest, commonAlignment(alignment, first));
    }
  }

 private:
  static bool fits_in_longword(unsigned bytes, Align alignment) {
    return bytes == 1 || alignment >= kLongword || (bytes == 2 && alignment >= 2);
  }
  // The first part: a longword if the alignment allows, else what the alignment allows.
  static std::pair<unsigned, unsigned> split(unsigned bytes, Align alignment) {
    unsigned first = std::min<unsigned>(alignment.value(), kLongword);
    while (first >= bytes)
      first /= 2;
    return {first, bytes - first};
  }

  struct Place {
    Value* longword;  // pointer
    Value* shift;     // bits that the part lies above the longword's least significant
  };
  Place place_of(Value* pointer, unsigned bytes) {
    const DataLayout& layout = builder_.GetInsertBlock()->getDataLayout();
    unsigned shift_of_start = 8 * (kLongword - bytes);
    KnownBits known = computeKnownBits(pointer, layout);
    if ((known.Zero | known.One).countr_one() >= 2) {
      unsigned within = known.One.getZExtValue() & (kLongword - 1);
      return {move(builder_, pointer, -static_cast<int>(within)),
              builder_.getInt32(shift_of_start - 8 * within)};
    }
    Value* address = builder_.CreatePtrToInt(pointer, builder_.getInt32Ty());
    Value* longword = builder_.CreateIntToPtr(builder_.CreateAnd(address, ~uint32_t{kLongword - 1}),
                                              pointer->getType());
    if (bytes == 3)
      return {longword, builder_.getInt32(shift_of_start)};  // only ever at the start of a longword
    Value* within =
        builder_.CreateAnd(builder_.CreateXor(address, kLongword - 1), bytes == 1 ? 3 : 2);
    return {longword, builder_.CreateShl(within, 3)};
  }

  Value* load_part(Value* pointer, unsigned bytes) {
    Place place = place_of(pointer, bytes);
    Value* longword =
        builder_.CreateAlignedLoad(word_, place.longword, Align(kLongword), is_volatile_);
    const bool moves_up = part_reads_ == PartReads::kMovedUp && !llvm::isa<Constant>(place.shift);
    Value* part = moves_up ? builder_.CreateLShr(builder_.CreateShl(longword, bits_before(pointer)),
                                                 8 * (kLongword - bytes))
                           : builder_.CreateLShr(longword, place.shift);
    return builder_.CreateTrunc(part, builder_.getIntNTy(8 * bytes));
  }
  // The part's distance from the longword's most significant bit.
  Value* bits_before(Value* pointer) {
    Value* address = builder_.CreatePtrToInt(pointer, word_);
    return builder_.CreateAnd(builder_.CreateShl(address, 3), 8 * (kLongword - 1));
  }
  void store_part(Value* value, Value* pointer, unsigned bytes) {
    Place place = place_of(pointer, bytes);
    Value* old = builder_.CreateAlignedLoad(word_, place.longword, Align(kLongword), is_volatile_);
    Value* mask = builder_.CreateShl(builder_.getInt32((1u << (8 * bytes)) - 1), place.shift);
    Value* part = builder_.CreateShl(builder_.CreateZExt(value, word_), place.shift);
    Value* merged = builder_.CreateOr(builder_.CreateAnd(old, builder_.CreateNot(mask)), part);
    builder_.CreateAlignedStore(merged, place.longword, Align(kLongword), is_volatile_);
  }

  IRBuilder<>& builder_;
  Type* word_;
  bool is_volatile_;
  PartReads part_reads_;
};

// Variables start at longwords (in SDRAM quadwords), so that the place of their parts is known.
void align_variables(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* local = dyn_cast<AllocaInst>(&instruction))
      local->setAlignment(std::max(local->getAlign(), Align(kLongword)));
  for (GlobalVariable& variable : function.getParent()->globals()) {
    Align unit(variable.getAddressSpace() == MicroengineAddressSpace::kSdram ? 8 : kLongword);
    if (!variable.isDeclaration())
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), unit));
  }
}

bool lower_memory_intrinsics(Function& function, const TargetTransformInfo& costs) {
  SmallVector<MemIntrinsic*, 8> found;
  for (Instruction& instruction : instructions(function))
    if (auto* memory = dyn_cast<MemIntrinsic>(&instruction))
      found.push_back(memory);
  for (MemIntrinsic* memory : found) {
    if (auto* copy = dyn_cast<MemCpyInst>(memory))
      expandMemCpyAsLoop(copy, costs);
    if (auto* move = dyn_cast<MemMoveInst>(memory))
      expandMemMoveAsLoop(move, costs);
    if (auto* set = dyn_cast<MemSetInst>(memory))
      expandMemSetAsLoop(set);
    memory->eraseFromParent();
  }
  return !found.empty();
}

bool is_longword(Type* type) {
  return type->isIntegerTy(32) || type->isPointerTy();
}

void lower_access(Instruction& access, PartReads part_reads) {
  IRBuilder<> builder(&access);
  const DataLayout& layout = access.getDataLayout();
  Type* type = getLoadStoreType(&access);
  unsigned bytes = layout.getTypeStoreSize(type);
  Align alignment = getLoadStoreAlignment(&access);
  Value* pointer = getLoadStorePointerOperand(&access);
  Type* memory_type = builder.getIntNTy(8 * bytes);
  LongwordAccess longwords(builder, access, part_reads);
  if (llvm::isa<LoadInst>(access)) {
    Value* value = longwords.load(pointer, bytes, alignment);
    value = type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                                : builder.CreateTrunc(value, type);
    access.replaceAllUsesWith(value);
  } else {
    Value* value = cast<StoreInst>(access).getValueOperand();
    value = type->isPointerTy() ? builder.CreatePtrToInt(value, memory_type)
                                : builder.CreateZExt(value, memory_type);
    longwords.store(value, pointer, bytes, alignment);
  }
  access.eraseFromParent();
}

// Vectors that no burst moves: in the default space, of other elements, or not aligned.
bool is_burst(Instruction& access) {
  auto* type = cast<FixedVectorType>(getLoadStoreType(&access));
  unsigned space = getLoadStoreAddressSpace(&access), longwords = type->getNumElements();
  Align unit(space == MicroengineAddressSpace::kSdram ? 8 : 4);
  return space != MicroengineAddressSpace::kDefault && type->getElementType()->isIntegerTy(32) &&
         (longwords == 2 || longwords == 4 || longwords == 8) &&
         getLoadStoreAlignment(&access) >= unit;
}
void lower_to_elements(Instruction& access) {
  IRBuilder<> builder(&access);
  auto* type = cast<FixedVectorType>(getLoadStoreType(&access));
  unsigned bytes = access.getDataLayout().getTypeStoreSize(type->getElementType());
  Value* pointer = getLoadStorePointerOperand(&access);
  Value* loaded = PoisonValue::get(type);
  for (unsigned index = 0; index != type->getNumElements(); ++index) {
    Value* place = move(builder, pointer, index * bytes);
    Align alignment = commonAlignment(getLoadStoreAlignment(&access), index * bytes);
    if (auto* store = dyn_cast<StoreInst>(&access))
      builder.CreateAlignedStore(
          builder.CreateExtractElement(store->getValueOperand(), uint64_t{index}), place,
          alignment);
    else
      loaded = builder.CreateInsertElement(
          loaded, builder.CreateAlignedLoad(type->getElementType(), place, alignment),
          uint64_t{index});
  }
  if (llvm::isa<LoadInst>(access))
    access.replaceAllUsesWith(loaded);
  access.eraseFromParent();
}

// The same as `move`, written so that two expressions of one address look alike: constants that
// were added before are summed up.
Value* move_from_base(IRBuilder<>& builder, Value* pointer, int bytes) {
  using namespace PatternMatch;
  Value* address = nullptr;
  const APInt* added = nullptr;
  if (match(pointer, m_IntToPtr(m_AddLike(m_Value(address), m_APInt(added))))) {
    const auto distance = static_cast<int32_t>(added->getSExtValue()) + bytes;
    if (distance != 0)
      address = builder.CreateAdd(address, builder.getInt32(distance));
    return builder.CreateIntToPtr(address, pointer->getType());
  }
  APInt offset(32, 0);
  Value* base =
      pointer->stripAndAccumulateConstantOffsets(builder.GetInsertBlock()->getDataLayout(), offset,
                                                 /*AllowNonInbounds=*/true);
  return base->getType() == pointer->getType()
             ? move(builder, base, static_cast<int>(offset.getSExtValue()) + bytes)
             : move(builder, pointer, bytes);
}

// An SDRAM longword's quadword and the half it is: 0 the first, 1 the second.
struct Half {
  Value* quadword;
  Value* second;  // i1
};
Half half_of(Value* pointer, Align alignment, IRBuilder<>& builder, SharedQuadwords shared) {
  constexpr unsigned kQuadword = 8;
  const DataLayout& layout = builder.GetInsertBlock()->getDataLayout();
  if (alignment >= kQuadword)
    return {pointer, builder.getFalse()};
  KnownBits known = computeKnownBits(pointer, layout);
  if (known.Zero[2])
    return {pointer, builder.getFalse()};
  if (known.One[2]) {
    const auto back = shared == SharedQuadwords::kFound ? move_from_base : move;
    return {back(builder, pointer, -static_cast<int>(kLongword)), builder.getTrue()};
  }
  Value* address = builder.CreatePtrToInt(pointer, builder.getInt32Ty());
  Value* quadword = builder.CreateIntToPtr(builder.CreateAnd(address, ~uint32_t{kQuadword - 1}),
                                           pointer->getType());
  return {quadword,
          builder.CreateICmpNE(builder.CreateAnd(address, kLongword), builder.getInt32(0))};
}

void lower_sdram_access(Instruction& access, SharedQuadwords shared) {
  IRBuilder<> builder(&access);
  Type* type = getLoadStoreType(&access);
  Half half =
      half_of(getLoadStorePointerOperand(&access), getLoadStoreAlignment(&access), builder, shared);
  auto* quadword = FixedVectorType::get(builder.getInt32Ty(), 2);
  Value* old = builder.CreateAlignedLoad(quadword, half.quadword, Align(8), access.isVolatile());
  Value* first = builder.CreateExtractElement(old, uint64_t{0});
  Value* second = builder.CreateExtractElement(old, uint64_t{1});
  if (llvm::isa<LoadInst>(access)) {
    Value* value = builder.CreateSelect(half.second, second, first);
    access.replaceAllUsesWith(type->isPointerTy() ? builder.CreateIntToPtr(value, type) : value);
  } else {
    Value* value = cast<StoreInst>(access).getValueOperand();
    if (type->isPointerTy())
      value = builder.CreatePtrToInt(value, builder.getInt32Ty());
    Value* merged = builder.CreateInsertElement(
        PoisonValue::get(quadword), builder.CreateSelect(half.second, first, value), uint64_t{0});
    merged = builder.CreateInsertElement(merged, builder.CreateSelect(half.second, value, second),
                                         uint64_t{1});
    builder.CreateAlignedStore(merged, half.quadword, Align(8), access.isVolatile());
  }
  access.eraseFromParent();
}

template <typename Predicate>
SmallVector<Instruction*, 16> accesses(Function& function, Predicate wanted) {
  SmallVector<Instruction*, 16> found;
  for (Instruction& instruction : instructions(function))
    if (llvm::isa<LoadInst, StoreInst>(instruction) && wanted(instruction))
      found.push_back(&instruction);
  return found;
}

PreservedAnalyses preserved(bool changed) {
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace

PreservedAnalyses LowerSubwordsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  align_variables(function);
  bool changed = lower_memory_intrinsics(function, analyses.getResult<TargetIRAnalysis>(function));
  auto vectors = accesses(function, [](Instruction& access) {
    return getLoadStoreType(&access)->isVectorTy() && !is_burst(access);
  });
  for (Instruction* access : vectors)
    lower_to_elements(*access);
  auto found = accesses(function, [](Instruction& access) {
    Type* type = getLoadStoreType(&access);
    if (is_longword(type))
      return getLoadStoreAlignment(&access) < kLongword;
    bool aligned_quadword = type->isIntegerTy(64) && getLoadStoreAlignment(&access) >= 8 &&
                            getLoadStoreAddressSpace(&access) == MicroengineAddressSpace::kSdram;
    return type->isIntegerTy() && !aligned_quadword;
  });
  for (Instruction* access : found)
    lower_access(*access, part_reads);
  return preserved(changed || !vectors.empty() || !found.empty());
}

static void lower_quadword_access(Instruction& access) {
  IRBuilder<> builder(&access);
  auto* quadword = FixedVectorType::get(builder.getInt32Ty(), 2);
  Value* pointer = getLoadStorePointerOperand(&access);
  if (llvm::isa<LoadInst>(access)) {
    Value* loaded = builder.CreateAlignedLoad(quadword, pointer, Align(8), access.isVolatile());
    Value* high =
        builder.CreateZExt(builder.CreateExtractElement(loaded, uint64_t{0}), builder.getInt64Ty());
    Value* low =
        builder.CreateZExt(builder.CreateExtractElement(loaded, uint64_t{1}), builder.getInt64Ty());
    access.replaceAllUsesWith(builder.CreateOr(builder.CreateShl(high, 32), low));
  } else {
    Value* value = cast<StoreInst>(access).getValueOperand();
    Value* high = builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty());
    Value* stored = builder.CreateInsertElement(PoisonValue::get(quadword), high, uint64_t{0});
    stored = builder.CreateInsertElement(stored, builder.CreateTrunc(value, builder.getInt32Ty()),
                                         uint64_t{1});
    builder.CreateAlignedStore(stored, pointer, Align(8), access.isVolatile());
  }
  access.eraseFromParent();
}

// Frames start at quadwords, and locals in them at longwords at least (align_variables).
PreservedAnalyses DefaultSpaceToSDRAMPass::run(Function& function, FunctionAnalysisManager&) {
  for (GlobalVariable& variable : function.getParent()->globals())
    if (variable.getAddressSpace() == MicroengineAddressSpace::kDefault &&
        !variable.isDeclaration())
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), Align(8)));
  auto found = accesses(function, [](Instruction& access) {
    return getLoadStoreAddressSpace(&access) == MicroengineAddressSpace::kDefault;
  });
  for (Instruction* access : found) {
    IRBuilder<> builder(access);
    Value* address =
        builder.CreatePtrToInt(getLoadStorePointerOperand(access), builder.getInt32Ty());
    Value* pointer =
        builder.CreateIntToPtr(address, builder.getPtrTy(MicroengineAddressSpace::kSdram));
    auto* load = dyn_cast<LoadInst>(access);
    if (load)
      load->setAlignment(Align(kLongword));
    else
      cast<StoreInst>(access)->setAlignment(Align(kLongword));
    access->setOperand(
        load ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex(), pointer);
  }
  return preserved(!found.empty());
}

PreservedAnalyses LowerQuadwordsPass::run(Function& function, FunctionAnalysisManager&) {
  // Neighbouring quadwords that were made one access; bursts are of longwords.
  for (Instruction* access : accesses(function, [](Instruction& candidate) {
         return getLoadStoreType(&candidate)->isVectorTy() && !is_burst(candidate);
       }))
    lower_to_elements(*access);
  auto found = accesses(function, [](Instruction& access) {
    return getLoadStoreAddressSpace(&access) == MicroengineAddressSpace::kSdram &&
           !getLoadStoreType(&access)->isVectorTy();
  });
  for (Instruction* access : found)
    getLoadStoreType(access)->isIntegerTy(64) ? lower_quadword_access(*access)
                                              : lower_sdram_access(*access, shared);
  return preserved(!found.empty());
}

PreservedAnalyses LowerBurstStoresPass::run(Function& function, FunctionAnalysisManager&) {
  auto found = accesses(function, [](Instruction& access) {
    return llvm::isa<StoreInst>(access) && getLoadStoreType(&access)->isVectorTy();
  });
  for (Instruction* access : found) {
    auto& store = cast<StoreInst>(*access);
    IRBuilder<> builder(&store);
    unsigned longwords =
        cast<FixedVectorType>(store.getValueOperand()->getType())->getNumElements();
    unsigned space = store.getPointerAddressSpace();
    std::string name = space == MicroengineAddressSpace::kSdram
                           ? "__me_sdram_write_" + std::to_string(longwords / 2)
                           : (space == MicroengineAddressSpace::kSram ? "__me_sram_write_"
                                                                      : "__me_scratch_write_") +
                                 std::to_string(longwords);
    SmallVector<Value*, 9> arguments;
    for (unsigned index = 0; index != longwords; ++index)
      arguments.push_back(builder.CreateExtractElement(store.getValueOperand(), uint64_t{index}));
    arguments.push_back(store.getPointerOperand());
    SmallVector<Type*, 9> types;
    for (Value* argument : arguments)
      types.push_back(argument->getType());
    builder.CreateCall(function.getParent()->getOrInsertFunction(
                           name, FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false)),
                       arguments);
    store.eraseFromParent();
  }
  return preserved(!found.empty());
}

PreservedAnalyses FreezeAccessesPass::run(Function& function, FunctionAnalysisManager&) {
  LLVMContext& context = function.getContext();
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (llvm::isa<FenceInst>(instruction)) {  // a thread's references are done in their order
      instruction.eraseFromParent();
      continue;
    }
    if (!llvm::isa<LoadInst, StoreInst>(instruction))
      continue;
    if (!instruction.isVolatile())
      instruction.setMetadata(MicroengineOrdinaryMetadata, MDNode::get(context, {}));
    if (auto* load = dyn_cast<LoadInst>(&instruction))
      load->setVolatile(true);
    if (auto* store = dyn_cast<StoreInst>(&instruction))
      store->setVolatile(true);
  }
  return PreservedAnalyses::all();
}

}  // namespace nplab::compiler
