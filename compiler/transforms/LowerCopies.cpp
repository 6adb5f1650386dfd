#include "compiler/transforms/LowerCopies.h"

#include "compiler/backend/Microengine.h"
#include "compiler/pipeline.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kLongword = 4;  // bytes
constexpr unsigned kQuadword = 8;
constexpr unsigned kBurst = 32;       // the most that one reference moves
constexpr unsigned kWorthATest = 16;  // bytes from which on an alignment is tested for

// What a block is, in its own memory.
struct Side {
  Value* pointer;
  Align alignment;

  [[nodiscard]] unsigned space() const { return pointer->getType()->getPointerAddressSpace(); }
  [[nodiscard]] Align unit() const {
    return Align(space() == MicroengineAddressSpace::kSdram ? kQuadword : kLongword);
  }
};

enum class Direction { kUpwards, kDownwards };

// Bytes [begin, end) of the block, `step` at a time.
struct Region {
  Value* begin;
  Value* end;
  unsigned step;
};

std::optional<uint64_t> constant(const Value* value) {
  auto* number = dyn_cast<ConstantInt>(value);
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

class BlockOperation {
 public:
  BlockOperation(MemIntrinsic& operation, MicroengineAddressSpace::Space default_space)
      : operation_(operation), builder_(&operation), default_space_(default_space) {}

  // False, with nothing changed, if this is not for bursts.
  bool lower() {
    const std::optional<uint64_t> length = constant(operation_.getLength());
    if (operation_.isVolatile() || length == 0u || !may_address(operation_.getRawDest()) ||
        (transfer() && !may_address(transfer()->getRawSource())))
      return false;
    to_ = side_of(operation_.getRawDest(), operation_.getDestAlign());
    if (transfer())
      from_ = side_of(transfer()->getRawSource(), transfer()->getSourceAlign());
    else
      fill_ = longword_of(cast<MemSetInst>(operation_).getValue());
    if (are_aligned()) {
      move_block();
      return true;
    }
    if (length && *length < kWorthATest)
      return false;
    test_alignment();
    return true;
  }

 private:
  [[nodiscard]] MemTransferInst* transfer() const { return dyn_cast<MemTransferInst>(&operation_); }

  // In SDRAM the places of locals are not known to be those of quadwords.
  [[nodiscard]] bool may_address(const Value* pointer) const {
    return pointer->getType()->getPointerAddressSpace() != MicroengineAddressSpace::kDefault ||
           default_space_ != MicroengineAddressSpace::kSdram;
  }

  static bool is_aligned(const Side& side) { return side.alignment >= side.unit(); }
  [[nodiscard]] bool are_aligned() const {
    return is_aligned(to_) && (!from_ || is_aligned(*from_));
  }

  Side side_of(Value* pointer, MaybeAlign stated) {
    const DataLayout& layout = operation_.getDataLayout();
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    const Align unit(space == MicroengineAddressSpace::kSdram ? kQuadword : kLongword);
    const Align known = getOrEnforceKnownAlignment(pointer, unit, layout, &operation_);
    if (space == MicroengineAddressSpace::kDefault)
      pointer = builder_.CreateIntToPtr(builder_.CreatePtrToInt(pointer, builder_.getInt32Ty()),
                                        builder_.getPtrTy(default_space_));
    return {pointer, std::max(known, stated.valueOrOne())};
  }

  // Four times the byte.
  Value* longword_of(Value* byte) {
    Value* word = builder_.CreateZExt(byte, builder_.getInt32Ty());
    word = builder_.CreateOr(word, builder_.CreateShl(word, 8));
    return builder_.CreateOr(word, builder_.CreateShl(word, 16));
  }

  // Bursts where everything starts at its unit; where not, what is left of the operation is done
  // longword by longword if it can be, and else by LowerSubwordsPass.
  void test_alignment() {
    Value* bits = builder_.getInt32(0);
    for (const Side* side : {&to_, from_ ? &*from_ : nullptr})
      if (side && !is_aligned(*side))
        bits = builder_.CreateOr(
            bits, builder_.CreateAnd(builder_.CreatePtrToInt(side->pointer, builder_.getInt32Ty()),
                                     side->unit().value() - 1));
    Instruction* aligned = nullptr;
    Instruction* other = nullptr;
    SplitBlockAndInsertIfThenElse(builder_.CreateICmpEQ(bits, builder_.getInt32(0)), &operation_,
                                  &aligned, &other);
    const bool are_longwords =
        to_.alignment >= kLongword && (!from_ || from_->alignment >= kLongword);
    builder_.SetInsertPoint(other);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
    if (are_longwords)
      move_block();
    else
      builder_.Insert(operation_.clone());
    builder_.SetInsertPoint(aligned);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
    to_.alignment = std::max(to_.alignment, to_.unit());
    if (from_)
      from_->alignment = std::max(from_->alignment, from_->unit());
    move_block();
  }

  // A block that may overlap with what it comes from, and is not read at once, is moved from the
  // end that is overwritten last.
  void move_block() {
    auto* move = dyn_cast<MemMoveInst>(&operation_);
    const std::optional<uint64_t> length = constant(operation_.getLength());
    const bool is_one_burst = length && *length <= kBurst && are_aligned();
    if (!move || from_->space() != to_.space() || is_one_burst)
      return move_in(Direction::kUpwards);
    Instruction* upwards = nullptr;
    Instruction* downwards = nullptr;
    Value* lies_below =
        builder_.CreateICmpULT(builder_.CreatePtrToInt(to_.pointer, builder_.getInt32Ty()),
                               builder_.CreatePtrToInt(from_->pointer, builder_.getInt32Ty()));
    SplitBlockAndInsertIfThenElse(lies_below, &*builder_.GetInsertPoint(), &upwards, &downwards);
    for (auto [end, direction] :
         {std::pair(upwards, Direction::kUpwards), std::pair(downwards, Direction::kDownwards)}) {
      builder_.SetInsertPoint(end);
      builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
      move_in(direction);
    }
  }

  // The largest parts first, seen upwards.
  SmallVector<Region, 4> regions() {
    Value* length = builder_.CreateZExtOrTrunc(operation_.getLength(), builder_.getInt32Ty());
    SmallVector<unsigned, 4> steps{kLongword, 1};
    if (are_aligned() && (to_.unit() == kQuadword || (from_ && from_->unit() == kQuadword)))
      steps.insert(steps.begin(), kQuadword);
    if (are_aligned())
      steps.insert(steps.begin(), kBurst);
    SmallVector<Region, 4> regions;
    Value* begin = builder_.getInt32(0);
    for (const unsigned step : steps) {
      Value* end = builder_.CreateAnd(length, ~(step - 1));
      regions.push_back({begin, end, step});
      begin = end;
    }
    return regions;
  }

  void move_in(Direction direction) {
    SmallVector<Region, 4> all = regions();
    const std::optional<uint64_t> length = constant(operation_.getLength());
    const bool ends_in_one = length && all.front().step == kBurst;
    if (ends_in_one)
      all.truncate(1);
    const auto move_rest = [&] {
      if (const unsigned rest = ends_in_one ? *length % kBurst : 0)
        move_part(builder_.getInt32(*length - rest), kBurst, rest);
    };
    if (direction == Direction::kUpwards) {
      for (const Region& region : all)
        move_region(region, direction);
      return move_rest();
    }
    move_rest();
    for (const Region& region : reverse(all))
      move_region(region, direction);
  }

  // Bursts in a row share their waits; a loop takes fewer words.
  [[nodiscard]] unsigned most_in_a_row() const {
    constexpr unsigned kWrites = 4, kCopies = 2;
    if (operation_.getFunction()->hasOptSize())
      return from_ ? 1 : kCopies;
    return from_ ? kCopies : kWrites;
  }

  void move_region(const Region& region, Direction direction) {
    const std::optional<uint64_t> begin = constant(region.begin), end = constant(region.end);
    if (begin && end && (*end - *begin) / region.step <= most_in_a_row()) {
      SmallVector<uint64_t, 4> places;
      for (uint64_t at = *begin; at != *end; at += region.step)
        places.push_back(at);
      if (direction == Direction::kDownwards)
        std::reverse(places.begin(), places.end());
      for (const uint64_t at : places)
        move_part(builder_.getInt32(at), region.step, region.step);
      return;
    }
    if (!(begin && end))
      skip_if_empty(region);
    move_in_loop(region, direction);
  }

  // Leaves the builder in a block that is run only if there is something to move.
  void skip_if_empty(const Region& region) {
    Instruction* then = SplitBlockAndInsertIfThen(builder_.CreateICmpNE(region.begin, region.end),
                                                  &*builder_.GetInsertPoint(), false);
    after_ = &*builder_.GetInsertPoint();
    builder_.SetInsertPoint(then);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
  }

  void move_in_loop(const Region& region, Direction direction) {
    Instruction* position = &*builder_.GetInsertPoint();
    BasicBlock* before = position->getParent();
    BasicBlock* rest = before->splitBasicBlock(position);
    BasicBlock* loop = BasicBlock::Create(before->getContext(), "", before->getParent(), rest);
    before->getTerminator()->setSuccessor(0, loop);
    builder_.SetInsertPoint(loop);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
    const bool is_up = direction == Direction::kUpwards;
    PHINode* at = builder_.CreatePHI(builder_.getInt32Ty(), 2);
    at->addIncoming(is_up ? region.begin : region.end, before);
    Value* step = builder_.getInt32(is_up ? region.step : -region.step);
    Value* next = nullptr;
    if (is_up) {
      move_part(at, region.step, region.step);
      next = builder_.CreateAdd(at, step);
    } else {
      next = builder_.CreateAdd(at, step);
      move_part(next, region.step, region.step);
    }
    at->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, is_up ? region.end : region.begin), rest,
                          loop);
    builder_.SetInsertPoint(after_ ? after_ : position);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
    after_ = nullptr;
  }

  // `bytes` at byte `at`, a multiple of `step`. Everything is read before the first is written.
  void move_part(Value* at, unsigned step, unsigned bytes) {
    SmallVector<unsigned, 5> sizes;
    unsigned left = bytes;
    for (const unsigned size : {kBurst, kBurst / 2, kQuadword, kLongword})
      for (; left >= size && (size <= kLongword || step >= size); left -= size)
        sizes.push_back(size);
    if (left != 0)
      sizes.push_back(left);
    SmallVector<Value*, 5> values;
    unsigned offset = 0;
    for (const unsigned size : sizes) {
      values.push_back(from_ ? builder_.CreateAlignedLoad(type_of(size), place(*from_, at, offset),
                                                          alignment(*from_, step, offset))
                             : filled(size));
      offset += size;
    }
    offset = 0;
    for (auto [size, value] : zip(sizes, values)) {
      builder_.CreateAlignedStore(value, place(to_, at, offset), alignment(to_, step, offset));
      offset += size;
    }
  }

  Type* type_of(unsigned bytes) {
    if (bytes > kLongword)
      return FixedVectorType::get(builder_.getInt32Ty(), bytes / kLongword);
    return builder_.getIntNTy(8 * bytes);
  }

  Value* filled(unsigned bytes) {
    auto* vector = dyn_cast<FixedVectorType>(type_of(bytes));
    if (!vector)
      return builder_.CreateTrunc(fill_, type_of(bytes));
    Value* value = PoisonValue::get(vector);
    for (unsigned index = 0; index != vector->getNumElements(); ++index)
      value = builder_.CreateInsertElement(value, fill_, uint64_t{index});
    return value;
  }

  Value* place(const Side& side, Value* at, unsigned offset) {
    Value* start = builder_.CreatePtrAdd(side.pointer, at);
    return offset == 0 ? start : builder_.CreatePtrAdd(start, builder_.getInt32(offset));
  }

  static Align alignment(const Side& side, unsigned step, unsigned offset) {
    return commonAlignment(commonAlignment(side.alignment, step), offset);
  }

  MemIntrinsic& operation_;
  IRBuilder<> builder_;
  MicroengineAddressSpace::Space default_space_;
  Side to_{nullptr, Align(1)};
  std::optional<Side> from_;      // of a copy
  Value* fill_ = nullptr;         // of a memset: a longword
  Instruction* after_ = nullptr;  // where to go on after a loop that may be skipped
};

}  // namespace

PreservedAnalyses LowerCopiesPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<MemIntrinsic*, 8> found;
  for (Instruction& instruction : instructions(function))
    if (auto* operation = dyn_cast<MemIntrinsic>(&instruction))
      found.push_back(operation);
  bool changed = false;
  for (MemIntrinsic* operation : found) {
    if (!BlockOperation(*operation, address_space_of(default_space)).lower())
      continue;
    operation->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
