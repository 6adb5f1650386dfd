// What the generator can write. Each emitter returns nothing and ends the program at a record that
// is wrong.
#pragma once

#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Record.h"

namespace nplab::isa::generator {

// isa/operations.gen.h: the enumerations of operations, units, tokens, events, states and
// registers, with their names.
void emit_operations(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

// isa/decoder.gen.inc: the tables behind decode().
void emit_decoder(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

// isa/assembly_syntax.gen.inc: mnemonic and operands of every instruction, for the assembler.
void emit_assembly_syntax(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

// isa/alu_functions.gen.inc: what the functions of alu and alu_shf compute, for the engine.
void emit_alu_functions(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

// isa/reference_traits.gen.h: what the operands of references can be, for indirect references.
void emit_reference_traits(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

// docs/isa.md: the reference page.
void emit_reference(llvm::raw_ostream& out, const llvm::RecordKeeper& records);

}  // namespace nplab::isa::generator
