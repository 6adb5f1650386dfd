#include "isa/mc/instruction_syntax.h"

#include <cassert>

#include "isa/mc/microengine_mc.h"

namespace nplab::isa {
namespace {

namespace Microengine = llvm::Microengine;
#include "isa/assembly_syntax.gen.inc"

}  // namespace

std::span<const InstructionSyntax> instruction_syntaxes() {
  return kInstructionSyntaxes;
}

const InstructionSyntax& syntax_of(unsigned opcode) {
  for (const InstructionSyntax& syntax : kInstructionSyntaxes)
    if (syntax.opcode == opcode)
      return syntax;
  assert(false && "a pseudo instruction has no assembly syntax");
  return kInstructionSyntaxes[0];
}

}  // namespace nplab::isa
