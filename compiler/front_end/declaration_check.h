// Declarations that Clang accepts and the engine has no place for, and where each function and
// variable is declared.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compiler/front_end/source_report.h"
#include "support/diagnostics.h"

namespace llvm {
class Module;
}

namespace nplab::compiler {

// Calls `report` with the place and the reason, in words of C, for each: assembly and registers at
// file level, sections, names given to the assembler, functions that run before or after main,
// functions without entry code, and memories that do not exist.
void check_declarations(clang::ASTContext& context, const SourceReport& report);

// Where functions and variables are declared, by their names in the object; a definition comes
// first. The local static variables of a function have its name in front: "f.x".
using DeclaredPlaces = std::map<std::string, SourceLocation>;
DeclaredPlaces declared_places(clang::ASTContext& context);

// What the declarations say that IR has no place for.
struct DeclaredFacts {
  DeclaredPlaces places;
  std::set<std::string> may_spill;  // functions that are declared __may_spill
};

// Keeps the facts with the module's functions and variables (CheckProgram.h).
void attach_facts(llvm::Module& module, const DeclaredFacts& facts);

}  // namespace nplab::compiler
