#include "isa/decoder_generator/assembly_string.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/TableGen/Error.h"

namespace nplab::isa::generator {
namespace {

using llvm::StringRef;

const OperandRecord* find_operand(const InstructionRecord& instruction, StringRef name) {
  for (const OperandRecord& operand : instruction.operands)
    if (operand.name == name)
      return &operand;
  llvm::PrintFatalError(instruction.record->getLoc(),
                        "the assembly string names an unknown operand: " + name);
}

// "$b" or a literal; "$imm16$position" is an operand and an optional one after it.
void add_arguments(const InstructionRecord& instruction, StringRef text,
                   std::vector<Argument>& arguments) {
  if (!text.consume_front("$")) {
    arguments.push_back({text.str(), nullptr, false});
    return;
  }
  const auto [first, second] = text.split('$');
  const OperandRecord* operand = find_operand(instruction, first);
  arguments.push_back({first.str(), operand, operand->kind->getName() == "shift"});
  if (!second.empty())
    arguments.push_back({second.str(), find_operand(instruction, second), true});
}

}  // namespace

AssemblyString take_apart(const InstructionRecord& instruction) {
  AssemblyString assembly;
  const auto [mnemonic, rest] = StringRef(instruction.assembly).split('[');
  assembly.mnemonic = mnemonic.str();
  auto [inside, tokens] = rest.split(']');
  llvm::SmallVector<StringRef, 8> texts;
  inside.split(texts, ", ", -1, false);
  for (const StringRef text : texts)
    add_arguments(instruction, text, assembly.arguments);
  if (tokens.consume_front("$"))
    assembly.tokens = find_operand(instruction, tokens);
  return assembly;
}

}  // namespace nplab::isa::generator
