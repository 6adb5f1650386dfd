// The table of variables and inlined functions of an object: the section .debug_variables, which
// the compiler writes (compiler/backend/MicroengineVariableWriter.h).
//
// It is a sequence of 32-bit numbers: kVariableTableVersion, the size in bytes of the texts that
// end the section, the memory of frames, and then types, variables and global variables, each list
// after its length. A text is its place among the texts, where it ends at a zero. Addresses of code
// are in bytes. MicroengineVariableWriter.cpp and variable_table_reader.cpp have the fields in the
// same order.
#pragma once

#include "isa/mc/linked_object.h"

namespace nplab::isa {

inline constexpr char kVariableSection[] = ".debug_variables";
constexpr std::uint32_t kVariableTableVersion = 1;

// Fills image.variables, for as many words as image.words; leaves it empty without the section.
// Reports tables of other versions and damaged ones.
void read_variable_table(const LinkedObject& object, ProgramImage& image, Diagnostics& diagnostics);

}  // namespace nplab::isa
