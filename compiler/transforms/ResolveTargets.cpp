#include "compiler/transforms/ResolveTargets.h"

#include <map>
#include <vector>

#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr char kSelectsCallee[] = "microengine-selects-callee";

Constant* number_as(Type* pointer, unsigned number) {
  return ConstantExpr::getIntToPtr(
      ConstantInt::get(Type::getInt32Ty(pointer->getContext()), number), pointer);
}

// The switch of `selector` over numbered blocks, in place of the block's end.
void switch_over(Value* selector, ArrayRef<std::pair<unsigned, BasicBlock*>> numbered,
                 IRBuilder<>& builder) {
  Function* function = builder.GetInsertBlock()->getParent();
  BasicBlock* elsewhere = BasicBlock::Create(function->getContext(), "", function);
  new UnreachableInst(function->getContext(), elsewhere);
  Value* number = builder.CreatePtrToInt(selector, builder.getInt32Ty());
  SwitchInst* choice = builder.CreateSwitch(number, elsewhere, numbered.size());
  for (const auto& [value, block] : numbered)
    choice->addCase(builder.getInt32(value), block);
}

void resolve_labels(Function& function) {
  std::map<const BasicBlock*, unsigned> numbers;
  for (BasicBlock& block : function) {
    BlockAddress* address = BlockAddress::lookup(&block);
    if (!address)
      continue;
    const unsigned number = numbers[&block] = numbers.size() + 1;
    address->replaceAllUsesWith(number_as(address->getType(), number));
    address->destroyConstant();
  }
  SmallVector<IndirectBrInst*, 2> jumps;
  for (BasicBlock& block : function)
    if (auto* jump = dyn_cast<IndirectBrInst>(block.getTerminator()))
      jumps.push_back(jump);
  for (IndirectBrInst* jump : jumps) {
    SmallVector<std::pair<unsigned, BasicBlock*>, 16> numbered;
    for (BasicBlock* target : successors(jump->getParent()))
      if (const auto known = numbers.find(target);
          known != numbers.end() && !is_contained(numbered, std::pair{known->second, target}))
        numbered.emplace_back(known->second, target);
    IRBuilder<> builder(jump);
    switch_over(jump->getAddress(), numbered, builder);
    jump->eraseFromParent();
  }
}

// A list of the module's own, such as llvm.used.
bool is_list_of_module(const User& user) {
  if (const auto* variable = dyn_cast<GlobalVariable>(&user))
    return variable->getName().starts_with("llvm.");
  return isa<Constant>(user) && !isa<GlobalValue>(user) && !user.user_empty() &&
         all_of(user.users(), [](const User* next) { return is_list_of_module(*next); });
}

bool takes_address(const Use& use) {
  if (const auto* call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
    return false;
  return !isa<BlockAddress>(use.getUser()) && !is_list_of_module(*use.getUser());
}

Use* address_taken(Function& function) {
  for (Use& use : function.uses())
    if (takes_address(use))
      return &use;
  return nullptr;
}

bool can_be_numbered(const Function& function) {
  return !function.isDeclaration() && function.getName() != "main";
}

void replace_address(Use& use, Constant* number) {
  auto* constant = dyn_cast<Constant>(use.getUser());
  if (constant && !isa<GlobalValue>(constant))
    constant->handleOperandChange(use.get(), number);
  else
    use.set(number);
}

struct Numbered {
  unsigned number;
  Function* function;
};

class Calls {
 public:
  explicit Calls(Module& module) : module_(module) {}

  void resolve() {
    SmallVector<CallInst*, 16> indirect;
    for (Function& function : module_)
      for (Instruction& instruction : instructions(function))
        if (auto* call = dyn_cast<CallInst>(&instruction); call && call->isIndirectCall())
          indirect.push_back(call);
    unsigned count = 0;
    for (Function& function : module_)
      if (can_be_numbered(function) && address_taken(function))
        numbered_[function.getFunctionType()].push_back({++count, &function});
    for (CallInst* call : indirect)
      if (!call->getFunctionType()->isVarArg() && numbered_.contains(call->getFunctionType()))
        redirect(*call);
    for (const auto& [type, all] : numbered_)
      for (const Numbered& one : all)
        while (Use* use = address_taken(*one.function))
          replace_address(*use, number_as(one.function->getType(), one.number));
  }

 private:
  // Attributes of an argument say how it is passed; the pointer stands before all.
  AttributeList behind_pointer(const AttributeList& given, unsigned arguments) const {
    SmallVector<AttributeSet, 8> shifted{AttributeSet()};
    for (unsigned index = 0; index != arguments; ++index)
      shifted.push_back(given.getParamAttrs(index));
    return AttributeList::get(module_.getContext(), AttributeSet(), given.getRetAttrs(), shifted);
  }

  void redirect(CallInst& call) {
    SmallVector<Value*, 8> arguments{call.getCalledOperand()};
    append_range(arguments, call.args());
    IRBuilder<> builder(&call);
    CallInst* direct = builder.CreateCall(selector_of(call), arguments);
    direct->setAttributes(behind_pointer(call.getAttributes(), call.arg_size()));
    call.replaceAllUsesWith(direct);
    call.eraseFromParent();
  }

  Function* selector_of(const CallInst& call) {
    FunctionType* type = call.getFunctionType();
    Function*& selector = selectors_[type];
    if (selector)
      return selector;
    SmallVector<Type*, 8> parameters{call.getCalledOperand()->getType()};
    append_range(parameters, type->params());
    selector = Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
                                GlobalValue::InternalLinkage, "pointer_call", module_);
    const Function& first = *numbered_[type].front().function;
    selector->setAttributes(behind_pointer(first.getAttributes(), type->getNumParams()));
    selector->addFnAttr(kSelectsCallee);
    for (const Attribute& kept : first.getAttributes().getFnAttrs())
      if (kept.isStringAttribute())
        selector->addFnAttr(kept);
    if (MDNode* place = first.getMetadata(kPlaceMetadata))
      selector->setMetadata(kPlaceMetadata, place);
    fill(*selector, numbered_[type]);
    return selector;
  }

  static void fill(Function& selector, const std::vector<Numbered>& callees) {
    LLVMContext& context = selector.getContext();
    BasicBlock* entry = BasicBlock::Create(context, "", &selector);
    SmallVector<std::pair<unsigned, BasicBlock*>, 16> blocks;
    for (const Numbered& callee : callees) {
      IRBuilder<> builder(BasicBlock::Create(context, "", &selector));
      SmallVector<Value*, 8> arguments;
      for (Argument& argument : drop_begin(selector.args()))
        arguments.push_back(&argument);
      CallInst* call = builder.CreateCall(callee.function, arguments);
      const AttributeList given = callee.function->getAttributes();
      call->setAttributes(given.removeFnAttributes(context));
      if (selector.getReturnType()->isVoidTy())
        builder.CreateRetVoid();
      else
        builder.CreateRet(call);
      blocks.emplace_back(callee.number, call->getParent());
    }
    IRBuilder<> builder(entry);
    switch_over(selector.getArg(0), blocks, builder);
  }

  Module& module_;
  std::map<FunctionType*, std::vector<Numbered>> numbered_;
  std::map<FunctionType*, Function*> selectors_;
};

}  // namespace

void resolve_targets(Module& module) {
  for (Function& function : module)
    resolve_labels(function);
  Calls(module).resolve();
}

bool selects_callee(const Function& function) {
  return function.hasFnAttribute(kSelectsCallee);
}

}  // namespace nplab::compiler
