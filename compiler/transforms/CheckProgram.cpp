#include "compiler/transforms/CheckProgram.h"

#include <set>

#include "compiler/backend/MicroengineIntrinsics.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

class ProgramCheck {
 public:
  ProgramCheck(const llvm::Module& module, const std::string& file, Diagnostics& diagnostics)
      : module_(module), file_(file), diagnostics_(diagnostics) {}

  void run() {
    check_main();
    for (const llvm::Function& function : module_) {
      if (function.isDeclaration())
        continue;
      if (function.isVarArg())
        report({}, function,
               "a function with variable arguments: pass the values in a struct or an array");
      check_types(function);
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        check(instruction);
    }
    check_recursion();
  }

 private:
  void report(const llvm::DebugLoc& place, const llvm::Function& function, std::string message) {
    SourceLocation location = location_of(place, function);
    if (reported_.insert({location.file, location.line, message}).second)
      diagnostics_.error(std::move(location), "the microengine has no way to do this: " + message);
  }
  void report(const llvm::Instruction& instruction, std::string message) {
    report(instruction.getDebugLoc(), *instruction.getFunction(), std::move(message));
  }

  void check_main() {
    const llvm::Function* main = module_.getFunction("main");
    if (!main || main->isDeclaration())
      diagnostics_.error({file_, 0, 0},
                         "there is no function main: every thread starts in `int main(void)`");
    else if (!main->arg_empty())
      diagnostics_.error(
          location_of({}, *main),
          "main takes no arguments here: write `int main(void)`; ctx() tells the threads apart");
  }

  static bool is_floating_point(const llvm::Type* type) {
    return type->getScalarType()->isFloatingPointTy();
  }

  void check_types(const llvm::Function& function) {
    bool floating = is_floating_point(function.getReturnType());
    for (const llvm::Argument& argument : function.args())
      floating |= is_floating_point(argument.getType());
    if (floating)
      report({}, function, kFloatingPoint);
  }

  void check(const llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return check_call(*call);
    bool floating = is_floating_point(instruction.getType());
    for (const llvm::Value* operand : instruction.operands())
      floating |= is_floating_point(operand->getType());
    if (floating)
      report(instruction, kFloatingPoint);
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local && !local->isStaticAlloca())
      report(instruction, "a local whose size is not a constant: give the array a fixed size");
    for (const llvm::Value* operand : instruction.operands())
      if (llvm::isa<llvm::BlockAddress>(operand))
        report(instruction, "the address of a label: use a switch");
    if (llvm::isa<llvm::VAArgInst>(instruction))
      report(instruction, "variable arguments: pass the values in a struct or an array");
  }

  void check_call(const llvm::CallBase& call) {
    if (call.isInlineAsm())
      return;
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee)
      return report(
          call, "a call through a pointer: call the function by its name, or select with a switch");
    if (callee->isIntrinsic()) {
      bool floating = is_floating_point(callee->getReturnType());
      for (const llvm::Value* operand : call.args())
        floating |= is_floating_point(operand->getType());
      if (floating)
        report(call, kFloatingPoint);
      switch (callee->getIntrinsicID()) {
        case llvm::Intrinsic::vastart:
        case llvm::Intrinsic::vaend:
        case llvm::Intrinsic::vacopy:
          return report(call, "variable arguments: pass the values in a struct or an array");
        case llvm::Intrinsic::stacksave:
          return;  // of a local without constant size, which is reported itself
        default: return;
      }
    }
    if (call.getFunctionType()->isVarArg() && callee->isDeclaration())
      return report(call, "a call with variable arguments to '" + callee->getName().str() +
                              "': use console_hex or console_char to print");
    if (callee->isDeclaration() && callee->getName().starts_with("__atomic_"))
      return report(call, kAtomics);
    if (callee->isDeclaration() && !llvm::Microengine::isIntrinsicName(callee->getName()))
      report(call, "a call of '" + callee->getName().str() +
                       "', which is declared but not defined: there is no library to link with");
  }

  void check_recursion() {
    llvm::CallGraph graph(const_cast<llvm::Module&>(module_));
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
      if (!component.hasCycle())
        continue;
      for (llvm::CallGraphNode* node : *component) {
        if (!node->getFunction() || node->getFunction()->isDeclaration())
          continue;
        for (const auto& [call, callee] : *node) {
          if (!call || !callee->getFunction() || !llvm::is_contained(*component, callee))
            continue;
          report(*llvm::cast<llvm::CallBase>(*call),
                 "recursion: '" + node->getFunction()->getName().str() + "' calls '" +
                     callee->getFunction()->getName().str() +
                     "', which comes back to it; there is no stack. Use a loop");
        }
      }
    }
  }

  static constexpr const char* kAtomics =
      "atomic operations of C: use scratch_incr, the test_and_set intrinsics or sram_read_lock";
  static constexpr const char* kFloatingPoint = "floating point: use integers or fixed point";
  const llvm::Module& module_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::set<std::tuple<std::string, int, std::string>> reported_;
};

}  // namespace

SourceLocation location_of(const llvm::DebugLoc& location, const llvm::Function& function) {
  const llvm::DIScope* scope =
      location ? llvm::cast<llvm::DIScope>(location->getScope()) : function.getSubprogram();
  if (!scope)
    return {};
  int line = location ? location.getLine() : function.getSubprogram()->getLine();
  int column = location ? location.getCol() : 0;
  return {scope->getFilename().str(), line, column};
}

void check_program(const llvm::Module& module, const std::string& file, Diagnostics& diagnostics) {
  ProgramCheck(module, file, diagnostics).run();
}

}  // namespace nplab::compiler
