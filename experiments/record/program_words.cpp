#include "experiments/record/program_words.h"

#include "isa/assembly/disassembler.h"
#include "isa/control_flow.h"

namespace nplab::experiments {
namespace {

std::string next_text(const isa::Successors& successors) {
  if (successors.anywhere)
    return "?";
  const std::string text =
      (successors.next ? "+" : "") + (successors.target ? std::to_string(*successors.target) : "");
  return text.empty() ? "end" : text;
}

void add_cost(const simulator::WordCounters& word, reports::Program& program) {
  program.executing.push_back(word.executing);
  program.aborted.push_back(word.aborted);
  program.stalled.push_back(word.stalled);
  program.waiting.push_back(word.waiting);
  program.references.push_back(word.references);
  program.longwords.push_back(word.longwords);
}

void add_place(const isa::ProgramImage& image, std::size_t pc, reports::Program& program) {
  const isa::SourceLine at = pc < image.lines.size() ? image.lines[pc] : isa::SourceLine{};
  const bool is_known = at.line != 0 && at.file < image.files.size();
  program.file.push_back(is_known ? at.file : image.files.size());
  program.line.push_back(is_known ? at.line : 0);
}

}  // namespace

reports::Program program_words(unsigned engine, const isa::ProgramImage& image,
                               const simulator::EngineCounters& counters) {
  reports::Program program;
  program.engine = engine;
  program.files = image.files;
  for (const isa::DisassembledWord& word : isa::disassemble_words(image))
    program.assembly.push_back(word.label.empty() ? word.instruction
                                                  : word.label + "#: " + word.instruction);
  for (const isa::Successors& successors : isa::control_flow(image))
    program.next.push_back(next_text(successors));
  for (std::size_t pc = 0; pc < image.words.size(); ++pc) {
    add_cost(counters.words.at(pc), program);
    add_place(image, pc, program);
  }
  return program;
}

}  // namespace nplab::experiments
