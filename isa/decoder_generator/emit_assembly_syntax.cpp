#include "isa/decoder_generator/assembly_string.h"
#include "isa/decoder_generator/emitters.h"

namespace nplab::isa::generator {
namespace {

std::size_t index_of(const InstructionRecord& instruction, const OperandRecord* operand) {
  return static_cast<std::size_t>(operand - instruction.operands.data());
}

// kind and parameter: register class, width of an immediate, or nothing.
void emit_kind(llvm::raw_ostream& out, const llvm::Record* kind) {
  if (kind->isSubClassOf("RegisterClass"))
    out << "ArgumentKind::kRegister, Microengine::" << kind->getName() << "RegClassID";
  else if (kind->isSubClassOf("FieldImmediate"))
    out << "ArgumentKind::kImmediate, " << kind->getValueAsInt("Width");
  else
    out << "ArgumentKind::" << enumerator(kind->getName()) << ", 0";
}

void emit_argument(llvm::raw_ostream& out, const InstructionRecord& instruction,
                   const Argument& argument) {
  out << "{\"" << argument.text << "\", ";
  if (argument.operand) {
    emit_kind(out, argument.operand->kind);
    out << ", " << index_of(instruction, argument.operand);
  } else {
    out << "ArgumentKind::kLiteral, 0, 0";
  }
  out << ", " << (argument.is_optional ? "Presence::kOptional" : "Presence::kRequired") << "}, ";
}

// Bits of the tokens operand that reach the word: the tokens that the instruction takes.
unsigned allowed_tokens(const InstructionRecord& instruction, const OperandRecord* tokens) {
  unsigned allowed = 0;
  const llvm::BitsInit* word = instruction.record->getValueAsBitsInit("Inst");
  for (unsigned bit = 0; bit != word->getNumBits(); ++bit) {
    const auto* variable = llvm::dyn_cast<llvm::VarBitInit>(word->getBit(bit));
    if (variable && variable->getBitVar()->getAsUnquotedString() == tokens->name)
      allowed |= 1u << variable->getBitNum();
  }
  // A single-bit operand is referenced whole, not bit by bit.
  return allowed == 0 ? 1u : allowed;
}

void emit_tokens(llvm::raw_ostream& out, const InstructionRecord& instruction,
                 const OperandRecord* tokens) {
  if (!tokens) {
    out << "TokensKind::kNone, 0, 0";
    return;
  }
  out << "TokensKind::" << enumerator(tokens->kind->getName()) << ", "
      << index_of(instruction, tokens) << ", " << allowed_tokens(instruction, tokens);
}

void emit_instruction(llvm::raw_ostream& out, const InstructionRecord& instruction) {
  const AssemblyString assembly = take_apart(instruction);
  bool ties_destination = false;
  for (const OperandRecord& operand : instruction.operands)
    ties_destination |= operand.is_tied;
  out << "    {\"" << assembly.mnemonic << "\", Microengine::" << instruction.name << ", "
      << assembly.arguments.size() << ", {";
  for (const Argument& argument : assembly.arguments)
    emit_argument(out, instruction, argument);
  out << "}, ";
  emit_tokens(out, instruction, assembly.tokens);
  out << ", AbortClass::"
      << enumerator(instruction.record->getValueAsDef("Aborts")->getValueAsString("Name")) << ", "
      << instruction.operands.size() << ", "
      << (ties_destination ? "Destination::kKept" : "Destination::kReplaced") << "},\n";
}

}  // namespace

void emit_assembly_syntax(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// Generated from isa/description by isa/decoder_generator.\n"
      << "constexpr InstructionSyntax kInstructionSyntaxes[] = {\n";
  for (const InstructionRecord& instruction : read_instructions(records))
    emit_instruction(out, instruction);
  out << "};\n";
}

}  // namespace nplab::isa::generator
