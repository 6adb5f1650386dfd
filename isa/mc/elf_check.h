// Whether an ELF file hangs together.
#pragma once

#include "llvm/Object/ELFObjectFile.h"

namespace nplab::isa {

// Follows every reference inside the file (names, sections of symbols, symbols of relocations).
// LLVM's object reader ends the program on references that lead nowhere, so this comes before it.
llvm::Error check_elf(const llvm::object::ELFFile<llvm::object::ELF32BE>& file);

}  // namespace nplab::isa
