#include "compiler/transforms/TieSignals.h"

#include <array>
#include <map>
#include <optional>
#include <set>

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineIntrinsics.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kEvents = 3;  // sram, sdram, fbi: the units' own
constexpr const char* kEventNames[kEvents] = {"sram", "sdram", "fbi"};

StringRef intrinsic_name(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : StringRef();
  return name.consume_front(Microengine::IntrinsicPrefix) ? name : StringRef();
}

bool has_registers(StringRef name) {
  return name.ends_with(Microengine::StartSuffix);
}

// The event that the instruction's reference completes with.
std::optional<unsigned> event_of(const Instruction& instruction, unsigned default_space) {
  if (llvm::isa<LoadInst, StoreInst>(instruction)) {
    unsigned space = getLoadStoreAddressSpace(const_cast<Instruction*>(&instruction));
    if (space == MicroengineAddressSpace::kDefault)
      space = default_space;
    return space == MicroengineAddressSpace::kSram    ? 0
           : space == MicroengineAddressSpace::kSdram ? 1
                                                      : 2;
  }
  StringRef name = intrinsic_name(instruction);
  if (name.starts_with("sram_") && name != "sram_unlock")
    return 0;
  if (name.starts_with("sdram_"))
    return 1;
  for (StringRef unit : {"scratch_", "r_fifo_", "t_fifo_", "csr_", "hash_"})
    if (name.starts_with(unit))
      return 2;
  return std::nullopt;
}

bool starts(const Instruction& instruction) {
  StringRef name = intrinsic_name(instruction);
  if (has_registers(name))
    return true;
  if (!name.starts_with("sdram_r_fifo_read") && !name.starts_with("sdram_t_fifo_write"))
    return false;
  auto& call = cast<CallInst>(instruction);
  auto* tokens = dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 1));
  return tokens && tokens->getZExtValue() & Microengine::kSignalToken;
}

std::optional<uint64_t> awaited(const Instruction& instruction) {
  if (intrinsic_name(instruction) != "ctx_arb")
    return std::nullopt;
  auto* events = dyn_cast<ConstantInt>(cast<CallInst>(instruction).getArgOperand(0));
  return events ? std::optional(events->getZExtValue()) : std::nullopt;
}

class SignalTies {
 public:
  SignalTies(Function& main, unsigned default_space, Diagnostics& diagnostics)
      : main_(main), default_space_(default_space), diagnostics_(diagnostics) {}

  void run() {
    follow();
    for (Instruction& instruction : instructions(main_))
      if (starts(instruction) && waits_[&instruction].empty() && !faulty_.contains(&instruction))
        report(instruction, "nothing waits for this reference: ctx_wait(" +
                                event_name(instruction) +
                                ") must follow before its result is used or the thread ends");
    if (!diagnostics_.has_errors())
      tie();
  }

 private:
  using State = std::array<Instruction*, kEvents>;  // the reference under way

  std::string event_name(const Instruction& start) const {
    return kEventNames[*event_of(start, default_space_)];
  }
  static std::string line_of(const Instruction& instruction) {
    return "line " +
           std::to_string(instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0);
  }
  void report(const Instruction& instruction, std::string message) {
    if (!faulty_.insert(&instruction).second)
      return;
    diagnostics_.error(location_of(instruction.getDebugLoc(), *instruction.getFunction()),
                       std::move(message));
  }

  void follow() {
    std::map<const BasicBlock*, State> entries{{&main_.getEntryBlock(), State{}}};
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&main_)) {
      State state = entries[block];
      for (Instruction& instruction : *block)
        step(instruction, state);
      for (BasicBlock* next : successors(block)) {
        for (PHINode& phi : next->phis())
          check_use(phi, phi.getIncomingValueForBlock(block), state);
        auto [known, is_new] = entries.try_emplace(next, state);
        for (unsigned event = 0; !is_new && event != kEvents; ++event)
          if (Instruction* start = state[event] ? state[event] : known->second[event];
              state[event] != known->second[event])
            report(*start,
                   "only some of the paths that meet after this reference wait for it: "
                   "ctx_wait(" +
                       event_name(*start) + ") on each");
      }
    }
  }

  void check_use(Instruction& user, const Value* value, const State& state) {
    for (Instruction* start : state)
      if (start && value == start)
        report(user, "the result of the reference of " + line_of(*start) +
                         " is used before it has arrived: ctx_wait(" + event_name(*start) +
                         ") first");
  }

  void step(Instruction& instruction, State& state) {
    if (!llvm::isa<PHINode>(instruction))
      for (const Value* operand : instruction.operands())
        check_use(instruction, operand, state);
    if (llvm::isa<ReturnInst>(instruction))
      return end(state);
    if (std::optional<uint64_t> events = awaited(instruction))
      return wait(instruction, *events, state);
    std::optional<unsigned> event = event_of(instruction, default_space_);
    if (!event)
      return;
    if (state[*event])
      report(instruction, "the reference of " + line_of(*state[*event]) +
                              " is under way in the same unit, and its event " +
                              "would be taken for this one's: ctx_wait(" +
                              event_name(*state[*event]) + ") first");
    if (starts(instruction))
      state[*event] = &instruction;
  }

  void end(const State& state) {
    for (Instruction* start : state)
      if (start)
        report(*start, "the thread can end before this reference is done: ctx_wait(" +
                           event_name(*start) + ") first");
  }

  void wait(Instruction& instruction, uint64_t events, State& state) {
    if (events & Microengine::kKillEvent)
      return end(state);
    for (unsigned event = 0; event != kEvents; ++event) {
      if (!(events >> event & 1))
        continue;
      if (!state[event]) {
        report(instruction, std::string("no reference is under way that would signal ") +
                                kEventNames[event] + " here: the thread would wait forever");
        continue;
      }
      waits_[state[event]].insert(&instruction);
      state[event] = nullptr;
    }
  }

  void tie() {
    SmallVector<CallInst*, 8> found;
    for (Instruction& instruction : instructions(main_))
      if (has_registers(intrinsic_name(instruction)))
        found.push_back(cast<CallInst>(&instruction));
    for (CallInst* start : found) {
      CallInst& call = *start;
      const auto& waits = waits_[start];
      call.addFnAttr(Attribute::NoDuplicate);
      call.addFnAttr(Attribute::NoMerge);
      for (Instruction* wait : waits)
        mark(cast<CallInst>(*wait), *event_of(call, default_space_));
      if (call.getType()->isVoidTy() || call.use_empty())
        continue;
      if (waits.size() > 1) {
        report(call, "the result of this reference is waited for in " +
                         std::to_string(waits.size()) +
                         " places: wait in one, where the paths have joined");
        continue;
      }
      give(call, **waits.begin());
    }
  }

  static void mark(CallInst& wait, unsigned event) {
    wait.addFnAttr(Attribute::NoDuplicate);
    wait.addFnAttr(Attribute::NoMerge);
    uint64_t events = cast<ConstantInt>(wait.getArgOperand(0))->getZExtValue();
    wait.setArgOperand(
        0, ConstantInt::get(wait.getArgOperand(0)->getType(),
                            events | uint64_t{1} << (event + Microengine::StartedEventsShift)));
  }

  void give(CallInst& start, Instruction& wait) {
    IRBuilder<> builder(wait.getNextNode());
    builder.SetCurrentDebugLocation(wait.getDebugLoc());
    Type* type = start.getType();
    std::string name = std::string(Microengine::IntrinsicPrefix) + Microengine::ArriveName;
    if (auto* vector = dyn_cast<FixedVectorType>(type))
      name += std::to_string(vector->getNumElements());
    FunctionCallee callee =
        main_.getParent()->getOrInsertFunction(name, FunctionType::get(type, {type}, false));
    CallInst* arrived = builder.CreateCall(callee, {&start});
    arrived->addFnAttr(Attribute::NoDuplicate);
    arrived->addFnAttr(Attribute::NoMerge);
    arrived->addFnAttr(Attribute::NoUnwind);
    start.replaceUsesWithIf(arrived, [&](Use& use) { return use.getUser() != arrived; });
  }

  Function& main_;
  unsigned default_space_;
  Diagnostics& diagnostics_;
  std::map<Instruction*, std::set<Instruction*>> waits_;
  std::set<const Instruction*> faulty_;
};

}  // namespace

bool has_started_references(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.isDeclaration() && !function.use_empty() &&
           function.getName().starts_with(Microengine::IntrinsicPrefix) &&
           has_registers(function.getName());
  });
}

void tie_signals(Function& main, unsigned default_space, Diagnostics& diagnostics) {
  SignalTies(main, default_space, diagnostics).run();
}

}  // namespace nplab::compiler
