#include "compiler/transforms/loops/ReadBursts.h"

#include "compiler/transforms/loops/array_reads.h"
#include "compiler/transforms/loops/loop_rounds.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kBytesOfBurst = 32;  // the most that one reference moves
constexpr unsigned kMostCopied = 64;    // of IR, in the rounds of a burst
constexpr char kReadBurstsName[] = "microengine-read-bursts";

struct LoopAnalyses {
  LoopInfo& loops;
  DominatorTree& dominators;
  ScalarEvolution& values;
  AAResults& aliases;
  TargetTransformInfo& costs;
  OptimizationRemarkEmitter& remarks;
};

// An array, and its burst in the new loop.
struct ArrayBurst {
  ArrayReads array;
  PHINode* place = nullptr;
  LoadInst* burst = nullptr;
};

// A value that goes round in the loop.
struct RoundValue {
  PHINode* phi;
  Value* start;
  Value* latest;                // at the end of a round
  std::optional<int64_t> step;  // by which it grows each round, if that is known
  PHINode* copy = nullptr;      // in the loop of bursts
};

class ReadingLoop {
 public:
  ReadingLoop(Loop& loop, LoopAnalyses& analyses)
      : loop_(loop), analyses_(analyses), body_(*loop.getHeader()) {}

  // The new loop; null, with nothing changed, if this is not for bursts.
  BasicBlock* read_in_bursts();

 private:
  // What decides.
  [[nodiscard]] bool may_be_read_early() const;
  [[nodiscard]] bool is_read_by_bursts(const Instruction& instruction) const;
  [[nodiscard]] unsigned most_rounds() const;
  [[nodiscard]] unsigned instructions_per_round() const;
  [[nodiscard]] unsigned chosen_rounds(const SCEV* all) const;
  void remark_formed(bool has_rest);
  void remark_too_large();

  // What builds the loop of bursts.
  void build(Value* rounds);
  void find_round_values();
  std::optional<int64_t> step_of(PHINode& phi) const;
  void open_burst(Value* bursts);
  void read_arrays(IRBuilder<>& builder);
  void copy_round(unsigned number);
  Value* element(const ArrayBurst& from, const SteppingRead& read, unsigned round);
  static Value* stepped(IRBuilder<>& builder, Value* start, Value* distance);
  void leave();
  Value* enter_rest(RoundValue& value, Value* rounds_done, IRBuilder<>& after);
  void go_round();
  // What became of a value of the body in the round that was copied last.
  Value* latest_of(Value* value) {
    const auto found = now_.find(value);
    return found == now_.end() ? value : static_cast<Value*>(found->second);
  }

  Loop& loop_;
  LoopAnalyses& analyses_;
  BasicBlock& body_;
  BasicBlock* before_ = nullptr;
  BasicBlock* exit_ = nullptr;
  BasicBlock* burst_ = nullptr;  // the loop of bursts
  BasicBlock* after_ = nullptr;  // what follows it
  SmallVector<ArrayBurst, 2> arrays_;
  SmallVector<RoundValue, 4> round_values_;
  unsigned rounds_ = 0;  // per burst
  PHINode* bursts_left_ = nullptr;
  ValueToValueMapTy now_;
};

bool ReadingLoop::is_read_by_bursts(const Instruction& instruction) const {
  return any_of(arrays_,
                [&](const ArrayBurst& one) { return one.array.find(instruction) != nullptr; });
}

// Nothing in the loop changes what is read, or orders it.
bool ReadingLoop::may_be_read_early() const {
  return all_of(body_, [&](Instruction& instruction) {
    if (instruction.isTerminator() || !instruction.mayHaveSideEffects())
      return true;
    auto* store = dyn_cast<StoreInst>(&instruction);
    return store && store->isSimple() && all_of(arrays_, [&](const ArrayBurst& one) {
             const Value* read = one.array.reads.front().load->getPointerOperand();
             return analyses_.aliases.isNoAlias(
                 MemoryLocation::getBeforeOrAfter(store->getPointerOperand()),
                 MemoryLocation::getBeforeOrAfter(read));
           });
  });
}

// SRAM and scratch share a file of transfer registers.
unsigned ReadingLoop::most_rounds() const {
  uint64_t steps[2] = {0, 0};
  for (const ArrayBurst& one : arrays_)
    steps[one.array.is_in_sdram()] += one.array.step();
  return kBytesOfBurst / std::max(steps[0], steps[1]);
}

unsigned ReadingLoop::instructions_per_round() const {
  return count_if(body_, [&](const Instruction& instruction) {
    return !llvm::isa<PHINode, GetElementPtrInst, DbgInfoIntrinsic>(instruction) &&
           !instruction.isTerminator() && !is_read_by_bursts(instruction);
  });
}

// Of each burst; below 2: none pays. A number of rounds that is not known is divided by a power
// of two.
unsigned ReadingLoop::chosen_rounds(const SCEV* all) const {
  const unsigned most =
      std::min(most_rounds(), kMostCopied / std::max(1u, instructions_per_round()));
  auto* known = dyn_cast<SCEVConstant>(all);
  if (!known)
    return bit_floor(most);
  const uint64_t number = known->getAPInt().getZExtValue();
  const auto largest = static_cast<unsigned>(std::min<uint64_t>(most, number));
  for (unsigned rounds = largest; 2 * rounds > largest && rounds >= 2; --rounds)
    if (number % rounds == 0)
      return rounds;
  return largest;
}

BasicBlock* ReadingLoop::read_in_bursts() {
  auto* latch = dyn_cast<BranchInst>(body_.getTerminator());
  if (loop_.getNumBlocks() != 1 || !latch || !latch->isConditional() ||
      getBooleanLoopAttribute(&loop_, "llvm.loop.unroll.disable"))
    return nullptr;
  for (const ArrayReads& array : find_array_reads(loop_, analyses_.values))
    arrays_.push_back({array});
  if (arrays_.empty() || most_rounds() < 2 || !may_be_read_early())
    return nullptr;
  const SCEV* rounds = rounds_of(loop_, analyses_.values, analyses_.costs);
  if (!rounds)
    return nullptr;
  rounds_ = chosen_rounds(rounds);
  if (rounds_ < 2) {
    remark_too_large();
    return nullptr;
  }
  simplifyLoop(&loop_, &analyses_.dominators, &analyses_.loops, &analyses_.values, nullptr, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSA(loop_, analyses_.dominators, &analyses_.loops, &analyses_.values);
  before_ = loop_.getLoopPreheader();
  exit_ = loop_.getUniqueExitBlock();
  SCEVExpander expander(analyses_.values, body_.getDataLayout(), "");
  Type* longword = Type::getInt32Ty(body_.getContext());
  build(expander.expandCodeFor(rounds, longword, before_->getTerminator()));
  return burst_;
}

void ReadingLoop::remark_too_large() {
  analyses_.remarks.emit([&] {
    return OptimizationRemarkMissed(kReadBurstsName, "TooLarge",
                                    arrays_.front().array.reads.front().load)
           << "reads no bursts: a round of this loop has "
           << ore::NV("Instructions", instructions_per_round())
           << " operations, and two would be too many to copy";
  });
}

void ReadingLoop::remark_formed(bool has_rest) {
  for (const ArrayBurst& one : arrays_)
    analyses_.remarks.emit([&] {
      return OptimizationRemark(kReadBurstsName, "Formed", one.burst)
             << "one burst reads what " << ore::NV("Rounds", rounds_)
             << " rounds need, for which their "
             << ore::NV("Instructions", instructions_per_round())
             << (instructions_per_round() == 1 ? " operation is" : " operations are") << " copied"
             << (has_rest ? "; the loop follows for the rest" : "");
    });
}

// By how much the value grows each round.
std::optional<int64_t> ReadingLoop::step_of(PHINode& phi) const {
  const bool is_narrow =
      phi.getType()->isPointerTy() ||
      (phi.getType()->isIntegerTy() && phi.getType()->getIntegerBitWidth() <= 32);
  if (!is_narrow)
    return std::nullopt;
  auto* values = dyn_cast<SCEVAddRecExpr>(analyses_.values.getSCEV(&phi));
  if (!values || values->getLoop() != &loop_ || !values->isAffine())
    return std::nullopt;
  auto* step = dyn_cast<SCEVConstant>(values->getStepRecurrence(analyses_.values));
  return step ? std::optional(step->getAPInt().getSExtValue()) : std::nullopt;
}

void ReadingLoop::find_round_values() {
  for (PHINode& phi : body_.phis())
    round_values_.push_back({&phi, phi.getIncomingValueForBlock(before_),
                             phi.getIncomingValueForBlock(&body_), step_of(phi)});
}

void ReadingLoop::build(Value* rounds) {
  find_round_values();
  IRBuilder<> builder(before_->getTerminator());
  builder.SetCurrentDebugLocation(body_.getTerminator()->getDebugLoc());
  burst_ = BasicBlock::Create(body_.getContext(), "", body_.getParent(), &body_);
  after_ = BasicBlock::Create(body_.getContext(), "", body_.getParent(), &body_);
  Value* bursts = builder.CreateUDiv(rounds, builder.getInt32(rounds_));
  builder.CreateCondBr(builder.CreateIsNull(bursts), &body_, burst_);
  open_burst(bursts);
  before_->getTerminator()->eraseFromParent();
  for (unsigned number = 0; number != rounds_; ++number)
    copy_round(number);
  IRBuilder<> after(after_);
  after.SetCurrentDebugLocation(body_.getTerminator()->getDebugLoc());
  Value* rest = after.CreateURem(rounds, after.getInt32(rounds_));
  Value* done = after.CreateSub(rounds, rest);
  leave();
  for (RoundValue& value : round_values_) {
    Value* last = enter_rest(value, done, after);
    for (PHINode& outside : exit_->phis())
      if (value.step && outside.getIncomingValueForBlock(&body_) == value.latest)
        outside.addIncoming(last, after_);
  }
  go_round();
  after.CreateCondBr(after.CreateIsNull(rest), exit_, &body_);
  remark_formed(!match(rest, PatternMatch::m_Zero()));
}

// The values that go round, the number of bursts left, and the bursts.
void ReadingLoop::open_burst(Value* bursts) {
  IRBuilder<> builder(burst_);
  for (RoundValue& value : round_values_) {
    value.copy = builder.CreatePHI(value.phi->getType(), 2);
    value.copy->addIncoming(value.start, before_);
  }
  bursts_left_ = builder.CreatePHI(builder.getInt32Ty(), 2);
  bursts_left_->addIncoming(bursts, before_);
  read_arrays(builder);
}

// At the loop's own pointer if it has one, else at one that steps on by a burst.
void ReadingLoop::read_arrays(IRBuilder<>& builder) {
  SCEVExpander expander(analyses_.values, body_.getDataLayout(), "");
  for (ArrayBurst& one : arrays_) {
    const SteppingRead& first = one.array.reads.front();
    for (const RoundValue& value : round_values_)
      if (value.step && analyses_.values.getSCEV(value.phi) == first.place)
        one.place = value.copy;
    if (one.place)
      continue;
    Type* type = first.load->getPointerOperandType();
    one.place = builder.CreatePHI(type, 2);
    one.place->addIncoming(
        expander.expandCodeFor(first.place->getStart(), type, before_->getTerminator()), before_);
  }
  for (ArrayBurst& one : arrays_) {
    builder.SetCurrentDebugLocation(one.array.reads.front().load->getDebugLoc());
    auto* type =
        FixedVectorType::get(builder.getInt32Ty(), rounds_ * one.array.step() / kBytesOfLongword);
    one.burst = builder.CreateAlignedLoad(type, one.place, one.array.alignment);
  }
}

Value* ReadingLoop::element(const ArrayBurst& from, const SteppingRead& read, unsigned round) {
  IRBuilder<> builder(burst_);
  builder.SetCurrentDebugLocation(read.load->getDebugLoc());
  const uint64_t word = (round * from.array.step() + read.offset) / kBytesOfLongword;
  Value* first = builder.CreateExtractElement(from.burst, word);
  if (read.size() == kBytesOfLongword)
    return first;
  Type* type = read.load->getType();
  Value* second = builder.CreateExtractElement(from.burst, word + 1);
  return builder.CreateOr(builder.CreateShl(builder.CreateZExt(first, type), 8 * kBytesOfLongword),
                          builder.CreateZExt(second, type));
}

Value* ReadingLoop::stepped(IRBuilder<>& builder, Value* start, Value* distance) {
  return start->getType()->isPointerTy()
             ? builder.CreatePtrAdd(start, distance)
             : builder.CreateAdd(start, builder.CreateTrunc(distance, start->getType()));
}

void ReadingLoop::copy_round(unsigned number) {
  IRBuilder<> builder(burst_);
  SmallVector<Value*, 4> now;
  for (const RoundValue& value : round_values_)
    now.push_back(number == 0 ? value.copy
                  : value.step
                      ? stepped(builder, value.copy,
                                builder.getInt32(static_cast<uint32_t>(*value.step * number)))
                      : latest_of(value.latest));
  now_.clear();
  for (const auto& [value, copy] : zip(round_values_, now))
    now_[value.phi] = copy;
  for (Instruction& instruction : body_) {
    if (llvm::isa<PHINode, DbgInfoIntrinsic>(instruction) || instruction.isTerminator())
      continue;
    if (is_read_by_bursts(instruction)) {
      for (const ArrayBurst& one : arrays_)
        if (const SteppingRead* read = one.array.find(instruction))
          now_[&instruction] = element(one, *read, number);
      continue;
    }
    Instruction* copy = instruction.clone();
    copy->insertInto(burst_, burst_->end());
    RemapInstruction(copy, now_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    now_[&instruction] = copy;
  }
}

// What the last round gives to what follows the loop, but for values that step on (enter_rest);
// what was copied only for the sake of those goes.
void ReadingLoop::leave() {
  SmallPtrSet<const Value*, 4> steps, kept;
  for (const RoundValue& value : round_values_)
    value.step ? steps.insert(value.latest) : kept.insert(latest_of(value.latest));
  for (PHINode& outside : exit_->phis())
    if (Value* value = outside.getIncomingValueForBlock(&body_); !steps.contains(value))
      outside.addIncoming(latest_of(value), after_);
  for (Instruction& instruction : make_early_inc_range(reverse(*burst_)))
    if (!llvm::isa<PHINode>(instruction) && !kept.contains(&instruction) &&
        isInstructionTriviallyDead(&instruction))
      instruction.eraseFromParent();
}

// The value with which the rest starts. One that steps on and is not used in the rounds need not
// go round with the bursts.
Value* ReadingLoop::enter_rest(RoundValue& value, Value* rounds_done, IRBuilder<>& after) {
  Value* last = nullptr;
  if (value.step && value.copy->use_empty()) {
    Value* distance =
        after.CreateMul(rounds_done, after.getInt32(static_cast<uint32_t>(*value.step)));
    last = stepped(after, value.start, distance);
    value.copy->eraseFromParent();
  } else {
    IRBuilder<> builder(burst_);
    last = value.step ? stepped(builder, value.copy,
                                builder.getInt32(static_cast<uint32_t>(*value.step * rounds_)))
                      : latest_of(value.latest);
    value.copy->addIncoming(last, burst_);
  }
  value.phi->addIncoming(last, after_);
  return last;
}

void ReadingLoop::go_round() {
  IRBuilder<> builder(burst_);
  builder.SetCurrentDebugLocation(body_.getTerminator()->getDebugLoc());
  for (ArrayBurst& one : arrays_)
    if (one.place->getNumIncomingValues() == 1) {
      Value* step = builder.getInt32(static_cast<uint32_t>(rounds_ * one.array.step()));
      one.place->addIncoming(builder.CreatePtrAdd(one.place, step), burst_);
    }
  Value* left = builder.CreateSub(bursts_left_, builder.getInt32(1));
  bursts_left_->addIncoming(left, burst_);
  builder.CreateCondBr(builder.CreateIsNull(left), after_, burst_);
  if (match(bursts_left_->getIncomingValueForBlock(before_), PatternMatch::m_One())) {
    burst_->getTerminator()->eraseFromParent();
    for (PHINode& phi : make_early_inc_range(burst_->phis()))
      phi.removeIncomingValue(burst_);
    BranchInst::Create(after_, burst_);
  }
}

}  // namespace

PreservedAnalyses ReadBurstsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  SmallPtrSet<const BasicBlock*, 8> seen;
  const auto change_one = [&] {
    LoopAnalyses results{analyses.getResult<LoopAnalysis>(function),
                         analyses.getResult<DominatorTreeAnalysis>(function),
                         analyses.getResult<ScalarEvolutionAnalysis>(function),
                         analyses.getResult<AAManager>(function),
                         analyses.getResult<TargetIRAnalysis>(function),
                         analyses.getResult<OptimizationRemarkEmitterAnalysis>(function)};
    for (Loop* loop : results.loops.getLoopsInPreorder())
      if (loop->isInnermost() && seen.insert(loop->getHeader()).second)
        if (const BasicBlock* bursts = ReadingLoop(*loop, results).read_in_bursts()) {
          seen.insert(bursts);
          return true;
        }
    return false;
  };
  bool changed = false;
  while (change_one()) {
    changed = true;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  if (changed)
    function.addFnAttr(kReadBurstsAttribute);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace nplab::compiler
