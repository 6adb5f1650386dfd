#include "compiler/transforms/ChooseCalls.h"

#include <map>
#include <set>

#include "compiler/backend/MicroengineCalledFunctions.h"
#include "compiler/backend/MicroengineWaits.h"
#include "compiler/options/atomic_marks.h"
#include "compiler/transforms/ExpandArithmetic.h"
#include "compiler/transforms/TieSignals.h"
#include "isa/program_image.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace nplab::compiler {
namespace {

constexpr unsigned kRegisterBits = 32;

// The longwords of registers that pass a value of the type; nothing for what they do not pass.
std::optional<unsigned> longwords_of(const Type* type) {
  if (type->isVoidTy())
    return 0;
  if (type->isPointerTy())
    return 1;
  if (type->isIntegerTy())
    return divideCeil(type->getIntegerBitWidth(), kRegisterBits);
  const auto* structure = dyn_cast<StructType>(type);
  if (!structure)
    return std::nullopt;
  unsigned sum = 0;
  for (const Type* element : structure->elements()) {
    const auto longwords = longwords_of(element);
    if (!longwords)
      return std::nullopt;
    sum += *longwords;
  }
  return sum;
}

bool registers_pass_all(const Function& function) {
  if (function.isVarArg())
    return false;
  const auto result = longwords_of(function.getReturnType());
  unsigned arguments = 0;
  for (const Argument& argument : function.args()) {
    const auto longwords = longwords_of(argument.getType());
    if (!longwords || argument.hasByValAttr())
      return false;
    arguments += *longwords;
  }
  return result && *result <= MicroengineResultLongwords &&
         arguments <= MicroengineArgumentLongwords;
}

bool is_runtime(const Function& function) {
  return function.getName().starts_with(kRuntimePrefix);
}

bool is_program(const Function& function) {
  return function.getName() == "main";
}

template <typename Visit>
void for_each_callee(const Function& function, Visit visit) {
  for (const Instruction& instruction : instructions(function)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration())
      visit(*callee);
  }
}

// What holds from one place of the program to another: code in between has to stay there. Assembly
// may do anything.
bool begins_or_ends_section(const CallBase& call) {
  using Kind = isa::Annotation::Kind;
  if (call.isInlineAsm())
    return true;
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->getName() != "__me_annotate")
    return false;
  const auto* kind = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!kind || kind->getZExtValue() >= kAtomicBegin)
    return true;
  return is_contained({Kind::kPollBegin, Kind::kPollEnd, Kind::kBlockedBegin},
                      static_cast<Kind>(kind->getZExtValue()));
}

bool has_section(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call && begins_or_ends_section(*call);
  });
}

// Functions with sections, those that wait (microengine.h, __waits_for_work), and all that these
// call.
std::set<const Function*> functions_in_sections(const Module& module) {
  std::set<const DISubprogram*> waiting;
  if (const NamedMDNode* waits = module.getNamedMetadata(kWaitsMetadata))
    for (const MDNode* wait : waits->operands())
      waiting.insert(cast<DISubprogram>(wait->getOperand(0)));
  std::set<const Function*> found;
  SmallVector<const Function*, 16> ahead;
  for (const Function& function : module)
    if (!function.isDeclaration() &&
        (has_section(function) || waiting.contains(function.getSubprogram())))
      ahead.push_back(&function);
  while (!ahead.empty()) {
    const Function* function = ahead.pop_back_val();
    if (!found.insert(function).second)
      continue;
    for_each_callee(*function, [&](const Function& callee) { ahead.push_back(&callee); });
  }
  return found;
}

unsigned height_of(const Function& function, std::map<const Function*, unsigned>& heights) {
  if (const auto known = heights.find(&function); known != heights.end())
    return known->second;
  unsigned height = 0;
  for_each_callee(function, [&](const Function& callee) {
    height = std::max(height, 1 + height_of(callee, heights));
  });
  return heights[&function] = height;
}

void inline_always(Function& function) {
  function.removeFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::AlwaysInline);
}

// How many places of the program call a function; the runtime has functions that it does not use.
std::map<const Function*, unsigned> calls_of_program(const Module& module) {
  std::map<const Function*, unsigned> calls;
  SmallVector<const Function*, 16> ahead{module.getFunction("main")};
  while (!ahead.empty()) {
    for_each_callee(*ahead.pop_back_val(), [&](const Function& callee) {
      if (++calls[&callee] == 1)
        ahead.push_back(&callee);
    });
  }
  return calls;
}

}  // namespace

void mark_for_inlining(Module& module, Inlining inlining) {
  const bool may_call = inlining != Inlining::kEverything && !has_started_references(module);
  const auto in_sections = may_call ? functions_in_sections(module) : std::set<const Function*>();
  for (Function& function : module) {
    const bool refuses = function.hasFnAttribute(Attribute::NoInline);
    const bool demands = function.hasFnAttribute(Attribute::AlwaysInline);
    for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::OptimizeNone,
                                     Attribute::AlwaysInline, Attribute::InlineHint})
      function.removeFnAttr(kind);
    if (function.isDeclaration() || is_program(function))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    if (is_runtime(function))
      continue;
    const bool is_callable =
        may_call && registers_pass_all(function) && !in_sections.contains(&function);
    if (!is_callable || demands || (inlining == Inlining::kUnlessRefused && !refuses))
      function.addFnAttr(Attribute::AlwaysInline);
    else if (refuses)
      function.addFnAttr(Attribute::NoInline);
  }
}

void release_runtime(Module& module, Inlining inlining) {
  const auto calls = calls_of_program(module);
  for (Function& function : module) {
    if (function.isDeclaration() || is_program(function) ||
        (!is_runtime(function) && !function.hasFnAttribute(Attribute::AlwaysInline)))
      continue;
    const auto called = calls.find(&function);
    const bool is_called = is_runtime(function) && inlining == Inlining::kBySize &&
                           called != calls.end() && called->second >= 2;
    function.addFnAttr(is_called ? Attribute::NoInline : Attribute::AlwaysInline);
  }
}

void inline_what_cannot_be_called(Module& module) {
  std::map<const Function*, unsigned> heights;
  for (Function& function : module) {
    if (function.isDeclaration() || is_program(function))
      continue;
    if (!registers_pass_all(function) || height_of(function, heights) >= MicroengineHeights)
      inline_always(function);
  }
}

bool number_called_functions(Module& module) {
  std::map<const Function*, unsigned> heights;
  bool has_any = false;
  for (Function& function : module) {
    if (function.isDeclaration() || is_program(function) || !registers_pass_all(function))
      continue;
    const unsigned height = height_of(function, heights);
    function.addFnAttr(MicroengineHeightAttribute, std::to_string(height));
    has_any = true;
  }
  return has_any;
}

}  // namespace nplab::compiler
