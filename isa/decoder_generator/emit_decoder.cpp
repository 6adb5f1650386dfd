#include <map>
#include <set>

#include "isa/decoder_generator/code_sets.h"
#include "isa/decoder_generator/emitters.h"
#include "isa/decoder_generator/instruction_record.h"
#include "llvm/Support/Format.h"

namespace nplab::isa::generator {
namespace {

// One function that tells whether an operand code is in a class, for every register class in use.
// The difference of unsigned numbers wraps, so one comparison checks both ends of a range.
void emit_code_sets(llvm::raw_ostream& out, const llvm::RecordKeeper& records,
                    const std::set<std::string>& classes) {
  const auto code_sets = read_code_sets(records);
  for (const std::string& name : classes) {
    out << "bool is_" << name << "(unsigned code) {\n  return ";
    const char* separator = "";
    for (const CodeRange& range : code_sets.at(name)) {
      out << separator << "code - " << range.first << " <= " << range.last - range.first;
      separator = " || ";
    }
    out << ";\n}\n";
  }
}

void emit_format(llvm::raw_ostream& out, const InstructionRecord& instruction) {
  out << "void fill_" << instruction.format->getName()
      << "([[maybe_unused]] Instruction& instruction, "
      << "[[maybe_unused]] std::uint64_t word) {\n";
  for (const FieldRecord& field : instruction.fields) {
    const std::uint64_t mask = (std::uint64_t{1} << (field.high - field.low + 1)) - 1;
    out << "  instruction." << field.name << " = static_cast<decltype(instruction." << field.name
        << ")>((word >> " << field.low << " & " << llvm::format_hex(mask, 3) << ")";
    if (field.bias != 0)
      out << " + " << field.bias;
    out << ");\n";
  }
  out << "}\n";
}

// The function that says which numbers stand for the operand; nothing for an operand that has all
// the numbers of its field. Operands with names have a function of isa/operand_rules.h.
std::string check_of(const OperandRecord& operand) {
  if (operand.is_tied || operand.bits == 0)
    return {};
  if (operand.is_register || operand.kind->isSubClassOf("NamedOperand"))
    return "is_" + operand.kind->getName().str();
  if (operand.kind->isSubClassOf("FieldImmediate")) {
    const auto width = operand.kind->getValueAsInt("Width");
    if (width < operand.bits)
      return "fits<" + std::to_string(width) + ">";
  }
  return {};
}

void emit_encoding(llvm::raw_ostream& out, const InstructionRecord& instruction) {
  out << "    {" << llvm::format_hex(instruction.mask, 18) << ", "
      << llvm::format_hex(instruction.value, 18)
      << ", Operation::" << enumerator(instruction.semantics) << ", AbortClass::"
      << enumerator(instruction.record->getValueAsDef("Aborts")->getValueAsString("Name"))
      << ", Unit::"
      << enumerator(instruction.record->getValueAsDef("CompletesIn")->getValueAsString("Name"))
      << ", fill_" << instruction.format->getName() << ", {";
  for (const OperandRecord& operand : instruction.operands)
    if (const std::string check = check_of(operand); !check.empty())
      out << "{" << operand.low_bit << ", " << ((1 << operand.bits) - 1) << ", " << check << "}, ";
  out << "}},  // " << instruction.name << "\n";
}

// kFirstEncoding[n]: where the encodings with bits 63..58 = n begin.
void emit_first_encodings(llvm::raw_ostream& out,
                          const std::vector<InstructionRecord>& instructions) {
  out << "constexpr std::uint16_t kFirstEncoding[65] = {";
  std::size_t next = 0;
  for (std::uint64_t operation = 0; operation <= 64; ++operation) {
    while (next < instructions.size() && instructions[next].value >> 58 < operation)
      ++next;
    out << next << ", ";
  }
  out << "};\n";
}

}  // namespace

void emit_decoder(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// Generated from isa/description by isa/decoder_generator.\n";
  const std::vector<InstructionRecord> instructions = read_instructions(records);
  std::set<std::string> classes;
  std::map<std::string, const InstructionRecord*> formats;
  for (const InstructionRecord& instruction : instructions) {
    formats.emplace(instruction.format->getName().str(), &instruction);
    for (const OperandRecord& operand : instruction.operands)
      if (operand.is_register)
        classes.insert(operand.kind->getName().str());
  }
  emit_code_sets(out, records, classes);
  for (const auto& [name, instruction] : formats)
    emit_format(out, *instruction);
  out << "constexpr Encoding kEncodings[] = {\n";
  for (const InstructionRecord& instruction : instructions)
    emit_encoding(out, instruction);
  out << "};\n";
  emit_first_encodings(out, instructions);
}

}  // namespace nplab::isa::generator
