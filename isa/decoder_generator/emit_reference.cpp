#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "isa/decoder_generator/assembly_string.h"
#include "isa/decoder_generator/emitters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"

namespace nplab::isa::generator {
namespace {

using Forms = std::vector<const InstructionRecord*>;

// An argument as a reader would write it: literals as they are, operands by name and kind.
std::string described(const Argument& argument) {
  if (!argument.operand)
    return argument.text;
  const llvm::Record* kind = argument.operand->kind;
  if (kind->isSubClassOf("FieldImmediate"))
    return "0-" + std::to_string((1 << kind->getValueAsInt("Width")) - 1);
  return argument.text;
}

// `1-8` of 1, 2, ... 8; everything else in order, "no register" last.
std::vector<std::string> condensed(std::vector<std::string> alternatives) {
  const bool are_counts =
      alternatives.size() > 1 && llvm::all_of(alternatives, [](const std::string& text) {
        return text.size() == 1 && std::isdigit(text[0]);
      });
  if (are_counts)
    return {*std::min_element(alternatives.begin(), alternatives.end()) + "-" +
            *std::max_element(alternatives.begin(), alternatives.end())};
  const auto rank = [](const std::string& text) {
    return text == "--" ? 2 : std::isdigit(text[0]) ? 1 : 0;
  };
  std::stable_sort(alternatives.begin(), alternatives.end(),
                   [&](const std::string& x, const std::string& y) { return rank(x) < rank(y); });
  return alternatives;
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : separator) + part;
  return text;
}

// All forms of one instruction in one line: `alu[dst | --, a | 0-31, +, b | 0-31]`.
std::string syntax_of(const Forms& forms) {
  std::vector<std::vector<std::string>> places;
  std::vector<std::string> mnemonics;
  bool takes_tokens = false;
  for (const InstructionRecord* form : forms) {
    const AssemblyString assembly = take_apart(*form);
    if (!llvm::is_contained(mnemonics, assembly.mnemonic))
      mnemonics.push_back(assembly.mnemonic);
    places.resize(std::max(places.size(), assembly.arguments.size()));
    for (std::size_t i = 0; i != assembly.arguments.size(); ++i) {
      const std::string text = described(assembly.arguments[i]);
      if (!llvm::is_contained(places[i], text))
        places[i].push_back(text);
    }
    takes_tokens |= assembly.tokens != nullptr;
  }
  std::vector<std::string> arguments;
  for (auto& alternatives : places)
    arguments.push_back(joined(condensed(alternatives), " \\| "));
  std::string syntax = joined(mnemonics, " \\| ");
  if (!arguments.empty())
    syntax += "[" + joined(arguments, ", ") + "]";
  return takes_tokens ? syntax + ", tokens" : syntax;
}

std::string encoding_of(const Forms& forms) {
  std::string text = "63..58 = " + std::to_string(forms.front()->value >> 58);
  for (const FieldRecord& field : forms.front()->fields) {
    std::set<std::uint64_t> values;
    for (const InstructionRecord* form : forms)
      values.insert(form->value >> 20 & 31);
    text += "; " + field.name + " " + std::to_string(field.high) + ".." + std::to_string(field.low);
    if (field.name == "function" && values.size() == 1)
      text += " = " + std::to_string(*values.begin());
  }
  return text;
}

void emit_row(llvm::raw_ostream& out, const Forms& forms) {
  const llvm::Record* record = forms.front()->record;
  const llvm::StringRef unit = record->getValueAsDef("CompletesIn")->getValueAsString("Name");
  out << "| `" << syntax_of(forms) << "` | " << record->getValueAsString("Summary") << " | "
      << record->getValueAsDef("Aborts")->getValueAsString("Name") << " | "
      << (unit == "none" ? "" : unit) << " | " << encoding_of(forms) << " |\n";
}

void emit_names(llvm::raw_ostream& out, const llvm::RecordKeeper& records, llvm::StringRef title,
                llvm::StringRef class_name, llvm::StringRef number) {
  out << "\n## " << title << "\n\n| name | " << number.lower() << " |\n|---|---|\n";
  const auto definitions = records.getAllDerivedDefinitions(class_name);
  std::vector<const llvm::Record*> named(definitions.begin(), definitions.end());
  std::sort(named.begin(), named.end(), [number](const llvm::Record* x, const llvm::Record* y) {
    return x->getValueAsInt(number) < y->getValueAsInt(number);
  });
  for (const llvm::Record* record : named)
    out << "| `" << record->getValueAsString("Name") << "` | " << record->getValueAsInt(number)
        << " |\n";
}

constexpr const char* kIntroduction = R"(# The microengine's instruction set

Generated from `isa/description`. An instruction is one 64-bit control-store word; bits that no field names are zero.
Syntax: `opcode[operand, operand, ...], token, token`; `--` is "no register"; labels end in `#`.

- Operands: `a0`-`a15`, `b0`-`b15` (general-purpose registers of the context, banks A and B), `@a0`-`@a63`, `@b0`-`@b63`
  (the same, absolute), `$0`-`$7` and `$$0`-`$$7` (SRAM and SDRAM transfer registers: the read register as a source, the
  write register as a destination), `@$0`-`@$31`, `@$$0`-`@$$31`. Two general-purpose sources come from different banks.
- A burst is written as its first transfer register. Addresses are in bytes: the sum of the two address operands.
- Tokens: `defer[n]` (n following instructions always execute), `guess_branch`; of references `ctx_swap`, `sig_done`,
  `indirect_ref`, `chain_ref`, `optimize_mem`, `ordered`, `priority`, `unlock`; `load_cc`.
- Shifts: `<<n`, `>>n`, `<<rotn`, `>>rotn` (n is 1 to 31), `<<indirect`, `>>indirect`, or `--`.
- Aborts: the class that the chip file's costs go by. A reference with `ctx_swap` is of class swap.
)";

}  // namespace

void emit_reference(llvm::raw_ostream& out, const llvm::RecordKeeper& records) {
  const std::vector<InstructionRecord> instructions = read_instructions(records);
  std::map<std::string, std::vector<std::string>> groups;
  std::map<std::string, Forms> forms;
  for (const InstructionRecord& instruction : instructions) {
    if (instruction.record->getValueAsString("Summary").empty())
      llvm::PrintFatalError(instruction.record->getLoc(), "an instruction needs a Summary");
    Forms& same = forms[instruction.semantics];
    if (same.empty())
      groups[instruction.record->getValueAsString("Group").str()].push_back(instruction.semantics);
    same.push_back(&instruction);
  }
  out << kIntroduction;
  for (const char* group : {"ALU", "Register", "Branch", "Reference", "Miscellaneous"}) {
    out << "\n## " << group
        << "\n\n| syntax | does | aborts | unit | encoding |\n|---|---|---|---|---|\n";
    for (const std::string& semantics : groups[group])
      emit_row(out, forms[semantics]);
  }
  emit_names(out, records, "Events", "Event", "Bit");
  emit_names(out, records, "Input states", "InputState", "Number");
  emit_names(out, records, "Registers behind the FBI (csr, fast_wr)", "ControlStatusRegister",
             "Number");
  emit_names(out, records, "Registers of the engine (local_csr_rd)", "LocalCSR", "Number");
}

}  // namespace nplab::isa::generator
