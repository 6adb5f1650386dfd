#include "compiler/front_end/syntax_walk.h"

// GCC 12 takes a pointer of Clang's own to be null where the visitor is inlined into itself.
#pragma GCC diagnostic ignored "-Wnonnull"
#include "clang/AST/RecursiveASTVisitor.h"

namespace nplab::compiler {
namespace {

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(SyntaxWalk& walk) : walk_(walk) {}

  bool VisitDecl(const clang::Decl* declaration) {
    walk_.see(*declaration);
    return true;
  }
  bool VisitStmt(const clang::Stmt* statement) {
    walk_.see(*statement);
    return true;
  }
  bool VisitTypeLoc(clang::TypeLoc type) {
    walk_.see(type);
    return true;
  }

 private:
  SyntaxWalk& walk_;
};

}  // namespace

void SyntaxWalk::over(const clang::Decl& declaration) {
  Visitor(*this).TraverseDecl(const_cast<clang::Decl*>(&declaration));
}

void SyntaxWalk::over(const clang::Stmt& statement) {
  Visitor(*this).TraverseStmt(const_cast<clang::Stmt*>(&statement));
}

}  // namespace nplab::compiler
