#include <set>

#include "isa/decoder_generator/emitters.h"
#include "isa/decoder_generator/instruction_record.h"

namespace nplab::isa::generator {
namespace {

constexpr const char* kHead =
    R"(// Generated from isa/description by isa/decoder_generator. The includer defines
// what it needs of:
// ALU_SUM(function, ...): a sum of two terms and a carry in, as C++ expressions;
// ALU_LOGIC(function, ...): a result, as a C++ expression;
// ALU_OPERATION(operation, function), ALU_SHIFT_OPERATION(operation, function): the operations of
// alu and alu_shf with that function.
)";

constexpr const char* kMacros[] = {"ALU_SUM", "ALU_LOGIC", "ALU_OPERATION", "ALU_SHIFT_OPERATION"};

// The operation with these semantics, if an instruction has them.
void emit_operation(llvm::raw_ostream& out, const char* macro, const std::string& semantics,
                    llvm::StringRef function, const std::set<std::string>& known) {
  if (known.contains(semantics))
    out << macro << "(" << enumerator(semantics) << ", " << function << ")\n";
}

}  // namespace

void emit_alu_functions(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  std::set<std::string> semantics;
  for (const InstructionRecord& instruction : read_instructions(records))
    semantics.insert(instruction.semantics);
  out << kHead;
  for (const char* macro : kMacros)
    out << "#ifndef " << macro << "\n#define " << macro << "(...)\n#endif\n";
  for (const llvm::Record* function : records.getAllDerivedDefinitions("ALUFunction")) {
    const std::string keyword = function->getValueAsString("Keyword").str();
    const std::string name = "alu_" + keyword;
    out << (function->getValueAsBit("MayOverflow") ? "ALU_SUM(" : "ALU_LOGIC(") << name << ", "
        << function->getValueAsString("Meaning") << ")\n";
    emit_operation(out, "ALU_OPERATION", name, name, semantics);
    emit_operation(out, "ALU_SHIFT_OPERATION", "alu_shf_" + keyword, name, semantics);
  }
  for (const char* macro : kMacros)
    out << "#undef " << macro << "\n";
}

}  // namespace nplab::isa::generator
