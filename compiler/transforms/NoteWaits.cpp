#include "compiler/transforms/NoteWaits.h"

#include "compiler/backend/MicroengineWaits.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

namespace nplab::compiler {
namespace {

constexpr const char* kAttribute = "microengine.wait.";

// The text of a private string constant; empty when it is something else.
llvm::StringRef text_of(const llvm::Value* value) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  const auto* text = variable && variable->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer())
                         : nullptr;
  return text && text->isCString() ? text->getAsCString() : llvm::StringRef();
}

void remember(llvm::Module& module, llvm::DISubprogram* function, unsigned code) {
  llvm::LLVMContext& context = module.getContext();
  auto* number =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), code));
  module.getOrInsertNamedMetadata(llvm::kWaitsMetadata)
      ->addOperand(llvm::MDTuple::get(context, {function, number}));
}

}  // namespace

void note_waits(llvm::Module& module) {
  llvm::GlobalVariable* annotations = module.getNamedGlobal("llvm.global.annotations");
  if (!annotations)
    return;
  llvm::SmallVector<llvm::GlobalVariable*> strings;
  for (llvm::Use& entry : annotations->getInitializer()->operands()) {
    auto* fields = llvm::cast<llvm::ConstantStruct>(entry.get());
    const auto* function =
        llvm::dyn_cast<llvm::Function>(fields->getOperand(0)->stripPointerCasts());
    llvm::StringRef attribute = text_of(fields->getOperand(1));
    unsigned code = 0;
    if (function && function->getSubprogram() && attribute.consume_front(kAttribute) &&
        !attribute.getAsInteger(10, code))
      remember(module, function->getSubprogram(), code);
    for (llvm::Use& field : fields->operands()) {
      if (auto* string = llvm::dyn_cast<llvm::GlobalVariable>(field.get()->stripPointerCasts()))
        strings.push_back(string);
    }
  }
  annotations->eraseFromParent();
  for (llvm::GlobalVariable* string : strings) {
    string->removeDeadConstantUsers();
    if (string->use_empty() && string->getParent())
      string->removeFromParent();
  }
}

}  // namespace nplab::compiler
