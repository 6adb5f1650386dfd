#include "compiler/transforms/MergeStores.h"

#include "compiler/backend/Microengine.h"
#include "compiler/transforms/preserved_analyses.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace nplab::compiler {
namespace {

constexpr int64_t kStep = 4;            // bytes of a longword
constexpr unsigned kMostLongwords = 8;  // longwords of a reference

struct OffsetStore {
  StoreInst* store;
  const Value* base;
  int64_t offset;      // bytes
  unsigned longwords;  // SDRAM: an even number
};

// What an address is counted from, and how far: through steps of pointers, then one sum of
// integers.
std::pair<const Value*, int64_t> base_and_offset(const Value* pointer, const DataLayout& layout) {
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value* base =
      pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const Value* summand = nullptr;
  const APInt* constant = nullptr;
  if (match(base, m_IntToPtr(m_Add(m_Value(summand), m_APInt(constant))))) {
    base = summand;
    offset += *constant;
  } else if (match(base, m_IntToPtr(m_Value(summand)))) {
    base = summand;
  }
  return {base, offset.getSExtValue()};
}

std::optional<OffsetStore> store_of(Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->isSimple())
    return std::nullopt;
  const unsigned space = store->getPointerAddressSpace();
  const bool quadwords = space == MicroengineAddressSpace::kSdram;
  if (space != MicroengineAddressSpace::kSram && space != MicroengineAddressSpace::kScratch &&
      !quadwords)
    return std::nullopt;
  auto* vector = dyn_cast<FixedVectorType>(store->getValueOperand()->getType());
  if (!(vector ? vector->getElementType() : store->getValueOperand()->getType())->isIntegerTy(32))
    return std::nullopt;
  const unsigned longwords = vector ? vector->getNumElements() : 1;
  if (quadwords && longwords % 2 != 0)
    return std::nullopt;
  auto [base, offset] = base_and_offset(store->getPointerOperand(), store->getDataLayout());
  return OffsetStore{store, base, offset, longwords};
}

// Stores to one base that may still be merged, in the order in which they stand.
class OpenStores {
 public:
  OpenStores(AAResults& aliases, OptimizationRemarkEmitter& remarks)
      : aliases_(aliases), remarks_(remarks) {}

  [[nodiscard]] bool changed() const { return changed_; }

  void visit(Instruction& instruction) {
    if (!instruction.mayReadOrWriteMemory())
      return;
    const std::optional<OffsetStore> store = store_of(instruction);
    if (!open_.empty() && !(store && joins(*store)) && is_in_the_way(instruction))
      close();
    if (!store)
      return;
    if (!open_.empty() && !joins(*store))
      close();
    open_.push_back(*store);
  }

  void close() {
    stable_sort(open_,
                [](const OffsetStore& a, const OffsetStore& b) { return a.offset < b.offset; });
    for (std::size_t begin = 0, end; begin < open_.size(); begin = end) {
      unsigned longwords = open_[begin].longwords;
      for (end = begin + 1; end != open_.size(); ++end) {
        const bool neighbour =
            open_[end].offset == open_[end - 1].offset + kStep * open_[end - 1].longwords;
        if (!neighbour || longwords + open_[end].longwords > kMostLongwords)
          break;
        longwords += open_[end].longwords;
      }
      if (end - begin > 1)
        merge(ArrayRef(open_).slice(begin, end - begin), longwords);
    }
    open_.clear();
  }

 private:
  // Another store counted from the same base, over none of the others.
  [[nodiscard]] bool joins(const OffsetStore& store) const {
    return open_.front().base == store.base &&
           open_.front().store->getPointerAddressSpace() == store.store->getPointerAddressSpace() &&
           none_of(open_, [&](const OffsetStore& other) {
             return store.offset < other.offset + kStep * other.longwords &&
                    other.offset < store.offset + kStep * store.longwords;
           });
  }

  [[nodiscard]] bool is_in_the_way(Instruction& instruction) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (!(load && load->isSimple()) && !(store && store->isSimple()))
      return true;
    const unsigned space = getLoadStoreAddressSpace(&instruction);
    const unsigned ours = open_.front().store->getPointerAddressSpace();
    if (space != ours && space != llvm::MicroengineAddressSpace::kDefault)
      return false;  // another memory
    return any_of(open_, [&](const OffsetStore& member) {
      return isModOrRefSet(aliases_.getModRefInfo(&instruction, MemoryLocation::get(member.store)));
    });
  }

  void merge(ArrayRef<OffsetStore> parts, unsigned longwords) {
    StoreInst* last = parts.front().store;
    for (const OffsetStore& part : parts)
      if (last->comesBefore(part.store))
        last = part.store;
    IRBuilder<> builder(last);
    Value* value = PoisonValue::get(FixedVectorType::get(builder.getInt32Ty(), longwords));
    std::uint64_t word = 0;
    for (const OffsetStore& part : parts) {
      Value* stored = part.store->getValueOperand();
      for (std::uint64_t index = 0; index != part.longwords; ++index)
        value = builder.CreateInsertElement(
            value,
            stored->getType()->isVectorTy() ? builder.CreateExtractElement(stored, index) : stored,
            word++);
    }
    builder.CreateAlignedStore(value, parts.front().store->getPointerOperand(),
                               parts.front().store->getAlign());
    remarks_.emit([&] {
      return OptimizationRemark("microengine-merge-stores", "Merged", last)
             << std::to_string(parts.size()) + " writes became one of " +
                    std::to_string(longwords) + " longwords";
    });
    for (const OffsetStore& part : parts)
      part.store->eraseFromParent();
    changed_ = true;
  }

  AAResults& aliases_;
  OptimizationRemarkEmitter& remarks_;
  SmallVector<OffsetStore, 8> open_;
  bool changed_ = false;
};

}  // namespace

PreservedAnalyses MergeStoresPass::run(Function& function, FunctionAnalysisManager& analyses) {
  OpenStores stores(analyses.getResult<AAManager>(function),
                    analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  for (BasicBlock& block : function) {
    for (Instruction& instruction : make_early_inc_range(block))
      stores.visit(instruction);
    stores.close();
  }
  return preserved_with_blocks(stores.changed());
}

}  // namespace nplab::compiler
