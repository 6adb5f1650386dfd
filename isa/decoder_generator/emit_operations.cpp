#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/decoder_generator/emitters.h"
#include "isa/decoder_generator/instruction_record.h"
#include "llvm/TableGen/Error.h"

namespace nplab::isa::generator {
namespace {

using llvm::Record;
using llvm::StringRef;

struct Enumerator {
  std::string identifier;
  std::string text;  // in assembly language or reports
  std::int64_t number;
};

// kReceiveRequest of CSRReceiveRequest (prefix CSR), kSram of EventSRAM.
std::string identifier_of(StringRef record_name, StringRef prefix) {
  record_name.consume_front(prefix);
  std::string name = "k";
  for (std::size_t i = 0; i < record_name.size(); ++i) {
    const bool inside_acronym = i > 0 && std::isupper(record_name[i - 1]);
    const bool starts_word = i + 1 < record_name.size() && std::islower(record_name[i + 1]);
    name += inside_acronym && !starts_word ? static_cast<char>(std::tolower(record_name[i]))
                                           : record_name[i];
  }
  return name;
}

std::vector<Enumerator> numbered_records(const llvm::RecordKeeper& records, StringRef class_name,
                                         StringRef prefix) {
  std::vector<Enumerator> enumerators;
  for (const Record* record : records.getAllDerivedDefinitions(class_name)) {
    const bool is_bit = record->getValue("Bit") != nullptr;
    const std::int64_t number = record->getValueAsInt(is_bit ? "Bit" : "Number");
    enumerators.push_back({identifier_of(record->getName(), prefix),
                           record->getValueAsString("Name").str(),
                           is_bit ? std::int64_t{1} << number : number});
  }
  std::sort(enumerators.begin(), enumerators.end(),
            [](const auto& x, const auto& y) { return x.number < y.number; });
  return enumerators;
}

// Records whose enumerator is made from their name in reports, not from the record's: abort
// classes and units.
std::vector<Enumerator> records_by_text(const llvm::RecordKeeper& records, StringRef class_name) {
  std::vector<Enumerator> enumerators = numbered_records(records, class_name, "");
  for (Enumerator& e : enumerators)
    e.identifier = enumerator(e.text);
  return enumerators;
}

std::vector<Enumerator> operations(const llvm::RecordKeeper& records) {
  std::vector<Enumerator> enumerators;
  std::set<std::string> seen;
  for (const InstructionRecord& instruction : read_instructions(records)) {
    if (!seen.insert(instruction.semantics).second)
      continue;
    enumerators.push_back({enumerator(instruction.semantics), instruction.semantics,
                           static_cast<std::int64_t>(enumerators.size())});
  }
  return enumerators;
}

void emit_enumeration(llvm::raw_ostream& out, StringRef type, StringRef underlying,
                      const std::vector<Enumerator>& enumerators) {
  out << "enum class " << type << " : " << underlying << " {\n";
  for (const Enumerator& e : enumerators)
    out << "  " << e.identifier << " = " << e.number << ",\n";
  out << "};\ninline constexpr std::array<NamedNumber, " << enumerators.size() << "> k" << type
      << "Names{{\n";
  for (const Enumerator& e : enumerators)
    out << "    {\"" << e.text << "\", " << e.number << "},\n";
  out << "}};\n"
      << "constexpr std::string_view to_string(" << type << " value) {\n"
      << "  return name_of(k" << type << "Names, static_cast<std::uint16_t>(value));\n}\n\n";
}

void emit_maximum_defers(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// How many of the following instructions `defer` can make execute.\n"
      << "constexpr unsigned maximum_defer(AbortClass aborts) {\n  switch (aborts) {\n";
  for (const Record* record : records.getAllDerivedDefinitions("AbortClass"))
    out << "    case AbortClass::" << enumerator(record->getValueAsString("Name")) << ": return "
        << record->getValueAsInt("MaximumDefer") << ";\n";
  out << "  }\n  return 0;\n}\n\n";
}

void emit_completion_events(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// The event by which the unit says that a reference is complete.\n"
      << "constexpr Event completion_event(Unit unit) {\n  switch (unit) {\n";
  for (const Record* record : records.getAllDerivedDefinitions("Unit"))
    out << "    case Unit::" << enumerator(record->getValueAsString("Name")) << ": return Event::"
        << identifier_of(record->getValueAsDef("CompletionEvent")->getName(), "Event") << ";\n";
  out << "  }\n  return Event::kFbi;\n}\n\n";
}

StringRef enumerator_of(ControlFlow flow) {
  switch (flow) {
    case ControlFlow::kNext: return "kNext";
    case ControlFlow::kBranch: return "kBranch";
    case ControlFlow::kConditionalBranch: return "kConditionalBranch";
    case ControlFlow::kComputed: return "kComputed";
  }
  return "";
}

constexpr const char* kTraitsDeclaration = R"(// Where a program continues after an instruction.
enum class ControlFlow : std::uint8_t {
  kNext,               // at the next word
  kBranch,             // at the target in the word
  kConditionalBranch,  // at either
  kComputed,           // at an address from a register
};

// What all operand forms of an operation have in common.
struct OperationTraits {
  ControlFlow flow;
  bool names_target;  // the word holds a control-store address
};

)";

// The forms of one operation must agree.
void emit_traits(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  std::map<std::string, const InstructionRecord*> seen;
  const std::vector<InstructionRecord> instructions = read_instructions(records);
  out << kTraitsDeclaration << "constexpr OperationTraits kOperationTraits[] = {\n";
  for (const InstructionRecord& instruction : instructions) {
    const auto [first, is_first] = seen.try_emplace(instruction.semantics, &instruction);
    if (!is_first && (first->second->flow != instruction.flow ||
                      first->second->names_target != instruction.names_target))
      llvm::PrintFatalError(instruction.record->getLoc(),
                            "the forms of an operation differ in their control flow");
    if (is_first)
      out << "    {ControlFlow::" << enumerator_of(instruction.flow) << ", "
          << (instruction.names_target ? "true" : "false") << "},  // " << instruction.semantics
          << "\n";
  }
  out << "};\n"
      << "constexpr const OperationTraits& traits_of(Operation operation) {\n"
      << "  return kOperationTraits[static_cast<std::size_t>(operation)];\n}\n\n";
}

}  // namespace

void emit_operations(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// Generated from isa/description by isa/decoder_generator.\n#pragma once\n\n"
      << "#include <array>\n#include <cstddef>\n#include <cstdint>\n#include "
         "<string_view>\n\n#include "
         "\"isa/named_number.h\"\n\n"
      << "namespace nplab::isa {\n\n";
  emit_enumeration(out, "Operation", "std::uint8_t", operations(records));
  emit_enumeration(out, "AbortClass", "std::uint8_t", records_by_text(records, "AbortClass"));
  emit_maximum_defers(out, records);
  emit_enumeration(out, "Unit", "std::uint8_t", records_by_text(records, "Unit"));
  emit_enumeration(out, "Token", "std::uint16_t", numbered_records(records, "Token", "Token"));
  emit_enumeration(out, "Event", "std::uint16_t", numbered_records(records, "Event", "Event"));
  emit_completion_events(out, records);
  emit_traits(out, records);
  emit_enumeration(out, "InputState", "std::uint8_t",
                   numbered_records(records, "InputState", "State"));
  emit_enumeration(out, "ControlStatusRegister", "std::uint16_t",
                   numbered_records(records, "ControlStatusRegister", "CSR"));
  emit_enumeration(out, "LocalCSR", "std::uint16_t",
                   numbered_records(records, "LocalCSR", "LocalCSR"));
  out << "}  // namespace nplab::isa\n";
}

}  // namespace nplab::isa::generator
