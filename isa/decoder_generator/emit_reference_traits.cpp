#include <algorithm>
#include <map>
#include <string>

#include "isa/decoder_generator/emitters.h"
#include "isa/decoder_generator/instruction_record.h"

namespace nplab::isa::generator {
namespace {

constexpr int kCountLow = 12;  // bits 15..12 of a reference: count - 1
constexpr std::uint64_t kCountMask = 0xf;

constexpr const char* kTraitsHead = R"(// Generated from isa/description by isa/decoder_generator.
#pragma once

#include "isa/operations.gen.h"

namespace nplab::isa {

// What the operands of a reference can be.
struct ReferenceTraits {
  unsigned most_count;         // of the longest burst; 0: a reference without a count of its own
  bool has_transfer_register;  // its word names one
};

)";

struct Traits {
  unsigned most_count = 0;
  bool has_transfer_register = false;
};

// Of one form; 1 where the field holds something else.
unsigned count_of(const InstructionRecord& instruction) {
  const bool is_fixed = (instruction.mask >> kCountLow & kCountMask) == kCountMask;
  return is_fixed ? static_cast<unsigned>(instruction.value >> kCountLow & kCountMask) + 1 : 1;
}

bool names_transfer_register(const InstructionRecord& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const OperandRecord& operand) { return operand.name == "xfer"; });
}

}  // namespace

void emit_reference_traits(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  std::map<std::string, Traits> references;
  for (const InstructionRecord& instruction : read_instructions(records)) {
    if (!instruction.record->getValueAsBit("IsReference"))
      continue;
    Traits& traits = references[instruction.semantics];
    traits.most_count = std::max(traits.most_count, count_of(instruction));
    traits.has_transfer_register = names_transfer_register(instruction);
  }
  out << kTraitsHead << "constexpr ReferenceTraits reference_traits(Operation operation) {\n"
      << "  switch (operation) {\n";
  for (const auto& [semantics, traits] : references)
    out << "    case Operation::" << enumerator(semantics) << ": return {"
        << (traits.most_count > 1 ? traits.most_count : 0) << ", "
        << (traits.has_transfer_register ? "true" : "false") << "};\n";
  out << "    default: return {0, false};\n  }\n}\n\n}  // namespace nplab::isa\n";
}

}  // namespace nplab::isa::generator
