#include "compiler/front_end/waiting_loops.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "compiler/backend/Microengine.h"
#include "compiler/front_end/syntax_walk.h"

namespace nplab::compiler {
namespace {

bool is_shared(clang::QualType type) {
  const clang::LangAS space = type.getAddressSpace();
  return clang::isTargetAddressSpace(space) &&
         clang::toTargetAddressSpace(space) == llvm::MicroengineAddressSpace::kShared;
}

// What a loop, or its condition, reads and does.
class Effects : public SyntaxWalk {
 public:
  explicit Effects(const clang::Stmt* statement) {
    if (statement)
      over(*statement);
  }

  void see(const clang::Stmt& statement) override {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&statement))
      note_name(*name);
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement))
      note_unary(*unary);
    else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement))
      note_element(*element);
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&statement))
      note_member(*member);
    else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement))
      acts |= binary->isAssignmentOp();
    else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement))
      note_call(*call);
    else
      acts |= llvm::isa<clang::AsmStmt, clang::BreakStmt, clang::GotoStmt, clang::IndirectGotoStmt,
                        clang::ReturnStmt, clang::AtomicExpr>(statement);
  }

  bool acts = false;         // writes, calls, jumps: more than reading
  bool is_volatile = false;  // reads something volatile
  bool reads_memory = false;
  std::string memory;  // a plain variable in memory that it reads, empty if none
  std::string shared;  // a __shared variable that it reads, empty if none

 private:
  // An element is what is read then.
  static bool is_array(const clang::VarDecl& variable) { return variable.getType()->isArrayType(); }

  void note_name(const clang::DeclRefExpr& name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name.getDecl());
    if (!variable)
      return;
    if (is_shared(variable->getType()))
      note_shared(variable->getNameAsString());
    else if (variable->hasGlobalStorage() && !is_array(*variable))
      note_memory(variable->getType(), variable->getNameAsString());
  }
  void note_unary(const clang::UnaryOperator& operation) {
    if (operation.getOpcode() == clang::UO_Deref)
      note_memory(operation.getType(), "*");
    acts |= operation.isIncrementDecrementOp();
  }
  void note_element(const clang::ArraySubscriptExpr& element) {
    if (!is_shared(element.getType()))
      note_memory(element.getType(), "[]");
  }
  void note_member(const clang::MemberExpr& member) {
    if (member.isArrow())
      note_memory(member.getType(), member.getMemberDecl()->getNameAsString());
    is_volatile |= member.getType().isVolatileQualified();
  }
  void note_call(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    const std::string name = callee ? callee->getNameAsString() : "";
    if (name == "__me_shared_read")
      note_shared("shared_read");
    else if (name != "__me_local_csr_read")
      acts = true;
  }
  void note_shared(const std::string& name) { shared = name; }
  void note_memory(clang::QualType type, const std::string& name) {
    reads_memory = true;
    is_volatile |= type.isVolatileQualified() || type->isAtomicType();
    if (memory.empty())
      memory = name;
  }
};

class WaitingLoops : public SyntaxWalk {
 public:
  explicit WaitingLoops(const SourceReport& report) : report_(report) {}

  void see(const clang::Stmt& statement) override {
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
      check(loop->getCond(), loop->getBody(), nullptr);
    else if (const auto* at_end = llvm::dyn_cast<clang::DoStmt>(&statement))
      check(at_end->getCond(), at_end->getBody(), nullptr);
    else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&statement))
      check(counted->getCond(), counted->getBody(), counted->getInc());
  }

 private:
  void check(const clang::Expr* condition, const clang::Stmt* body, const clang::Expr* step) {
    if (!condition)
      return;
    const Effects of_condition(condition), of_body(body), of_step(step);
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
  WaitingLoops(report).over(*context.getTranslationUnitDecl());
}

}  // namespace nplab::compiler
