#include "isa/assembly/disassembler.h"

#include <fmt/format.h>

#include <map>

#include "isa/instruction.h"
#include "isa/mc/instruction_syntax.h"
#include "isa/mc/machine_code_context.h"
#include "isa/mc/microengine_mc.h"
#include "isa/mc/target_streamer.h"
#include "isa/operand_text.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

namespace nplab::isa {
namespace {

using Labels = std::map<std::uint32_t, std::string>;

bool is_target(const ArgumentSyntax& argument) {
  return argument.kind == ArgumentKind::kControlStoreAddress ||
         argument.kind == ArgumentKind::kControlStoreAddressI32;
}

class WordPrinter {
 public:
  WordPrinter()
      : machine_(nullptr),
        disassembler_(machine_.target.createMCDisassembler(*machine_.subtarget, machine_.context)),
        printer_(machine_.target.createMCInstPrinter(llvm::Triple(llvm::Microengine::kTriple), 0,
                                                     *machine_.asm_info, *machine_.instructions,
                                                     *machine_.registers)) {}

  // Branch targets that have a label are written as it.
  std::string print(std::uint64_t word, const Labels& labels) {
    std::uint8_t bytes[llvm::Microengine::kInstructionBytes];
    llvm::support::endian::write64be(bytes, word);
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    if (disassembler_->getInstruction(instruction, size, bytes, 0, llvm::nulls()) !=
        llvm::MCDisassembler::Success)
      return fmt::format(".quad {:#018x}", word);
    name_target(instruction, labels);
    std::string text;
    llvm::raw_string_ostream out(text);
    printer_->printInst(&instruction, 0, "", *machine_.subtarget, out);
    const std::size_t start = text.find_first_not_of(" \t");
    return text.substr(start == std::string::npos ? 0 : start);
  }

 private:
  void name_target(llvm::MCInst& instruction, const Labels& labels) {
    for (const ArgumentSyntax& argument : syntax_of(instruction.getOpcode()).arguments()) {
      if (!is_target(argument))
        continue;
      llvm::MCOperand& operand = instruction.getOperand(argument.operand);
      const auto label = labels.find(static_cast<std::uint32_t>(operand.getImm()));
      if (label == labels.end())
        continue;
      llvm::MCSymbol* symbol = machine_.context.getOrCreateSymbol(label->second);
      operand =
          llvm::MCOperand::createExpr(llvm::MCSymbolRefExpr::create(symbol, machine_.context));
    }
  }

  MachineCodeContext machine_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

// The first symbol of each word, and a name for every other target.
Labels labels_of(const ProgramImage& image) {
  Labels labels;
  for (const Symbol& symbol : image.symbols)
    labels.emplace(symbol.pc, symbol.name);
  for (const std::uint64_t word : image.words) {
    const auto instruction = decode(word);
    if (!instruction || !traits_of(instruction->operation).names_target ||
        instruction->target >= image.words.size())
      continue;
    labels.emplace(instruction->target, fmt::format("L{}", instruction->target));
  }
  return labels;
}

std::string annotation_text(const Annotation& annotation) {
  for (const llvm::AnnotationDirective& directive : llvm::kAnnotationDirectives) {
    if (directive.kind != annotation.kind)
      continue;
    std::string text = fmt::format("    {}", directive.name);
    if (directive.operands > 0)
      text += " " + operand_text(annotation.first);
    if (directive.operands > 1)
      text += ", " + operand_text(annotation.second);
    return text + "\n";
  }
  return {};
}

std::string source_comment(const ProgramImage& image, std::size_t pc) {
  if (pc >= image.lines.size())
    return {};
  const SourceLine& line = image.lines[pc];
  const bool is_new =
      pc == 0 || image.lines[pc - 1].line != line.line || image.lines[pc - 1].file != line.file;
  if (!is_new || line.line == 0)
    return {};
  return fmt::format("; {}:{}\n", image.files[line.file], line.line);
}

}  // namespace

std::string disassemble_word(std::uint64_t word) {
  return WordPrinter().print(word, {});
}

std::vector<DisassembledWord> disassemble_words(const ProgramImage& image) {
  WordPrinter printer;
  const Labels labels = labels_of(image);
  std::vector<DisassembledWord> words;
  for (std::uint32_t pc = 0; pc != image.words.size(); ++pc) {
    const auto label = labels.find(pc);
    words.push_back(
        {label == labels.end() ? "" : label->second, printer.print(image.words[pc], labels)});
  }
  return words;
}

std::string disassemble(const ProgramImage& image, const DisassemblyOptions& options) {
  WordPrinter printer;
  const Labels labels = labels_of(image);
  std::multimap<std::uint32_t, const Annotation*> annotations;
  for (const Annotation& annotation : image.annotations)
    annotations.emplace(annotation.pc, &annotation);
  std::string text;
  for (std::uint32_t pc = 0; pc != image.words.size(); ++pc) {
    if (options.source_lines == DisassemblyOptions::SourceLines::kShown)
      text += source_comment(image, pc);
    if (const auto label = labels.find(pc); label != labels.end())
      text += label->second + "#:\n";
    const auto [first, last] = annotations.equal_range(pc);
    for (auto mark = first; mark != last; ++mark)
      text += annotation_text(*mark->second);
    if (options.words == DisassemblyOptions::Words::kShown)
      text += fmt::format("{:5} {:016x}", pc, image.words[pc]);
    text += "    " + printer.print(image.words[pc], labels) + "\n";
  }
  return text;
}

}  // namespace nplab::isa
