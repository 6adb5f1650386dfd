// Addresses of labels and of functions are numbers, and what goes there is a switch.
#pragma once

#include <string>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace nplab::compiler {

// The whole program is known, so the labels of a function whose address is taken, and the functions
// of a type whose address is taken, are all places that a `goto *` or a call through a pointer of
// that type may mean. They are numbered from 1, each label within its function and the functions
// together; their addresses become these numbers, in initial values too. A `goto *` becomes a
// switch. A call through a pointer becomes one of a function with a switch and a direct call for
// each function; there is one for each type. Calls for which no function fits stay as they are,
// and so do addresses of functions without a definition and of main: CheckProgram refuses them.
//
// Expects: the module as Clang made it. At every level.
void resolve_targets(llvm::Module& module);

// A function that resolve_targets made, which selects and calls one of the program's.
bool selects_callee(const llvm::Function& function);

}  // namespace nplab::compiler
