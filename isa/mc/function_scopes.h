// Which function and block each control-store word came from, and where functions were inlined: an
// object's section .debug_functions, which the compiler writes
// (compiler/backend/MicroengineFunctionScopes.h).
//
// It is a sequence of 32-bit numbers: kFunctionScopesVersion; the size in bytes of the texts that
// end the section; how many scopes follow, with five numbers each: the function's name (empty: a
// block), the number of the scope that it is in or was inlined into, from 1 (0: none), file and
// line of the call, and the register with the return address; and ranges of code to the end, with
// three numbers each: the addresses where it begins and ends, and its scope's number, from 1. A
// text is its place among the texts, where it ends at a zero.
#pragma once

#include "isa/mc/linked_object.h"

namespace nplab::isa {

inline constexpr char kFunctionScopesSection[] = ".debug_functions";
constexpr std::uint32_t kFunctionScopesVersion = 2;

// Fills image.scopes and image.scope_of (as many as image.words), which has nothing in objects
// without the section. Reports sections of other versions and damaged ones. After the line table.
void read_function_scopes(const LinkedObject& object, ProgramImage& image,
                          Diagnostics& diagnostics);

}  // namespace nplab::isa
