#include "compiler/transforms/PrepareMain.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

bool has_standard_arguments(const llvm::Function& main) {
  return main.arg_size() == 2 && main.getArg(0)->getType()->isIntegerTy(32) &&
         main.getArg(1)->getType()->isPointerTy() && main.use_empty();
}

void drop_arguments(llvm::Function& main) {
  for (llvm::Argument& argument : main.args())
    argument.replaceAllUsesWith(llvm::Constant::getNullValue(argument.getType()));
  llvm::Function* without =
      llvm::Function::Create(llvm::FunctionType::get(main.getReturnType(), false),
                             main.getLinkage(), main.getAddressSpace(), "", main.getParent());
  const llvm::AttributeList attributes = main.getAttributes();
  without->setAttributes(llvm::AttributeList::get(main.getContext(), attributes.getFnAttrs(),
                                                  attributes.getRetAttrs(), {}));
  without->splice(without->begin(), &main);
  without->copyMetadata(&main, 0);
  main.setSubprogram(nullptr);
  without->takeName(&main);
  main.eraseFromParent();
}

// Clang keeps the value of a function that does not always end in one `return` in a local.
void return_zero_at_the_end(llvm::Function& main) {
  for (llvm::BasicBlock& block : main) {
    auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    auto* value = end ? llvm::dyn_cast_or_null<llvm::LoadInst>(end->getReturnValue()) : nullptr;
    auto* local = value ? llvm::dyn_cast<llvm::AllocaInst>(value->getPointerOperand()) : nullptr;
    if (!local || local->getName() != "retval")
      continue;
    auto* zero = llvm::Constant::getNullValue(local->getAllocatedType());
    new llvm::StoreInst(zero, local, local->getNextNode());
  }
}

}  // namespace

void prepare_main(llvm::Module& module) {
  llvm::Function* main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return;
  if (has_standard_arguments(*main))
    drop_arguments(*main);
  return_zero_at_the_end(*module.getFunction("main"));
}

}  // namespace nplab::compiler
