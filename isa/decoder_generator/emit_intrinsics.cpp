#include "isa/decoder_generator/emitters.h"
#include "isa/decoder_generator/instruction_record.h"

namespace nplab::isa::generator {

void emit_intrinsics(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  out << "// Generated from isa/description by isa/decoder_generator.\n"
      << "// Define MICROENGINE_INTRINSIC(name, opcode) and include.\n";
  for (const llvm::Record* record : records.getAllDerivedDefinitions("Instruction")) {
    const llvm::RecordVal* intrinsic = record->getValue("Intrinsic");
    if (!intrinsic) continue;
    const llvm::StringRef name = record->getValueAsString("Intrinsic");
    if (!name.empty()) out << "MICROENGINE_INTRINSIC(" << name << ", " << record->getName() << ")\n";
  }
  out << "#undef MICROENGINE_INTRINSIC\n";
}

}  // namespace nplab::isa::generator
