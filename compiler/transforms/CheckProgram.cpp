#include "compiler/transforms/CheckProgram.h"

#include <algorithm>
#include <set>

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineIntrinsics.h"
#include "compiler/transforms/CheckBuiltins.h"
#include "compiler/transforms/ResolveTargets.h"
#include "isa/mc/target_streamer.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
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
    for (const llvm::GlobalVariable& variable : module_.globals())
      if (variable.isDeclaration())
        check_undefined(variable, variable.getName());
    for (const llvm::Function& function : module_)
      if (!function.isIntrinsic())
        check_address_of(function);
    check_recursion();
  }

 private:
  void report(const llvm::DebugLoc& place, const llvm::Function& function, std::string message) {
    report_at(location_of(place, function), message);
  }
  void report_at(SourceLocation location, const std::string& message) {
    if (reported_.insert({location.file, location.line, message}).second)
      diagnostics_.error(std::move(location), "the microengine has no way to do this: " + message);
  }
  void report(const llvm::Instruction& instruction, std::string message) {
    report(instruction.getDebugLoc(), *instruction.getFunction(), std::move(message));
  }

  void check_main() {
    const llvm::Function* main = module_.getFunction("main");
    if (!main || main->isDeclaration())
      diagnostics_.error({file_, 1, 1},
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
    if (const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
        address &&
        address->getType()->getPointerAddressSpace() >= llvm::MicroengineAddressSpace::kShared)
      report(instruction,
             "a __shared variable by its address: it lives in a register; use its name");
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) ||
        llvm::any_of(instruction.operands(), [](const llvm::Value* operand) {
          return llvm::isa<llvm::AddrSpaceCastOperator>(operand);
        }))
      report(instruction, kMemories);
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local && !local->isStaticAlloca())
      report(instruction, "a local whose size is not a constant: give the array a fixed size");
    if (llvm::isa<llvm::VAArgInst>(instruction))
      report(instruction, "variable arguments: pass the values in a struct or an array");
  }

  void check_call(const llvm::CallBase& call) {
    if (call.isInlineAsm())
      return check_assembly(call);
    const llvm::Function* callee = call.getCalledFunction();
    if (const auto* named = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
        named && !callee)
      return report(call, "a call of '" + named->getName().str() +
                              "' with other types than it is defined with: declare the function "
                              "with its parameters, and call it with them");
    if (!callee)
      return report(
          call,
          "a call through a pointer that no function of this type in the program can be meant by: "
          "no address of such a function is taken");
    if (callee->isIntrinsic())
      return check_builtin(call);
    if (call.getFunctionType()->isVarArg() && callee->isDeclaration())
      return report(call, "a call with variable arguments to '" + callee->getName().str() +
                              "': use console_hex or console_char to print");
    if (callee->isDeclaration() && callee->getName().starts_with("__atomic_"))
      return report(call, kAtomicsRefused);
    if (callee->isDeclaration() && !llvm::Microengine::isIntrinsicName(callee->getName()))
      report(call, "a call of '" + callee->getName().str() +
                       "', which is declared but not defined: there is no library to link with");
  }

  void check_builtin(const llvm::CallBase& call) {
    if (auto problem = builtin_problem(call))
      report(call, std::move(*problem));
  }

  // Each instruction that uses the value, directly or by way of constants; the declared place of
  // variables whose initial values do.
  void at_uses(const llvm::User& user, llvm::function_ref<void(const llvm::Instruction&)> use,
               llvm::function_ref<void(const llvm::GlobalVariable&)> initial_value) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&user))
      return use(*instruction);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&user);
        variable && !variable->getName().starts_with("llvm."))
      return initial_value(*variable);
    for (const llvm::User* next : user.users())
      at_uses(*next, use, initial_value);
  }

  void check_undefined(const llvm::GlobalVariable& variable, llvm::StringRef name) {
    const std::string message =
        "the variable '" + name.str() +
        "', which is declared but not defined: there is no library to link with";
    for (const llvm::User* user : variable.users())
      at_uses(
          *user, [&](const llvm::Instruction& instruction) { report(instruction, message); },
          [&](const llvm::GlobalVariable& other) {
            report_at(declared_at(other, file_), message);
          });
  }

  // Those of the program's functions are numbers by now (ResolveTargets.h).
  void check_address_of(const llvm::Function& function) {
    const std::string message =
        "the address of the function '" + function.getName().str() +
        (function.isDeclaration()
             ? "', which is declared but not defined: there is no library to link with"
             : "': threads start there, and nothing calls it");
    for (const llvm::Use& use : function.uses()) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call && call->isCallee(&use))
        continue;
      at_uses(
          *use.getUser(),
          [&](const llvm::Instruction& instruction) { report(instruction, message); },
          [&](const llvm::GlobalVariable& other) {
            report_at(declared_at(other, file_), message);
          });
    }
  }

  // The type of the value that the instruction computes, reads or writes.
  static const llvm::Type* type_of_value(const llvm::Instruction& instruction) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getValueOperand()->getType();
    return instruction.getType();
  }

  // Directives would change what follows the assembly, or count as words that they are not.
  void check_directives(const llvm::CallBase& call, llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef, 8> lines;
    text.split(lines, '\n');
    for (const llvm::StringRef line : lines) {
      const llvm::StringRef name = line.trim().take_until(llvm::isSpace);
      const bool is_annotation =
          llvm::any_of(llvm::kAnnotationDirectives,
                       [&](const llvm::AnnotationDirective& known) { return name == known.name; });
      if (name.starts_with(".") && !name.contains("#:") && !is_annotation)
        return report(call, "the directive '" + name.str() +
                                "' in inline assembly: instructions, labels and annotations stand "
                                "there");
    }
  }

  // What stands in a register of a thread.
  void check_operand_type(const llvm::CallBase& call, const llvm::Type* type) {
    if (is_floating_point(type))
      return report(call, kFloatingPoint);
    const bool is_longword =
        type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 32);
    if (!is_longword && !type->isVoidTy())
      report(call,
             "an operand of inline assembly that is not one longword: pass each longword by "
             "itself");
  }

  void check_assembly(const llvm::CallBase& call) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    for (const auto& operand : assembly->ParseConstraints()) {
      const bool may_be_in_memory = llvm::any_of(operand.Codes, [](const std::string& code) {
        return llvm::is_contained({"m", "o", "V", "p", "<", ">"}, code);
      });
      if (may_be_in_memory || operand.isIndirect)
        return report(call,
                      "an operand of inline assembly in memory (\"m\", \"g\"): use a register "
                      "(\"r\", \"a\", \"b\", \"s\", \"S\", \"d\" or \"D\")");
    }
    check_directives(call, assembly->getAsmString());
    if (const auto* results = llvm::dyn_cast<llvm::StructType>(call.getType()))
      for (const llvm::Type* result : results->elements())
        check_operand_type(call, result);
    else
      check_operand_type(call, call.getType());
    for (const llvm::Value* argument : call.args())
      check_operand_type(call, argument->getType());
  }

  void check_recursion() {
    llvm::CallGraph graph(const_cast<llvm::Module&>(module_));
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
      if (!component.hasCycle())
        continue;
      for (llvm::CallGraphNode* node : *component) {
        if (!node->getFunction() || node->getFunction()->isDeclaration() ||
            selects_callee(*node->getFunction()))
          continue;
        for (const auto& [call, callee] : *node) {
          if (!call || !callee->getFunction() || !llvm::is_contained(*component, callee))
            continue;
          const bool through_pointer = selects_callee(*callee->getFunction());
          report(*llvm::cast<llvm::CallBase>(*call),
                 "recursion: '" + node->getFunction()->getName().str() + "' calls " +
                     (through_pointer ? "through a pointer, which may come back to it"
                                      : "'" + callee->getFunction()->getName().str() +
                                            "', which comes back to it") +
                     "; there is no stack. Use a loop");
        }
      }
    }
  }

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
  const bool is_known = location && location.getLine() != 0;
  const llvm::DISubprogram* whole = function.getSubprogram();
  if (!is_known)
    return declared_at(function, whole ? whole->getFilename().str() : "");
  const auto* scope = llvm::cast<llvm::DIScope>(location->getScope());
  return {scope->getFilename().str(), static_cast<int>(location.getLine()),
          std::max(static_cast<int>(location.getCol()), 1)};
}

SourceLocation declared_at(const llvm::GlobalObject& object, const std::string& file) {
  const llvm::MDNode* place = object.getMetadata(kPlaceMetadata);
  if (!place)
    return {file, 1, 1};
  const auto number = [&](unsigned operand) {
    return static_cast<int>(
        llvm::mdconst::extract<llvm::ConstantInt>(place->getOperand(operand))->getSExtValue());
  };
  return {llvm::cast<llvm::MDString>(place->getOperand(0))->getString().str(), number(1),
          number(2)};
}

void check_program(const llvm::Module& module, const std::string& file, Diagnostics& diagnostics) {
  ProgramCheck(module, file, diagnostics).run();
}

}  // namespace nplab::compiler
