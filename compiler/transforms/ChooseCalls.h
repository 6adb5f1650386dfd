// Which functions are called, and which become part of their callers.
#pragma once

#include "llvm/IR/Module.h"

namespace nplab::compiler {

// kEverything: all. kUnlessRefused: all but those that say `noinline`. kBySize: where that takes
// fewer words; `noinline` and `always_inline` are obeyed.
enum class Inlining { kEverything, kUnlessRefused, kBySize };

// Whoever LLVM's inliner leaves costs fewer words as a call: a call and a return are three words,
// and each argument takes a move. In the inliner's units, of which an instruction is five.
inline constexpr int kInlineThresholdBySize = 0;

// Before optimisation: gives functions the attributes that LLVM's inliners obey. What cannot be
// called becomes part of its callers: functions with more arguments than registers pass, with
// bursts or structures as arguments, and those in a section of the program that polls or is atomic.
// So does everything in a program with references that signal.
void mark_for_inlining(llvm::Module& module, Inlining inlining);

// The same for the routines that operators became calls of, once all their calls are known.
void release_runtime(llvm::Module& module, Inlining inlining);

// At the end: what optimisation made of functions may no longer be callable, and becomes part of
// its callers when LLVM's inliner runs again.
void inline_what_cannot_be_called(llvm::Module& module);

// Last: numbers the functions that are called by their height in the call graph. Whether there are
// any.
bool number_called_functions(llvm::Module& module);

}  // namespace nplab::compiler
