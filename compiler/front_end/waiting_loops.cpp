#include "compiler/front_end/waiting_loops.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "compiler/backend/Microengine.h"

namespace nplab::compiler {
namespace {

bool is_shared(clang::QualType type) {
  const clang::LangAS space = type.getAddressSpace();
  return clang::isTargetAddressSpace(space) &&
         clang::toTargetAddressSpace(space) == llvm::MicroengineAddressSpace::kShared;
}

// What a loop, or its condition, reads and does.
class Effects : public clang::RecursiveASTVisitor<Effects> {
 public:
  static Effects of(const clang::Stmt* statement) {
    Effects effects;
    if (statement)
      effects.TraverseStmt(const_cast<clang::Stmt*>(statement));
    return effects;
  }

  bool VisitDeclRefExpr(const clang::DeclRefExpr* name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (!variable)
      return true;
    if (is_shared(variable->getType()))
      note_shared(variable->getNameAsString());
    else if (variable->hasGlobalStorage() && !is_array(*variable))
      note_memory(variable->getType(), variable->getNameAsString());
    return true;
  }
  bool VisitUnaryOperator(const clang::UnaryOperator* operation) {
    if (operation->getOpcode() == clang::UO_Deref)
      note_memory(operation->getType(), "*");
    acts |= operation->isIncrementDecrementOp();
    return true;
  }
  bool VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* element) {
    if (!is_shared(element->getType()))
      note_memory(element->getType(), "[]");
    return true;
  }
  bool VisitMemberExpr(const clang::MemberExpr* member) {
    if (member->isArrow())
      note_memory(member->getType(), member->getMemberDecl()->getNameAsString());
    is_volatile |= member->getType().isVolatileQualified();
    return true;
  }
  bool VisitBinaryOperator(const clang::BinaryOperator* operation) {
    acts |= operation->isAssignmentOp();
    return true;
  }
  bool VisitCallExpr(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const std::string name = callee ? callee->getNameAsString() : "";
    if (name == "__me_shared_read")
      note_shared("shared_read");
    else if (name != "__me_local_csr_read")
      acts = true;
    return true;
  }
  bool VisitStmt(const clang::Stmt* statement) {
    acts |= llvm::isa<clang::AsmStmt, clang::BreakStmt, clang::GotoStmt, clang::IndirectGotoStmt,
                      clang::ReturnStmt, clang::AtomicExpr>(statement);
    return true;
  }

  bool acts = false;         // writes, calls, jumps: more than reading
  bool is_volatile = false;  // reads something volatile
  bool reads_memory = false;
  std::string memory;  // a plain variable in memory that it reads, empty if none
  std::string shared;  // a __shared variable that it reads, empty if none

 private:
  // An element is what is read then.
  static bool is_array(const clang::VarDecl& variable) { return variable.getType()->isArrayType(); }

  void note_shared(const std::string& name) { shared = name; }
  void note_memory(clang::QualType type, const std::string& name) {
    reads_memory = true;
    is_volatile |= type.isVolatileQualified() || type->isAtomicType();
    if (memory.empty())
      memory = name;
  }
};

class WaitingLoops : public clang::RecursiveASTVisitor<WaitingLoops> {
 public:
  explicit WaitingLoops(const SourceReport& report) : report_(report) {}

  bool VisitWhileStmt(const clang::WhileStmt* loop) {
    check(loop->getCond(), loop->getBody(), nullptr);
    return true;
  }
  bool VisitDoStmt(const clang::DoStmt* loop) {
    check(loop->getCond(), loop->getBody(), nullptr);
    return true;
  }
  bool VisitForStmt(const clang::ForStmt* loop) {
    check(loop->getCond(), loop->getBody(), loop->getInc());
    return true;
  }

 private:
  void check(const clang::Expr* condition, const clang::Stmt* body, const clang::Expr* step) {
    if (!condition)
      return;
    const Effects of_condition = Effects::of(condition), of_body = Effects::of(body),
                  of_step = Effects::of(step);
    if (of_condition.acts || of_body.acts || of_step.acts)
      return;
    const bool reads_memory =
        of_condition.reads_memory || of_body.reads_memory || of_step.reads_memory;
    if (!of_condition.shared.empty() && !reads_memory)
      return report_(condition->getExprLoc(),
                     "no other thread of the engine runs while this loop waits for '" +
                         of_condition.shared + "': yield in it, with ctx_swap()");
    if (!of_condition.memory.empty() && !of_condition.is_volatile && !of_body.is_volatile)
      report_(condition->getExprLoc(),
              "this loop may read '" + of_condition.memory +
                  "' only once, since it is not volatile: declare it volatile to see what "
                  "other threads write");
  }

  const SourceReport& report_;
};

}  // namespace

void find_waiting_loops(clang::ASTContext& context, const SourceReport& report) {
  WaitingLoops(report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace nplab::compiler
