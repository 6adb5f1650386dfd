#include "compiler/transforms/LowerCopies.h"

#include "compiler/backend/Microengine.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kLongwordSize = 4;  // bytes
constexpr unsigned kQuadwordSize = 8;
constexpr unsigned kBurstSize = 32;   // the most that one reference moves
constexpr unsigned kRowSize = 128;    // bursts that wait together, for each round of a loop
constexpr unsigned kWorthATest = 16;  // bytes from which on an alignment is tested for

// What a block is, in its own memory.
struct Side {
  Value* pointer;
  Align alignment;

  [[nodiscard]] unsigned space() const { return pointer->getType()->getPointerAddressSpace(); }
  [[nodiscard]] Align unit() const {
    return Align(space() == MicroengineAddressSpace::kSdram ? kQuadwordSize : kLongwordSize);
  }
};

enum class Direction { kUpwards, kDownwards };

// Bytes [begin, end) of the block, `step` at a time, from a multiple of `unit` on.
struct Region {
  Value* begin;
  Value* end;
  unsigned step;
  unsigned unit;
};

std::optional<uint64_t> number_of(const Value* value) {
  auto* number = dyn_cast<ConstantInt>(value);
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

class BlockOperation {
 public:
  BlockOperation(MemIntrinsic& operation, MicroengineAddressSpace::Space default_space)
      : operation_(operation), builder_(&operation), default_space_(default_space) {}

  // False, with nothing changed, if this is not for bursts.
  bool lower() {
    const std::optional<uint64_t> length = number_of(operation_.getLength());
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
    const Align unit(space == MicroengineAddressSpace::kSdram ? kQuadwordSize : kLongwordSize);
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
        to_.alignment >= kLongwordSize && (!from_ || from_->alignment >= kLongwordSize);
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
    const std::optional<uint64_t> length = number_of(operation_.getLength());
    const bool is_one_burst = length && *length <= kBurstSize && are_aligned();
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

  // The largest parts first, seen upwards. Of a length that is known, what is left after the last
  // burst is a part by itself.
  SmallVector<Region, 5> regions() {
    Value* length = builder_.CreateZExtOrTrunc(operation_.getLength(), builder_.getInt32Ty());
    const std::optional<uint64_t> known = number_of(length);
    SmallVector<unsigned, 5> steps;
    if (are_aligned()) {
      if (known && !operation_.getFunction()->hasOptSize())
        steps.push_back(kRowSize);
      steps.push_back(kBurstSize);
      if (!known && (to_.unit() == kQuadwordSize || (from_ && from_->unit() == kQuadwordSize)))
        steps.push_back(kQuadwordSize);
    }
    if (!known || !are_aligned())
      steps.append({kLongwordSize, 1});
    SmallVector<Region, 5> regions;
    Value* begin = builder_.getInt32(0);
    for (const unsigned step : steps) {
      Value* end = builder_.CreateAnd(length, ~(step - 1));
      regions.push_back({begin, end, step, std::min(step, kBurstSize)});
      begin = end;
    }
    if (known && are_aligned() && *known % kBurstSize != 0)
      regions.push_back({begin, length, static_cast<unsigned>(*known % kBurstSize), kBurstSize});
    return regions;
  }

  void move_in(Direction direction) {
    SmallVector<Region, 5> all = regions();
    if (direction == Direction::kDownwards)
      std::reverse(all.begin(), all.end());
    for (const Region& region : all)
      move_region(region, direction);
  }

  // Bursts, which share their waits; a loop takes fewer words.
  [[nodiscard]] unsigned most_in_a_row() const {
    const bool is_for_size = operation_.getFunction()->hasOptSize();
    if (from_)
      return is_for_size ? 1 : 4;
    return is_for_size ? 2 : 8;
  }
  [[nodiscard]] bool stands_in_a_row(uint64_t bytes, unsigned step) const {
    return bytes / std::min(step, kBurstSize) <= most_in_a_row();
  }

  void move_region(const Region& region, Direction direction) {
    const std::optional<uint64_t> begin = number_of(region.begin), end = number_of(region.end);
    if (begin && end && stands_in_a_row(*end - *begin, region.step)) {
      SmallVector<uint64_t, 4> places;
      for (uint64_t at = *begin; at != *end; at += region.step)
        places.push_back(at);
      if (direction == Direction::kDownwards)
        std::reverse(places.begin(), places.end());
      for (const uint64_t at : places)
        move_part(builder_.getInt32(at), region, direction);
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
      move_part(at, region, direction);
      next = builder_.CreateAdd(at, step);
    } else {
      next = builder_.CreateAdd(at, step);
      move_part(next, region, direction);
    }
    at->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, is_up ? region.end : region.begin), rest,
                          loop);
    builder_.SetInsertPoint(after_ ? after_ : position);
    builder_.SetCurrentDebugLocation(operation_.getDebugLoc());
    after_ = nullptr;
  }

  // One step of the region.
  void move_part(Value* at, const Region& region, Direction direction) {
    if (region.step <= kBurstSize)
      return move_burst(at, region.step, region.unit);
    for (unsigned done = 0; done != region.step; done += kBurstSize) {
      const bool is_up = direction == Direction::kUpwards;
      const unsigned offset = is_up ? done : region.step - kBurstSize - done;
      move_burst(builder_.CreateAdd(at, builder_.getInt32(offset)), kBurstSize, region.unit);
    }
  }

  // `bytes` at byte `at`, a multiple of `unit`. Everything is read before the first is written.
  void move_burst(Value* at, unsigned bytes, unsigned unit) {
    SmallVector<unsigned, 5> sizes;
    unsigned left = bytes;
    for (const unsigned size : {kBurstSize, kBurstSize / 2, kQuadwordSize, kLongwordSize})
      for (; left >= size && (size == kLongwordSize || are_aligned()); left -= size)
        sizes.push_back(size);
    if (left != 0)
      sizes.push_back(left);
    SmallVector<Value*, 5> values;
    unsigned offset = 0;
    for (const unsigned size : sizes) {
      values.push_back(from_ ? builder_.CreateAlignedLoad(type_of(size), place(*from_, at, offset),
                                                          alignment(*from_, unit, offset))
                             : filled(size));
      offset += size;
    }
    offset = 0;
    for (auto [size, value] : zip(sizes, values)) {
      builder_.CreateAlignedStore(value, place(to_, at, offset), alignment(to_, unit, offset));
      offset += size;
    }
  }

  Type* type_of(unsigned bytes) {
    if (bytes > kLongwordSize)
      return FixedVectorType::get(builder_.getInt32Ty(), bytes / kLongwordSize);
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

  static Align alignment(const Side& side, unsigned unit, unsigned offset) {
    return commonAlignment(commonAlignment(side.alignment, unit), offset);
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
    if (!BlockOperation(*operation, default_space).lower())
      continue;
    operation->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
