#include "compiler/transforms/CheckProgram.h"

#include <set>

#include "compiler/backend/MicroengineIntrinsics.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

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
          "main takes no arguments here, or those of a host: write `int main(void)` or `int "
          "main(int, char **)`; ctx() tells the threads apart");
  }

  // Bursts are vectors of longwords (u32x2 and so on); LLVM has no way to make others legal here.
  static bool is_other_vector(const llvm::Type* type) {
    return type->isVectorTy() && !type->getScalarType()->isIntegerTy(32) &&
           !type->getScalarType()->isIntegerTy(1);
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
    bool has_vectors = is_other_vector(function.getReturnType());
    for (const llvm::Argument& argument : function.args())
      has_vectors |= is_other_vector(argument.getType());
    if (has_vectors)
      report({}, function, kVectors);
  }

  void check(const llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return check_call(*call);
    bool floating = is_floating_point(instruction.getType());
    for (const llvm::Value* operand : instruction.operands())
      floating |= is_floating_point(operand->getType());
    if (floating)
      report(instruction, kFloatingPoint);
    if (instruction.getDebugLoc() && is_other_vector(type_of_value(instruction)))
      report(instruction, kVectors);
    if (llvm::isa<llvm::IndirectBrInst>(instruction))
      check_computed_jumps(*instruction.getParent());
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) ||
        llvm::any_of(instruction.operands(), [](const llvm::Value* operand) {
          return llvm::isa<llvm::AddrSpaceCastOperator>(operand);
        }))
      report(instruction, kMemories);
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
      return check_assembly(call);
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

  // The type of the value that the instruction computes, reads or writes.
  static const llvm::Type* type_of_value(const llvm::Instruction& instruction) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getValueOperand()->getType();
    return instruction.getType();
  }

  // Clang makes one jump of all in a function; the places are those of the branches to it.
  void check_computed_jumps(const llvm::BasicBlock& jump) {
    for (const llvm::BasicBlock* from : llvm::predecessors(&jump))
      report(*from->getTerminator(), "a jump to a label that is computed: use a switch");
  }

  void check_assembly(const llvm::CallBase& call) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    for (const auto& operand : assembly->ParseConstraints())
      if (llvm::is_contained(operand.Codes, "m"))
        return report(call,
                      "an operand of inline assembly in memory (\"m\"): use a register (\"a\", "
                      "\"b\", \"s\", \"S\", \"d\" or \"D\")");
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
  static constexpr const char* kVectors =
      "vectors of other elements than 32-bit integers: use an array, or u32x2 to u32x8 for bursts";
  static constexpr const char* kMemories =
      "a cast between pointers to different memories: an address means another place there. Cast "
      "to "
      "u32 first if that is meant";
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
