#include "isa/decoder_generator/instruction_record.h"

#include <algorithm>
#include <cctype>

#include "llvm/TableGen/Error.h"

namespace nplab::isa::generator {
namespace {

using llvm::Record;
using llvm::StringRef;

// The word's fixed bits, and where the lowest bit of each operand stands.
void read_encoding(InstructionRecord& instruction) {
  const llvm::BitsInit* word = instruction.record->getValueAsBitsInit("Inst");
  for (unsigned bit = 0; bit != word->getNumBits(); ++bit) {
    if (const auto* fixed = llvm::dyn_cast<llvm::BitInit>(word->getBit(bit))) {
      instruction.mask |= std::uint64_t{1} << bit;
      instruction.value |= std::uint64_t{fixed->getValue()} << bit;
      continue;
    }
    const auto* variable = llvm::dyn_cast<llvm::VarBitInit>(word->getBit(bit));
    if (!variable)
      llvm::PrintFatalError(instruction.record->getLoc(), "a bit of the encoding is not set");
    const std::string name = variable->getBitVar()->getAsUnquotedString();
    for (OperandRecord& operand : instruction.operands) {
      if (operand.name != name)
        continue;
      ++operand.bits;
      if (variable->getBitNum() == 0)
        operand.low_bit = static_cast<int>(bit);
    }
  }
}

void read_operands(InstructionRecord& instruction, StringRef list, StringRef tied_name) {
  const llvm::DagInit* dag = instruction.record->getValueAsDag(list);
  for (unsigned i = 0; i != dag->getNumArgs(); ++i) {
    OperandRecord operand;
    operand.name = dag->getArgNameStr(i).str();
    operand.kind = llvm::cast<llvm::DefInit>(dag->getArg(i))->getDef();
    operand.is_register = operand.kind->isSubClassOf("RegisterClass");
    operand.is_tied = operand.name == tied_name;
    instruction.operands.push_back(operand);
  }
}

void read_fields(InstructionRecord& instruction) {
  instruction.format = instruction.record->getValueAsDef("Fields");
  for (const Record* field : instruction.format->getValueAsListOfDefs("Fields")) {
    instruction.fields.push_back({field->getValueAsString("Name").str(),
                                  static_cast<int>(field->getValueAsInt("High")),
                                  static_cast<int>(field->getValueAsInt("Low")),
                                  static_cast<int>(field->getValueAsInt("Bias"))});
  }
}

ControlFlow control_flow_of(const Record* record) {
  if (record->getValueAsBit("isReturn") || record->getValueAsBit("isIndirectBranch"))
    return ControlFlow::kComputed;
  if (!record->getValueAsBit("isBranch"))
    return ControlFlow::kNext;
  return record->getValueAsBit("isBarrier") ? ControlFlow::kBranch
                                            : ControlFlow::kConditionalBranch;
}

bool names_target(const InstructionRecord& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const OperandRecord& operand) {
                       return operand.kind->getName().starts_with("control_store_address");
                     });
}

// operation (63..58), then function (24..20): the order of the reference page and of the
// operations' numbers.
std::uint64_t sort_key(const InstructionRecord& instruction) {
  return (instruction.value >> 58) << 5 | (instruction.value >> 20 & 31);
}

InstructionRecord read_instruction(const Record* record) {
  InstructionRecord instruction;
  instruction.record = record;
  instruction.name = record->getName().str();
  instruction.semantics = record->getValueAsString("Semantics").str();
  instruction.assembly = record->getValueAsString("AsmString").str();
  if (instruction.semantics.empty())
    llvm::PrintFatalError(record->getLoc(), "an instruction needs Semantics");
  // The only constraints in use are of the form "$kept = $dst".
  const auto [tied, rest] = record->getValueAsString("Constraints").split('=');
  read_operands(instruction, "OutOperandList", "");
  read_operands(instruction, "InOperandList", tied.trim().ltrim('$'));
  read_encoding(instruction);
  read_fields(instruction);
  instruction.flow = control_flow_of(record);
  instruction.names_target = names_target(instruction);
  return instruction;
}

}  // namespace

std::vector<InstructionRecord> read_instructions(const llvm::RecordKeeper& records) {
  std::vector<InstructionRecord> instructions;
  for (const Record* record : records.getAllDerivedDefinitions("MicroengineInstruction"))
    if (!record->getValueAsBit("isPseudo"))
      instructions.push_back(read_instruction(record));
  std::stable_sort(instructions.begin(), instructions.end(),
                   [](const auto& x, const auto& y) { return sort_key(x) < sort_key(y); });
  return instructions;
}

std::string enumerator(StringRef snake_case) {
  std::string name = "k";
  bool starts_word = true;
  for (const char c : snake_case) {
    if (c == '_') {
      starts_word = true;
      continue;
    }
    name += starts_word ? static_cast<char>(std::toupper(c)) : c;
    starts_word = false;
  }
  return name;
}

}  // namespace nplab::isa::generator
