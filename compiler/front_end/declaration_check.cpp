#include "compiler/front_end/declaration_check.h"

#include <algorithm>
#include <cctype>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "compiler/backend/Microengine.h"
#include "compiler/front_end/syntax_walk.h"
#include "compiler/transforms/CheckProgram.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace nplab::compiler {
namespace {

constexpr const char* kSections =
    "a section: the memory of a variable is chosen by __sram, __scratch or __sdram, and functions "
    "are part of main";
constexpr const char* kRunsByItself =
    "a function that runs before or after main: call it from main";
constexpr const char* kOwnCalls =
    "a function whose calls are special (naked, ifunc, interrupt): functions are inlined; write it "
    "without the attribute";

// Names of our own intrinsics and of the code generator's would be taken for what they name.
bool is_plain_name(llvm::StringRef name) {
  const auto is_letter = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
  };
  return !name.empty() && llvm::all_of(name, is_letter) &&
         !std::isdigit(static_cast<unsigned char>(name[0])) && !name.starts_with("__me_") &&
         name != "main";
}

class DeclarationCheck : public SyntaxWalk {
 public:
  DeclarationCheck(const clang::ASTContext& context, const SourceReport& report)
      : context_(context), report_(report) {}

  void see(const clang::Decl& declaration) override {
    if (const auto* assembly = llvm::dyn_cast<clang::FileScopeAsmDecl>(&declaration))
      report_(assembly->getAsmLoc(),
              "inline assembly outside of a function: write it in a function");
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration))
      check_variable(*variable);
    else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      check_function(*function);
  }
  void see(clang::TypeLoc type) override {
    const clang::LangAS space = type.getType().getAddressSpace();
    if (clang::isTargetAddressSpace(space) &&
        clang::toTargetAddressSpace(space) > llvm::MicroengineAddressSpace::kShared)
      report_(type.getBeginLoc(), "a memory of number " +
                                      std::to_string(clang::toTargetAddressSpace(space)) +
                                      ": write __sram, __scratch, __sdram or __shared");
  }
  // Of atomics. Clang would call a function of a library, with the address cast to no memory at
  // all.
  void see(const clang::Stmt& statement) override {
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&statement)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        check_atomic(*cast->getSubExpr());
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
      if (binary->isAssignmentOp())
        check_atomic(*binary->getLHS());
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
      if (unary->isIncrementDecrementOp())
        check_atomic(*unary->getSubExpr());
    } else if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(&statement)) {
      check_atomic_type(atomic->getPtr()->getType()->getPointeeType(), atomic->getBeginLoc());
    }
  }

 private:
  void check_variable(const clang::VarDecl& variable) {
    if (variable.getStorageClass() == clang::SC_Register && variable.hasGlobalStorage())
      report_(variable.getLocation(),
              "a global variable in a register of its own: declare it __shared, or without "
              "`register`");
    else
      check_attributes(variable);
  }
  void check_function(const clang::FunctionDecl& function) {
    check_attributes(function);
    if (function.hasAttr<clang::ConstructorAttr>() || function.hasAttr<clang::DestructorAttr>())
      report_(function.getLocation(), kRunsByItself);
    if (function.hasAttr<clang::NakedAttr>() || function.hasAttr<clang::IFuncAttr>() ||
        function.hasAttr<clang::AnyX86InterruptAttr>())
      report_(function.getLocation(), kOwnCalls);
    if (function.hasAttr<clang::AliasAttr>())
      report_(function.getLocation(), "another name for a function: call it by its own name");
  }
  void check_atomic(const clang::Expr& place) {
    check_atomic_type(place.getType(), place.getBeginLoc());
  }
  void check_atomic_type(clang::QualType type, clang::SourceLocation location) {
    const auto* atomic = type.isNull() ? nullptr : type->getAs<clang::AtomicType>();
    constexpr std::int64_t kLongword = 4;
    if (atomic && clang::isTargetAddressSpace(type.getAddressSpace()) &&
        context_.getTypeSizeInChars(type).getQuantity() > kLongword)
      report_(location, kAtomicsRefused);
  }
  void check_attributes(const clang::Decl& declaration) {
    if (declaration.hasAttr<clang::SectionAttr>() &&
        !declaration.getAttr<clang::SectionAttr>()->isImplicit())
      report_(declaration.getLocation(), kSections);
    const auto* label = declaration.getAttr<clang::AsmLabelAttr>();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    const bool is_register = variable && !variable->hasGlobalStorage();
    if (label && !is_register && !is_plain_name(label->getLabel()))
      report_(declaration.getLocation(),
              "the name '" + label->getLabel().str() +
                  "' for the assembler: use letters, digits and _, and no name of the compiler's");
  }

  const clang::ASTContext& context_;
  const SourceReport& report_;
};

std::string name_in_object(const clang::NamedDecl& declaration) {
  if (const auto* label = declaration.getAttr<clang::AsmLabelAttr>())
    return label->getLabel().str();
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration.getDeclContext());
  return (function ? function->getNameAsString() + "." : "") + declaration.getNameAsString();
}

class DeclaredPlaceFinder : public SyntaxWalk {
 public:
  DeclaredPlaceFinder(const clang::SourceManager& sources, DeclaredPlaces& places)
      : sources_(sources), places_(places) {}

  void see(const clang::Decl& declaration) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      note(*function, function->isThisDeclarationADefinition());
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
             variable && variable->hasGlobalStorage())
      note(*variable, variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly);
  }

 private:
  void note(const clang::NamedDecl& declaration, bool is_definition) {
    const clang::PresumedLoc place = sources_.getPresumedLoc(declaration.getLocation());
    if (place.isInvalid())
      return;
    const SourceLocation location{place.getFilename(), static_cast<int>(place.getLine()),
                                  static_cast<int>(place.getColumn())};
    const auto [known, is_new] = places_.try_emplace(name_in_object(declaration), location);
    if (!is_new && is_definition)
      known->second = location;
  }

  const clang::SourceManager& sources_;
  DeclaredPlaces& places_;
};

}  // namespace

void check_declarations(clang::ASTContext& context, const SourceReport& report) {
  DeclarationCheck(context, report).over(*context.getTranslationUnitDecl());
}

DeclaredPlaces declared_places(clang::ASTContext& context) {
  DeclaredPlaces places;
  DeclaredPlaceFinder(context.getSourceManager(), places).over(*context.getTranslationUnitDecl());
  return places;
}

void attach_facts(llvm::Module& module, const DeclaredFacts& facts) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  const auto constant = [&](int value) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(number, static_cast<std::uint64_t>(value)));
  };
  for (llvm::GlobalObject& object : module.global_objects())
    if (const auto found = facts.places.find(object.getName().str()); found != facts.places.end()) {
      const SourceLocation& place = found->second;
      object.setMetadata(
          kPlaceMetadata,
          llvm::MDNode::get(context, {llvm::MDString::get(context, place.file),
                                      constant(place.line), constant(place.column)}));
    }
  for (const std::string& name : facts.may_spill)
    if (llvm::Function* function = module.getFunction(name))
      function->addFnAttr(kMaySpillAttribute);
}

}  // namespace nplab::compiler
