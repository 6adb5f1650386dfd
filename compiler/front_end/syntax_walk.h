// A walk over a C program's syntax tree. Clang's RecursiveASTVisitor is a template of some 60 KB
// of code for each class that uses it; here it is compiled once, and calls virtual functions.
#ifndef NPLAB_COMPILER_FRONT_END_SYNTAX_WALK_H
#define NPLAB_COMPILER_FRONT_END_SYNTAX_WALK_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"

namespace nplab::compiler {

// Sees every node once, parents before children, except declarations that nobody wrote.
class SyntaxWalk {
 public:
  SyntaxWalk() = default;
  SyntaxWalk(const SyntaxWalk&) = delete;
  SyntaxWalk& operator=(const SyntaxWalk&) = delete;
  virtual ~SyntaxWalk() = default;

  void over(const clang::Decl& declaration);
  void over(const clang::Stmt& statement);

  virtual void see(const clang::Decl&) {}
  virtual void see(const clang::Stmt&) {}
  virtual void see(clang::TypeLoc) {}
};

}  // namespace nplab::compiler

#endif  // NPLAB_COMPILER_FRONT_END_SYNTAX_WALK_H
